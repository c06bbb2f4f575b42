#include "viz/stages/reduction/close_additions.h"

#include "base/text/punctuation.h"
#include "base/text/words.h"
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/parts/warp_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kWhatWarpAdds = english("Warp {0}, round {1}");
constexpr Words kAddsNothing = english("Warp {0} adds nothing in round {1}.");
constexpr Words kMoreAdditions = english("{0} more");
constexpr Words kMoreHover =
    english("{0} of this warp's {1} additions fit here; the cursor's lane is always among them.");
constexpr Words kThreadI = english("thread {0}");  // "thread i"
constexpr Words kPlusThread = english("+ thread {0}");
constexpr Words kAndThread = english("and thread {0}");
constexpr Words kTheOther = english("+ the other");
constexpr Words kTheSum = english("= sum");
// Where no sums are made, but maxima and the like.
constexpr Words kCombinesNothing = english("Warp {0} combines nothing in round {1}.");
constexpr Words kAndPlace = english("and {0}");
constexpr Words kAndOther = english("and the other");
constexpr Words kNewValue = english("= new value");

// "partial[i+64]", where that holds for all.
std::string otherName(const ReductionFacts& facts, const std::vector<const Addition*>& additions,
                      Language language) {
    std::set<s64> strides;
    for (const Addition* addition : additions)
        strides.insert(s64(addition->from.front().place) - s64(addition->to));
    if (strides.size() != 1) return say(language, facts.isSum ? kTheOther : kAndOther);
    const s64 stride = *strides.begin();
    if (facts.isByThread)
        return say(language, facts.isSum ? kPlusThread : kAndThread,
                   fmt::format("i{}{}", stride < 0 ? "-" : "+", std::abs(stride)));
    const std::string place =
        fmt::format("{}[i{}{}]", facts.array.name, stride < 0 ? "-" : "+", std::abs(stride));
    return facts.isSum ? "+ " + place : say(language, kAndPlace, place);
}

}  // namespace

void CloseAdditions::draw(Canvas& canvas, const Rect& area, f32 labels) const {
    constexpr f32 kHead = 20, kRow = 22;
    const Warp warp = in.cursor.warp;
    std::vector<const Addition*> mine;
    for (const Addition& addition : facts.rounds[round])
        if (addition.warp == warp && addition.from.size() == 1 && (addition.isUsed || !facts.isByThread))
            mine.push_back(&addition);
    canvas.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Line)});
    const TextStyle title{.size = type::kCode, .bold = true},
        label{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)};
    const f32 top = area.y + kHead;
    if (!facts.adds(round))
        return (void)canvas.textWithin(
            {area.x, top}, area.width, formulaOf(facts, round, facts.rounds[round].front(), in.language),
            {.size = type::kCode, .mono = true, .role = role(RoleKind::TextSecond)});
    if (mine.empty())
        return (void)canvas.textWithin({area.x, top}, area.width,
                                       say(in.language, facts.isSum ? kAddsNothing : kCombinesNothing,
                                           warp.value, facts.numberOf(round)),
                                       {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    std::ranges::sort(mine, {}, [](const Addition* addition) { return addition->lane.value; });
    const std::string head = say(in.language, kWhatWarpAdds, warp.value, facts.numberOf(round));
    canvas.textWithin({area.x, area.y + kHead / 2 - 1}, labels - 10, head,
                      shrunkToFit(canvas, labels - 10, title, head));
    const std::string names[] = {
        facts.isByThread ? say(in.language, kThreadI, "i") : facts.array.name + "[i]",
        otherName(facts, mine, in.language), say(in.language, facts.isSum ? kTheSum : kNewValue)};
    for (u32 row = 0; row < 3; ++row)
        canvas.textWithin({area.x, top + (f32(row) + 0.5f) * kRow}, labels - 10, names[row], label);

    // Columns as narrow as the longest value lets them be; where not all have room, those around the cursor's
    // lane.
    const auto text = [&](f64 value) { return explain::numberText(value, facts.isFloat, 6); };
    const auto ownOf = [&](const Addition& a) {
        return a.own ? text(a.own->value) : std::string();
    };  // nothing where it is replaced
    const TextStyle digits{.size = type::kCode, .mono = true, .align = Align::Centre};
    constexpr f32 kAround = 12;  // the cursor's frame stands between a number and those beside it
    f32 wide = 24;
    for (const Addition* a : mine)
        for (const std::string& value : {ownOf(*a), text(a->from.front().value), text(a->sum),
                                         std::to_string(facts.placeIn(round + 1, a->to))})
            wide = std::max(wide, canvas.width(value, digits) + kAround);
    const f32 room = area.width - labels;
    constexpr f32 kNote = 64;  // where not all have room, how many are left out
    std::size_t count = std::min(mine.size(), std::max<std::size_t>(1, std::size_t(room / wide)));
    if (count < mine.size()) {
        count = std::max<std::size_t>(1, std::size_t((room - kNote) / wide));
        const f32 x = area.x + labels + f32(count) * wide + 8;
        canvas.textWithin({x, top + 1.5f * kRow}, area.right() - x,
                          say(in.language, kMoreAdditions, mine.size() - count),
                          {.size = type::kAxis, .role = role(RoleKind::TextSecond)});
        canvas.hit({x, top, area.right() - x, 3 * kRow},
                   {.hover = say(in.language, kMoreHover, count, mine.size())});
    }
    const auto own = std::ranges::find_if(mine, [&](const Addition* a) { return a->lane == in.cursor.lane; });
    const std::size_t at = own == mine.end() ? 0 : std::size_t(own - mine.begin()),
                      first = firstAround(at, count, mine.size());
    std::optional<Rect> ours;
    for (std::size_t i = first; i < first + count; ++i) {
        const Addition& a = *mine[i];
        const f32 x = area.x + labels + f32(i - first) * wide;
        const bool done = a.order < order || (a.order == order && in.motion >= 1);
        const bool isOurs = a.lane == in.cursor.lane;
        canvas.text({x + wide / 2, area.y + kHead / 2 - 1}, std::to_string(facts.placeIn(round + 1, a.to)),
                    {.size = type::kAxis,
                     .bold = isOurs,
                     .mono = true,
                     .align = Align::Centre,
                     .role = role(isOurs ? RoleKind::Text : RoleKind::TextThird)});
        const auto cell = [&](u32 row) { return Rect{x + 0.5f, top + f32(row) * kRow, wide - 1, kRow - 2}; };
        // Pale: what the lane makes is not part of the result.
        const Role fill = warpRole(warp, a.lane, lanes, a.isUsed ? 1.0f : WarpColumns::kInVainAlpha);
        const auto value = [&](u32 row, const std::string& shown, Role ground) {
            valueCell(canvas, cell(row), ground);
            TextStyle style = digits;
            style.role = ground.kind == RoleKind::Raised || !a.isUsed ? role(RoleKind::Text) : inkOn(ground);
            canvas.text(cell(row).centre(), shown, style);
        };
        if (a.own) value(0, ownOf(a), role(RoleKind::Raised));
        value(1, text(a.from.front().value), role(RoleKind::Raised));
        if (done)
            value(2, text(a.sum), fill);
        else
            canvas.rect(cell(2).inset(0.5f), {.stroke = {fill, 1, Dash::Dashed}, .radius = 2});
        Cursor go = in.cursor;
        go.lane = a.lane, go.step = a.step;
        const Rect column{x, area.y, wide, kHead + 3 * kRow};
        std::string formula = formulaOf(facts, round, a, in.language);
        if (!a.isUsed) formula += fullStop(in.language) + say(in.language, kNotInResult);
        canvas.hit(column, {.hover = std::move(formula), .go = go});
        if (isOurs) ours = Rect{x + 2, top, wide - 4, 3 * kRow - 1};
    }
    if (ours) cursorBox(canvas, *ours, radius::kControl);  // last: no neighbor covers it
}

}  // namespace lockstep::viz
