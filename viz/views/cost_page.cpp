#include "viz/views/cost_page.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "base/text/quantities.h"
#include "explain/sums/tree_cost.h"
#include "run/recordings/times_facts.h"
#include "viz/marks/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {
namespace {

using explain::TreeCost;

constexpr Words kTitle = english("Cost of a sum");
constexpr Words kProcessors = english("processors");
constexpr Words kBack = english("Chart");
constexpr Words kBackHover = english("Back to the chart of measurements");
constexpr Words kProcessorsHover =
    english("{0} {0:processor|processors}: {1} {1:step|steps}, cost {2} times n");
constexpr Words kOfBrent = english("n / log2 n = {0}");
constexpr Words kHead = english(
    "{0} {0:processor|processors}, {1} {1:addition|additions} each, then {2} "
    "{2:round|rounds}: {3} {3:step|steps}");
constexpr Words kHeadEach =
    english("{0} {0:processor|processors}, one for each element, {1} {1:round|rounds}: {2} {2:step|steps}");
constexpr Words kHeadAlone = english("1 processor: {0} {0:addition|additions}, one after another");
constexpr Words kCost = english("cost {0} × {1} = {2}: {3} times n, {4}% of it additions");
constexpr Words kOwnHover = english(
    "Each processor adds up its own elements: {0} {0:step|steps}, {1} "
    "{1:addition|additions} in all.");
constexpr Words kRoundHover =
    english("Round {0}: {1} {1:processor adds|processors add}, {2} {2:waits|wait}.");
constexpr Words kKeyAdds = english("adds");
constexpr Words kKeyWaits = english("waits, and is paid for");
constexpr Words kAcross = english("steps, one addition long");
constexpr Words kSentence = english(
    "Summing {0} {0:element|elements} takes {1} {1:addition|additions}, in any order. {2} "
    "{2:processor costs|processors cost} {3} times n, one for each element {4} times n.");
constexpr Words kStep = english("of a speedup", "step"), kTotal = english("of a speedup", "total");
constexpr Words kPublishedHead = english("G80, published");
constexpr Words kPublished = english("published: {0}");
constexpr Words kMachine = english("{0}: {1}");
constexpr Words kMachineNearest = english("{0}: {1}, the recorded size most like this run's");
constexpr Words kSpeedups = english("step: times as fast as the variant before; total: as the first");
constexpr Words kOwnSizes = english("Each GPU's times are of a size of its own: compare factors.");

constexpr f32 kChip = 24, kRow = 22, kNumber = 53, kMostOfWidth = 0.55f;
const TextStyle kChipText{.size = type::kCode, .align = Align::Centre};
const TextStyle kSmall{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
constexpr Role kAdds = role(RoleKind::Load), kWaits = role(RoleKind::Wasted, 0.6f);

// One row of the table beside the picture.
struct Measured {
    std::string name;
    std::array<std::string, 3> published, here;  // time, step, total
};

std::string factor(f64 value) { return value > 0 ? fmt::format("{:.2f}", value) : std::string(); }

class Page {
public:
    Page(const ViewInput& in, const ChartOptions& options)
        : in_(in),
          options_(options),
          elements_(u64(std::max<s64>(1, in.run.catalog->values.at("n")))),
          canvas_(in.size, in.metrics) {
        const u64 chosen = options.processors ? options.processors : explain::processorsOfBrent(elements_);
        each_ = explain::treeCost(elements_, elements_);
        few_ = explain::treeCost(elements_, chosen);
    }

    Scene draw() {
        const Rect body = head(canvas_, in_, kTitle.in(in_.language), "");
        const f32 top = drawChips(body);
        Rect area{space::kInset, top, body.width - 2 * space::kInset, body.bottom() - top - 8};
        const std::vector<Measured> rows = measured();
        if (const f32 table = tableWidth(rows); !rows.empty() && table <= area.width * kMostOfWidth) {
            drawTable({area.right() - table, area.y, table, area.height}, rows);
            area.width -= table + 2 * space::kInset;
        }
        drawBoth(area);
        return std::move(canvas_).take(say(in_.language, kSentence, grouped(elements_),
                                           grouped(elements_ - 1), grouped(few_.processors), perElement(few_),
                                           perElement(each_)));
    }

private:
    static std::string perElement(const TreeCost& cost) { return threeDigits(cost.costPerElement()); }

    f32 chip(f32 x, f32 y, const std::string& text, Hit hit, bool isOn) {
        const f32 wide = canvas_.width(text, kChipText) + 16;
        const Rect box{x, y, wide, kChip};
        canvas_.rect(box,
                     {.fill = role(isOn ? RoleKind::Wasted : RoleKind::Raised), .radius = radius::kControl});
        canvas_.text(box.centre(), text, kChipText);
        canvas_.hit(box, std::move(hit));
        return x + wide + 6;
    }

    // Back to the chart, and numbers of processors to choose from, as far as they have room.
    f32 drawChips(const Rect& body) {
        const f32 y = body.y + 10;
        ChartOptions chart = options_;
        chart.isCost = false;
        f32 x = chip(space::kInset, y, say(in_.language, kBack),
                     {.hover = say(in_.language, kBackHover), .options = chart}, false) +
                12;
        x += canvas_.text({x, y + kChip / 2}, say(in_.language, kProcessors), kSmall) + 8;
        const u64 brent = explain::processorsOfBrent(elements_);
        std::vector<u64> offered{brent};
        for (const u64 part : {1u, 2u, 4u, 64u, 256u, 1024u})
            if (const u64 p = elements_ / part; p > 1 && std::ranges::find(offered, p) == offered.end())
                offered.push_back(p);
        offered.push_back(1);
        for (const u64 processors : offered) {
            const std::string text =
                processors == brent ? say(in_.language, kOfBrent, grouped(processors)) : grouped(processors);
            if (x + canvas_.width(text, kChipText) + 16 > body.width - space::kInset) break;
            const TreeCost cost = explain::treeCost(elements_, processors);
            ChartOptions choice = options_;
            choice.processors = processors;
            x = chip(x, y, text,
                     {.hover = say(in_.language, kProcessorsHover, grouped(processors), grouped(cost.steps()),
                                   perElement(cost)),
                      .options = choice},
                     processors == few_.processors);
        }
        return y + kChip + 12;
    }

    std::string headOf(const TreeCost& cost) const {
        if (cost.processors == 1) return say(in_.language, kHeadAlone, grouped(cost.each));
        if (cost.each == 0)
            return say(in_.language, kHeadEach, grouped(cost.processors), grouped(cost.rounds),
                       grouped(cost.steps()));
        return say(in_.language, kHead, grouped(cost.processors), grouped(cost.each), grouped(cost.rounds),
                   grouped(cost.steps()));
    }
    std::string costOf(const TreeCost& cost) const {
        return say(in_.language, kCost, grouped(cost.processors), grouped(cost.steps()), grouped(cost.cost()),
                   perElement(cost), percentOfShare(cost.busy()));
    }

    // Both on one scale: what is paid for is the area.
    void drawBoth(const Rect& area) {
        constexpr f32 kHeads = 40, kAxis = 22, kKey = 24, kLeft = 14;
        const Rect field{area.x + kLeft, area.y, area.width - kLeft, area.height - kKey};
        const f32 room = field.height - 2 * (kHeads + kAxis);
        if (room < 40) return;
        const f64 steps = f64(std::max(each_.steps(), few_.steps())),
                  processors = f64(each_.processors) + f64(few_.processors);
        const f32 wide = f32(field.width / std::max(1.0, steps)), high = f32(room / processors);
        f32 y = field.y;
        for (const TreeCost* cost : {&each_, &few_}) {
            canvas_.textWithin({field.x, y + 9}, field.width, headOf(*cost),
                               {.size = type::kCode, .bold = true});
            canvas_.textWithin({field.x, y + 26}, field.width, costOf(*cost),
                               {.size = type::kCode, .role = role(RoleKind::TextSecond)});
            y += kHeads;
            const f32 tall = std::max(3.0f, high * f32(cost->processors));
            drawOne(*cost, {field.x, y, std::max(3.0f, wide * f32(cost->steps())), tall}, wide);
            y += tall + kAxis;
            if (each_ == few_) break;
        }
        const auto square = [](Role fill) {
            return [=](Canvas& c, Point p) { c.rect({p.x - 6, p.y - 6, 12, 12}, {.fill = fill}); };
        };
        const std::vector<KeyRow> keys{{square(kAdds), say(in_.language, kKeyAdds)},
                                       {square(kWaits), say(in_.language, kKeyWaits)}};
        keyRow(canvas_, {field.x, area.bottom() - kKey / 2}, field.width, keys);
    }

    void drawOne(const TreeCost& cost, const Rect& place, f32 wide) {
        canvas_.rect(place, {.fill = kWaits});
        const auto part = [&](u64 first, u64 steps, u64 adding, std::string hover) {
            const Rect box{place.x + wide * f32(first), place.y, std::max(1.0f, wide * f32(steps)),
                           place.height};
            const f32 tall = std::max(1.0f, place.height * f32(f64(adding) / f64(cost.processors)));
            const f32 gap = wide > 4 ? 1 : 0;
            canvas_.rect({box.x, box.bottom() - tall, box.width - gap, tall}, {.fill = kAdds});
            canvas_.hit(box, {.hover = std::move(hover)});
        };
        if (cost.each > 0) {
            const u64 whole = cost.addingAt(cost.each - 1) == cost.processors ? cost.each : cost.each - 1;
            const std::string hover =
                say(in_.language, kOwnHover, grouped(cost.each), grouped(cost.elements - cost.processors));
            if (whole > 0) part(0, whole, cost.processors, hover);
            if (whole < cost.each) part(whole, 1, cost.addingAt(whole), hover);
        }
        for (u64 round = 0; round < cost.rounds; ++round) {
            const u64 adding = cost.addingAt(cost.each + round);
            part(cost.each + round, 1, adding,
                 say(in_.language, kRoundHover, round + 1, grouped(adding),
                     grouped(cost.processors - adding)));
        }
        // Steps below, processors at the left, as far as they have room.
        const std::string last = grouped(cost.steps()) + " " + say(in_.language, kAcross);
        canvas_.textWithin({place.x, place.bottom() + 11}, canvas_.size().width - place.x - space::kInset,
                           last, kSmall);
    }

    // The variants of which a time is known: published, or of this machine.
    std::vector<Measured> measured() {
        const std::span<const run::RecordedMachine> machines =
            in_.machines ? std::span(*in_.machines) : std::span<const run::RecordedMachine>();
        facts_ = run::timesFacts(*in_.run.catalog, machines, 0);
        f64 longest = 0;
        if (facts_)
            for (const run::TimedKernel& kernel : facts_->kernels)
                if (kernel.variant && kernel.run) longest = std::max(longest, kernel.milliseconds);
        const TimeUnit unit = timeUnitFor(longest);
        unit_ = unit.name;
        std::vector<Measured> rows;
        const catalog::Variant *first = nullptr, *before = nullptr;
        for (const catalog::Variant& variant : in_.run.catalog->family->variants) {
            if (!variant.published) continue;
            Measured row{.name = variant.title.in(in_.language), .published = {}, .here = {}};
            const f64 ms = variant.published->milliseconds;
            row.published = {fmt::format("{:.3f}", ms),
                             before ? factor(before->published->milliseconds / ms) : "",
                             first ? factor(first->published->milliseconds / ms) : ""};
            if (!first) first = &variant;
            before = &variant;
            if (facts_)
                for (const run::TimedKernel& kernel : facts_->kernels)
                    if (kernel.variant == &variant && kernel.run)
                        row.here = {unit.figure(kernel.milliseconds), factor(kernel.step),
                                    factor(kernel.total)};
            rows.push_back(std::move(row));
        }
        return rows;
    }

    f32 tableWidth(const std::vector<Measured>& rows) const {
        f32 longest = 0;
        for (const Measured& row : rows)
            longest = std::max(longest, canvas_.width(row.name, {.size = type::kCode}));
        return longest + 12 + kNumber * (facts_ ? 6 : 3);
    }

    void drawTable(const Rect& place, const std::vector<Measured>& rows) {
        const bool isTimed = facts_.has_value();
        const f32 numbers = kNumber * (isTimed ? 6 : 3), names = place.width - numbers;
        f32 y = place.y + 9;
        const TextStyle right{.size = type::kCode, .mono = true, .align = Align::Right};
        TextStyle headStyle = right;
        headStyle.mono = false, headStyle.role = role(RoleKind::TextSecond);
        const catalog::Family& family = *in_.run.catalog->family;
        const auto edge = [&](u32 column) { return place.x + names + kNumber * f32(column + 1); };
        const std::string step = say(in_.language, kStep), total = say(in_.language, kTotal);
        const std::array<std::string, 6> heads{"ms", step, total, unit_, step, total};
        canvas_.textWithin({edge(0) - canvas_.width("ms", headStyle) - 12, y}, 3 * kNumber,
                           say(in_.language, kPublishedHead), {.size = type::kCode, .bold = true});
        if (isTimed)
            canvas_.textWithin({edge(3) - canvas_.width(unit_, headStyle) - 12, y}, 3 * kNumber,
                               facts_->machine->recording.device, {.size = type::kCode, .bold = true});
        y += kRow - 4;
        for (u32 column = 0; column < (isTimed ? 6u : 3u); ++column)
            canvas_.text({edge(column), y}, heads[column], headStyle);
        y += kRow;
        canvas_.line({place.x, y - kRow / 2}, {place.right(), y - kRow / 2}, {role(RoleKind::Line)});
        for (const Measured& row : rows) {
            if (y + kRow > place.bottom() - 4 * kRow) break;
            canvas_.textWithin({place.x, y}, names - 8, row.name, {.size = type::kCode});
            for (u32 column = 0; column < (isTimed ? 6u : 3u); ++column)
                canvas_.text({edge(column), y}, column < 3 ? row.published[column] : row.here[column - 3],
                             right);
            y += kRow;
        }
        std::vector<std::string> notes{say(in_.language, kPublished, family.publishedOn.in(in_.language))};
        if (isTimed) {
            std::string size;
            for (const auto& [name, value] : facts_->sizes[facts_->size])
                size += fmt::format("{}{} = {}", size.empty() ? "" : listComma(in_.language), name, value);
            notes.push_back(say(in_.language, facts_->isTheRuns ? kMachine : kMachineNearest,
                                facts_->machine->recording.device, size));
        }
        notes.push_back(say(in_.language, kSpeedups));
        if (isTimed) notes.push_back(say(in_.language, kOwnSizes));
        y += 4;
        for (const std::string& note : notes) {
            constexpr f32 kLine = 18;
            y += kLine * f32(canvas_.paragraph({place.x, y}, place.width, note, kSmall, kLine / kSmall.size));
        }
    }

    const ViewInput& in_;
    const ChartOptions& options_;
    const u64 elements_;
    TreeCost each_, few_;
    Canvas canvas_;
    std::optional<run::TimesFacts> facts_;
    std::string unit_;
};

}  // namespace

bool hasCostPage(const run::Run& run) {
    return run.catalog && run.catalog->family && run.catalog->family->stage == "reduction" &&
           run.catalog->values.contains("n");
}

Scene buildCostPage(const ViewInput& in, const ChartOptions& options) { return Page(in, options).draw(); }

}  // namespace lockstep::viz
