#include "viz/stages/reduction/own_elements.h"

#include "base/text/counted.h"
#include "base/text/words.h"
#include "explain/numbers.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/stages/reduction/fold_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::viz {
namespace {

using explain::OwnElement, explain::OwnSum;

constexpr Words kAdds = english("Thread {0} adds {1} {1:element|elements} of {2}; {3} of them so far.");
constexpr Words kAddsApart =
    english("Thread {0} adds {1} {1:element|elements} of {2}, {4} apart; {3} of them so far.");
constexpr Words kCombines =
    english("Thread {0} combines {1} {1:element|elements} of {2}; {3} of them so far.");

// Of the elements one by one, where not all have room; and the sum of those taken.
constexpr Words kElementsBefore = english("{0} before …");
constexpr Words kElementsAfter = english("… {0} more");
constexpr Words kSoFar = english("so far = {0}");

constexpr Words kRowOfBuffer = english("row {0}");
constexpr Words kWholeBuffer = english("{0}: {1} {1:element|elements}");

const OwnSum* ownOfCursor(const ViewInput& in, const explain::ReductionFacts& facts) {
    return explain::ownSumOf(facts, in.cursor.warp, in.cursor.lane);
}

// How far apart they lie, where that is as far for all.
std::optional<s64> distanceOf(const OwnSum& own) {
    std::set<s64> places, distances;
    for (const OwnElement& e : own.elements)
        places.insert(e.element);
    for (auto at = places.begin(); at != places.end() && std::next(at) != places.end(); ++at)
        distances.insert(*std::next(at) - *at);
    return distances.size() == 1 && places.size() > 2 ? std::optional(*distances.begin()) : std::nullopt;
}

// Of a matrix those of its rows that have room, around the one that the thread begins in; anything else is
// one row.
struct BufferRows {
    u64 columns = 1, first = 0, count = 1;
    bool isMatrix = false;
};
constexpr u64 kMostRows = 6;
constexpr f32 kBar = 14, kRowOfMatrix = 10;

BufferRows rowsOf(const Buffer& buffer, s64 element) {
    const u64 all = std::max<u64>(1, buffer.count());
    if (buffer.shape.size() != 2 || buffer.shape[0] < 2 || buffer.shape[1] == 0) return {.columns = all};
    const u64 columns = buffer.shape[1], count = std::min(buffer.shape[0], kMostRows),
              row = u64(std::max<s64>(0, element)) / columns;
    return {columns, firstAround(row, count, buffer.shape[0]), count, true};
}

f32 barsTall(const BufferRows& rows) { return rows.isMatrix ? f32(rows.count) * kRowOfMatrix : kBar; }

}  // namespace

f32 OwnElements::heightOf(const ViewInput& in, const explain::ReductionFacts& facts) {
    for (const OwnSum& own : facts.own)
        if (!own.elements.empty()) {
            const OwnElement& first = own.elements.front();
            return kHeight - kBar + barsTall(rowsOf(in.run.recording.initial[first.buffer], first.element));
        }
    return kHeight;
}

std::string ownSentenceOf(const ViewInput& in, const explain::ReductionFacts& facts, u32 order) {
    const OwnSum* own = ownOfCursor(in, facts);
    if (!own || own->elements.size() < 2) return {};
    const auto taken =
        std::ranges::count_if(own->elements, [&](const OwnElement& e) { return e.order <= order; });
    const std::string& buffer = in.run.recording.initial[own->elements.front().buffer].name;
    const u32 thread = in.cursor.warp.value * kWarpSize + in.cursor.lane.value;
    const std::optional<s64> distance = distanceOf(*own);
    return say(in.language,
               !facts.isSum                ? kCombines
               : distance && *distance > 1 ? kAddsApart
                                           : kAdds,
               thread, own->elements.size(), buffer, taken, distance.value_or(0));
}

void OwnElements::draw(Canvas& canvas, const Rect& area) const {
    constexpr f32 kTitle = 12;
    const OwnSum* own = ownOfCursor(in, facts);
    canvas.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Line)});
    if (!own) return;
    const Buffer& buffer = in.run.recording.initial[own->elements.front().buffer];
    const BufferRows rows = rowsOf(buffer, own->elements.front().element);
    const TextStyle title{.size = type::kCode, .bold = true};
    const std::string said = ownSentenceOf(in, facts, order);
    canvas.textWithin({area.x, area.y + kTitle}, area.width, said,
                      shrunkToFit(canvas, area.width, title, said));

    // The whole buffer, with what each warp of the block takes of it, and the thread's own.
    const TextStyle label{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const f32 labels =
        rows.isMatrix ? canvas.width(say(in.language, kRowOfBuffer, rows.first + rows.count - 1), label) + 8
                      : 0;
    const Rect bars{area.x + labels, area.y + 2 * kTitle, area.width - labels, barsTall(rows)};
    const f32 rowTall = bars.height / f32(rows.count), tall = rows.isMatrix ? rowTall - 2 : rowTall;
    // What of the elements from first to end lies in a row that is shown.
    const auto forEachBox = [&](s64 first, s64 end, f32 least, auto&& draw) {
        for (u64 row = rows.first; row < rows.first + rows.count; ++row) {
            const s64 from = std::max(first, s64(row * rows.columns)),
                      to = std::min(end, s64((row + 1) * rows.columns));
            if (from >= to) continue;
            const auto at = [&](s64 element) {
                return bars.x + f32(f64(element - s64(row * rows.columns)) / f64(rows.columns)) * bars.width;
            };
            const f32 x = std::min(at(from), bars.right() - least);
            draw(Rect{x, bars.y + f32(row - rows.first) * rowTall, std::max(least, at(to) - at(from)), tall});
        }
    };
    for (u64 row = rows.first; row < rows.first + rows.count; ++row) {
        const Rect whole{bars.x, bars.y + f32(row - rows.first) * rowTall, bars.width, tall};
        canvas.rect(whole, {.fill = role(RoleKind::Inactive)});
        if (rows.isMatrix)
            canvas.text({area.x, whole.centre().y}, say(in.language, kRowOfBuffer, row), label);
    }
    f32 drawn = -1, drawnAt = -1;  // a warp's runs closer than half a pixel are one
    std::optional<Warp> last;
    for (const explain::OwnRun& run : facts.ownRuns) {
        if (run.buffer != own->elements.front().buffer) continue;
        forEachBox(run.first, run.end, 0.5f, [&](const Rect& box) {
            if (last == run.warp && box.y == drawnAt && box.right() < drawn + 0.5f) return;
            canvas.rect(box, {.fill = warpRole(run.warp)});
            drawn = box.right(), drawnAt = box.y, last = run.warp;
        });
    }
    for (const OwnElement& e : own->elements)
        forEachBox(e.element, e.element + 1, 3, [&](const Rect& box) {
            const f32 beyond = rows.isMatrix ? 1.0f : 2.0f;
            canvas.rect({box.x, box.y - beyond, box.width, box.height + 2 * beyond},
                        {.fill = isTakenBy(e) ? role(RoleKind::Text) : role(RoleKind::Ground),
                         .stroke = {role(RoleKind::Text)}});
        });
    canvas.hit(bars, {.hover = say(in.language, kWholeBuffer, buffer.name, grouped(buffer.count()))});

    drawOneByOne(canvas, {area.x, bars.bottom() + 10, area.width, 22}, *own, buffer.name);
}

// Its elements in the order in which it takes them: those around the next one, how many come before and after
// these, and the sum of what it has taken.
void OwnElements::drawOneByOne(Canvas& canvas, const Rect& row, const OwnSum& own,
                               const std::string& buffer) const {
    const TextStyle name{.size = type::kCode, .mono = true, .align = Align::Centre};
    const TextStyle sum{.size = type::kCode, .bold = true, .mono = true};
    const TextStyle more{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const auto isTaken = [&](const OwnElement& e) { return isTakenBy(e); };
    const auto nameOf = [&](const OwnElement& e) { return fmt::format("{}[{}]", buffer, e.element); };
    const std::size_t all = own.elements.size(),
                      taken = std::size_t(std::ranges::count_if(own.elements, isTaken));
    const auto sumOf = [&](const OwnElement& e) {
        const std::string value = explain::numberText(e.sum, facts.isFloat);
        return taken < all ? say(in.language, kSoFar, value) : "= " + value;
    };
    f32 wide = 40, widest = 40;
    for (const OwnElement& e : own.elements) {
        wide = std::max(wide, canvas.width(nameOf(e), name) + 12);
        widest = std::max(widest, canvas.width(sumOf(e), sum));
    }
    constexpr f32 kGap = 8;
    f32 room = row.width - widest - 2 * kGap;
    const bool isCut = f32(all) * wide > room;
    const f32 notes = isCut ? canvas.width(say(in.language, kElementsBefore, all), more) +
                                  canvas.width(say(in.language, kElementsAfter, all), more) + 2 * kGap
                            : 0;
    room -= notes;
    const std::size_t count = std::min(all, std::size_t(std::max(1.0f, room / wide))),
                      first = firstAround(taken, count, all), after = all - first - count;
    f32 x = row.x;
    if (first > 0)
        x += canvas.text({x, row.centre().y}, say(in.language, kElementsBefore, first), more) + kGap;
    for (std::size_t i = first; i < first + count; ++i, x += wide) {
        const OwnElement& e = own.elements[i];
        const Rect cell{x + 1, row.y, wide - 3, row.height};
        const Role fill = isTaken(e) ? warpRole(own.warp) : role(RoleKind::Ground);
        canvas.rect(cell, {.fill = fill,
                           .stroke = isTaken(e) ? Stroke{} : Stroke{role(RoleKind::Edge), 1, Dash::Dotted},
                           .radius = 2});
        TextStyle style = name;
        style.role = isTaken(e) ? inkOn(fill) : role(RoleKind::TextSecond);
        canvas.text(cell.centre(), nameOf(e), style);
        Cursor go = in.cursor;
        go.step = e.step;
        canvas.hit(cell, {.hover = elementHover(in, facts, own, e), .go = go});
    }
    x += kGap;
    if (after > 0)
        x += canvas.text({x, row.centre().y}, say(in.language, kElementsAfter, after), more) + kGap;
    if (taken > 0) canvas.text({x, row.centre().y}, sumOf(own.elements[taken - 1]), sum);
}

}  // namespace lockstep::viz
