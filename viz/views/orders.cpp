// Two orders of a run's threads beside each other: the recorded one, and the first that changes the result,
// as turns of the warps up to where the runs part; what both leave at the end; and how many orders led to
// which result.
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/order/order_text.h"
#include "explain/sentences/words.h"
#include "viz/marks/frame.h"
#include "viz/orders_on_show.h"
#include "viz/parts/two_orders.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

constexpr Words kNotTried = english(
    "A legal order of the threads may change the result of a kernel that races. Try some, and see the first "
    "that does beside the recorded one.");
constexpr Words kNotTriedInFile = english("No orders were tried."),
                kBeingTried = english("Trying orders: {0}%");
constexpr Words kCannot = english(
    "Other orders can be tried of a run on the emulator that came to its end, with all of its blocks.");
constexpr Words kTry = english("before numbers of orders", "Try orders:"),
                kTryHover = english("Runs the launches again in {0} legal orders of their threads");
constexpr Words kCancel = english("{0}% tried: cancel"),
                kCancelHover = english("Ends the search; what was tried by then is kept");
constexpr Words kCaption = english("{0} {0:order|orders}, {1} {1:result|results}");
constexpr Words kRecorded = english("Recorded order"), kChanged = english("Order {0}: {1}");
constexpr Words kAtTheEnd = english("Both at the end"), kElement = english("{0}: {1} instead of {2}"),
                kMoreElements = english("{0} more {0:element|elements} changed");
constexpr Words kResults = english("Results of {0} {0:order|orders}"),
                kResultsOfPart = english("Results of {0} {0:order|orders} of {1}");
constexpr Words kResultRecorded = english("recorded result"), kResultOther = english("another result"),
                kNoEnd = english("does not end");
constexpr Words kRight = english("the result", "right"), kWrong = english("the result", "wrong");
constexpr Words kMoreResults = english("{0} more {0:result|results}: {1} {1:order|orders}");
constexpr Words kNoneChanged = english("None of {0} {0:order|orders} changed the result."),
                kNoneChangedRace =
                    english("None of {0} {0:order|orders} changed the result; the race stays."),
                kSomeChanged = english("{0} of {1} {1:order|orders} changed the result.");
constexpr Words kRaceAllTheSame = english(
    "It is a race all the same: the compiler, or another device, may do what none of these orders did.");
constexpr Words kHangs = english("Order {0} does not end: some threads wait forever. {1}."),
                kPartsNowhere = english("Order {0} changes the result: {1}.");
constexpr Words kOnlySome = english(
    "Of launch {0} only the {1} {1:block that races was|blocks that race were} "
    "run in other orders.");

constexpr std::array<u32, 3> kOffered{100, 1'000, 10'000};
constexpr f32 kChip = 24, kHeadRow = 24, kSide = 270, kWideView = 860, kBetween = 24, kBarRow = 20,
              kElementRow = 18;
constexpr std::size_t kMostElements = 2;

Role roleOf(const run::OrderResult& result) {
    if (!result.ended || result.correct == false) return role(RoleKind::Finding);
    if (result.correct == true) return role(RoleKind::Load);
    return role(result.changed ? RoleKind::Store : RoleKind::TextSecond);
}

Rect below(const Rect& area, f32 height) {
    return {area.x, area.y + height, area.width, area.height - height};
}
Rect above(const Rect& area, f32 height) { return {area.x, area.y, area.width, area.height - height}; }

// What can be tried, or canceled: from the right edge of the line, if it begins behind `from`, else in a line
// of its own. Returns the height of that.
f32 drawChips(Canvas& canvas, const ViewInput& in, const Rect& area, f32 from) {
    if (in.titled || (in.isPresented && in.orders)) return 0;
    const TextStyle style{.size = type::kCode, .align = Align::Centre};
    struct Chip {
        std::string text, hover;
        u32 orders = 0;
    };
    std::vector<Chip> chips;
    if (in.ordersPercent)
        chips.push_back({say(in.language, kCancel, *in.ordersPercent), say(in.language, kCancelHover), 0});
    else
        for (const u32 orders : kOffered)
            chips.push_back({grouped(orders), say(in.language, kTryHover, grouped(orders)), orders});
    const std::string name = in.ordersPercent ? std::string() : say(in.language, kTry);
    f32 wide = name.empty() ? 0 : canvas.width(name, style) + space::kGap;
    for (const Chip& chip : chips)
        wide += canvas.width(chip.text, style) + 16 + (&chip == chips.data() ? 0 : space::kGap);
    const bool isBeside = from + 16 + wide <= area.right();
    f32 x = isBeside ? area.right() - wide : area.x;
    const f32 y = isBeside ? area.y - 3 : area.y;
    x += name.empty() ? 0 : canvas.text({x, y + kChip / 2}, name, {.size = type::kCode}) + space::kGap;
    for (Chip& chip : chips) {
        const Rect box{x, y, canvas.width(chip.text, style) + 16, kChip};
        canvas.rect(box, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas.text(box.centre(), chip.text, style);
        canvas.hit(box, {.hover = std::move(chip.hover), .orders = chip.orders});
        x += box.width + space::kGap;
    }
    return isBeside ? 0 : kChip + 10;
}

class OrdersPicture {
public:
    OrdersPicture(const ViewInput& in, const run::OrderSearch& search, const TwoOrders& both)
        : in_(in), search_(search), both_(both), canvas_(in.size, in.metrics) {}

    Scene draw() {
        Rect body = head(canvas_, in_, kOrdersTitle.in(in_.language),
                         say(in_.language, kCaption, grouped(search_.tried), search_.results.size()));
        const f32 margin = in_.isPresented ? 0 : 10;
        body = {body.x + space::kInset, body.y + margin, body.width - 2 * space::kInset,
                body.height - 2 * margin};
        const f32 verdictEnds = body.x + canvas_.width(verdict(), kVerdict);
        body = below(body, drawChips(canvas_, in_, body, verdictEnds));
        body = above(body, drawNote(body));
        body = below(body, drawVerdict(body));
        if (!both_.bad) {
            drawResults({body.x, body.y, std::min(body.width, 2 * kSide), body.height});
        } else if (in_.isPresented) {
            drawBoth(body);
        } else if (in_.size.width >= kWideView) {
            drawResults({body.right() - kSide, body.y, kSide, body.height});
            drawBoth({body.x, body.y, body.width - kSide - kBetween, body.height});
        } else {
            const f32 results =
                std::clamp(body.height - leastOfBoth(body.width), kHeadRow + 2 * kBarRow, resultsHeight());
            drawResults({body.x, body.bottom() - results, body.width, results});
            drawBoth(above(body, results + 6));
        }
        return std::move(canvas_).take(sentence());
    }

private:
    std::string verdict() const {
        if (search_.changed > 0)
            return say(in_.language, kSomeChanged, grouped(search_.changed), grouped(search_.tried));
        return say(in_.language, search_.hasRace ? kNoneChangedRace : kNoneChanged, grouped(search_.tried));
    }
    // Where the runs part, or what the first bad order is.
    std::string parting() const {
        if (!search_.bad) return {};
        const run::BadOrder& bad = *search_.bad;
        if (const Message cause = run::causeOf(bad, in_.run); !cause.empty()) return cause.in(in_.language);
        return say(in_.language, search_.results[bad.result].ended ? kPartsNowhere : kHangs, bad.number,
                   explain::textOf(bad.order, in_.run));
    }
    std::string sentence() const { return search_.bad ? parting() : verdict(); }

    static constexpr TextStyle kVerdict{.size = type::kTitle, .bold = true};
    f32 drawVerdict(const Rect& area) {
        constexpr f32 kTitleLine = type::kTitle * type::kLineHeight, kLine = type::kBody * type::kLineHeight;
        f32 y = area.y + type::kTitle / 2;
        y += kTitleLine * f32(canvas_.paragraph({area.x, y}, area.width, verdict(), kVerdict));
        if (search_.changed == 0 && search_.hasRace)
            y += kLine * f32(canvas_.paragraph({area.x, y}, std::min(area.width, 2 * kSide),
                                               say(in_.language, kRaceAllTheSame)));
        return y - area.y + 4;
    }
    // What every result is to be read with. Returns its height.
    f32 drawNote(const Rect& area) {
        constexpr f32 kLow = 400;
        const TextStyle style{.size = in_.isPresented || area.height < kLow ? type::kAxis : type::kCode,
                              .role = role(RoleKind::TextSecond)};
        std::string text;
        const auto add = [&](const std::string& sentence) {
            text += (text.empty() ? "" : sentenceGap(in_.language)) + sentence;
        };
        for (const auto& [launch, blocks] : search_.chosen)
            add(say(in_.language, kOnlySome, launch, blocks.size()));
        add(say(in_.language, explain::provesNothing()));
        add(say(in_.language, explain::ordersOnly()));
        const f32 line = style.size * type::kLineHeight,
                  height = line * f32(canvas_.wrap(text, area.width, style).size());
        canvas_.paragraph({area.x, area.bottom() - height + line / 2}, area.width, text, style);
        return height + 10;
    }

    std::string titleOf(bool isChanged) const {
        if (!isChanged) return say(in_.language, kRecorded);
        return say(in_.language, kChanged, search_.bad->number, explain::textOf(search_.bad->order, in_.run));
    }
    f32 leastOfBoth(f32 width) {
        const f32 each = (width - kBetween) / 2;
        return 6 + std::max(leastHeightOfOrder(canvas_, in_, each, both_, false, titleOf(false)),
                            leastHeightOfOrder(canvas_, in_, each, both_, true, titleOf(true)));
    }
    void drawBoth(const Rect& area) {
        const f32 wide = (area.width - kBetween) / 2,
                  end = in_.isPresented || area.height - endHeight() < leastOfBoth(area.width) ? 0
                                                                                               : endHeight();
        for (const bool isChanged : {false, true})
            drawOrder(canvas_, in_,
                      {area.x + (isChanged ? wide + kBetween : 0), area.y, wide, area.height - end}, both_,
                      isChanged, titleOf(isChanged));
        if (end > 0) drawEnd(below(area, area.height - end));
    }

    // ---- What both leave
    f32 endHeight() const {
        const run::BadOrder& bad = *search_.bad;
        if (bad.elements.empty()) return 0;
        const std::size_t rows =
            std::min(kMostElements, bad.elements.size()) + (bad.changedElements > kMostElements);
        return kHeadRow + f32(rows) * kElementRow + 6;
    }
    void drawEnd(const Rect& area) {
        const run::BadOrder& bad = *search_.bad;
        f32 y = area.y + 6 + kHeadRow / 2;
        canvas_.textWithin({area.x, y}, area.width, kAtTheEnd.in(in_.language), {.bold = true});
        y += kHeadRow - 4;
        const std::span<const Buffer> buffers(in_.run.recording.final);
        for (std::size_t i = 0; i < std::min(kMostElements, bad.elements.size()); ++i, y += kElementRow) {
            const auto [name, recorded, changed] = run::textsOf(bad.elements[i], buffers);
            canvas_.textWithin({area.x, y}, area.width, say(in_.language, kElement, name, changed, recorded),
                               {.size = type::kCode});
        }
        if (bad.changedElements > kMostElements)
            canvas_.textWithin({area.x, y}, area.width,
                               say(in_.language, kMoreElements, grouped(bad.changedElements - kMostElements)),
                               {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    }

    // ---- How often which result
    f32 resultsHeight() const {
        constexpr std::size_t kMost = 6;
        return kHeadRow + f32(std::min(kMost, search_.results.size())) * kBarRow;
    }
    std::string nameOf(const run::OrderResult& result) const {
        if (!result.ended) return say(in_.language, kNoEnd);
        const bool isRecorded = &result == search_.results.data();
        std::string text(say(in_.language, isRecorded ? kResultRecorded : kResultOther));
        if (result.correct)
            text += comma(in_.language) + say(in_.language, *result.correct ? kRight : kWrong);
        return text;
    }
    void drawResults(const Rect& area) {
        if (area.height < kHeadRow + kBarRow) return;
        const std::string title =
            search_.tried < search_.wanted
                ? say(in_.language, kResultsOfPart, grouped(search_.tried), grouped(search_.wanted))
                : say(in_.language, kResults, grouped(search_.tried));
        canvas_.textWithin({area.x, area.y + type::kBody * type::kLineHeight / 2}, area.width, title,
                           {.bold = true});
        const std::vector<const run::OrderResult*> sorted = run::byFrequency(search_);
        const std::size_t room = std::size_t(std::max(1.0f, (area.height - kHeadRow) / kBarRow));
        const std::size_t shown = sorted.size() <= room ? sorted.size() : std::max<std::size_t>(1, room - 1);
        u64 most = 1, left = 0;
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            most = std::max(most, sorted[i]->count);
            if (i >= shown) left += sorted[i]->count;
        }
        f32 y = area.y + kHeadRow;
        for (std::size_t i = 0; i < shown; ++i, y += kBarRow)
            drawResult(*sorted[i], {area.x, y, area.width, kBarRow}, most);
        if (left > 0)
            canvas_.textWithin({area.x, y + kBarRow / 2}, area.width,
                               say(in_.language, kMoreResults, grouped(sorted.size() - shown), grouped(left)),
                               {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    }
    // Its name, a bar, and how many orders led to it.
    void drawResult(const run::OrderResult& result, const Rect& row, u64 most) {
        const std::string count = grouped(result.count);
        const TextStyle name{.size = type::kCode, .role = role(RoleKind::TextSecond)},
            figure{.size = type::kCode, .bold = true, .align = Align::Right};
        const f32 y = row.centre().y, from = row.x + nameWidth(name) + 10,
                  to = row.right() - canvas_.width(grouped(most), figure) - 10;
        canvas_.text({row.x, y}, nameOf(result), name);
        canvas_.text({row.right(), y}, count, figure);
        if (to - from < 20) return;
        const f32 wide = std::max(2.0f, (to - from) * f32(result.count) / f32(most));
        canvas_.rect({from, y - 5, to - from, 10}, {.fill = role(RoleKind::Inactive), .radius = 2});
        canvas_.rect({from, y - 5, wide, 10}, {.fill = roleOf(result), .radius = 2});
    }
    f32 nameWidth(const TextStyle& style) const {
        f32 wide = 0;
        for (const run::OrderResult& result : search_.results)
            wide = std::max(wide, canvas_.width(nameOf(result), style));
        return wide;
    }

    const ViewInput& in_;
    const run::OrderSearch& search_;
    const TwoOrders& both_;
    Canvas canvas_;
};

// A sentence in the middle, and what can be tried.
Scene withoutOrders(const ViewInput& in, const std::string& sentence) {
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, kOrdersTitle.in(in.language), {});
    const Rect inner{body.x + space::kInset, body.y + 10, body.width - 2 * space::kInset, body.height - 20};
    const f32 chips = drawChips(canvas, in, inner, inner.right()), width = std::min(inner.width, 520.0f);
    const std::size_t lines = canvas.wrap(sentence, width, {}).size();
    const f32 line = type::kBody * type::kLineHeight;
    canvas.paragraph({body.x + (body.width - width) / 2,
                      inner.y + chips + (inner.height - chips - f32(lines) * line) / 2 + line / 2},
                     width, sentence, {.role = role(RoleKind::TextSecond)});
    return std::move(canvas).take(sentence);
}

std::string whyNone(const ViewInput& in) {
    if (in.ordersPercent) return say(in.language, kBeingTried, *in.ordersPercent);
    return say(in.language, in.titled ? kNotTriedInFile : kNotTried);
}

// Of the search that is on show.
struct KeptOrders {
    const run::OrderSearch* of = nullptr;
    TwoOrders both;
};

}  // namespace

Scene buildOrders(const ViewInput& in) {
    if (!canTryOrders(in.run)) return emptyScene(in, kOrdersTitle, say(in.language, kCannot));
    if (!in.orders || !in.orders->any()) return withoutOrders(in, whyNone(in));
    if (in.orders->why) return withoutOrders(in, describe(*in.orders->why, in.language));
    const run::OrderSearch& search = *in.orders->search;
    KeptOrders anew;
    KeptOrders* kept = in.cache ? std::any_cast<KeptOrders>(&in.cache->facts) : &anew;
    if (!kept) kept = &in.cache->facts.emplace<KeptOrders>();
    if (kept->of != &search) *kept = {&search, twoOrdersOf(in.run, search)};
    return OrdersPicture(in, search, kept->both).draw();
}

}  // namespace lockstep::viz
