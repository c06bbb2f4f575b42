#include "viz/parts/exchange_strip.h"

#include "base/text/words.h"
#include "explain/sentences/lane_lists.h"
#include "viz/access/register_text.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

using explain::LaneExchange;
using Kind = LaneExchange::Kind;

constexpr Words kTakes = english("{0}: lane {1} takes {2} from lane {3}");
constexpr Words kKeeps = english("{0}: lane {1} keeps its own {2}");
constexpr Words kBallot = english("{0}: {1} of {2} {2:lane votes|lanes vote} true; each gets {3}");
constexpr Words kVote = english("{0}: {1} of {2} {2:lane votes|lanes vote} true, so each gets {3}");
constexpr Words kVotesInGroups =
    english("{0}: {1} of {2} {2:lane votes|lanes vote} true, in {3} separate groups");
constexpr Words kMatches = english("{0}: {1} {1:lane has|lanes have} the value of lane {2}: {3}");
constexpr Words kReduces = english("{0}: each of {1} {1:lane|lanes} gets {2}");
constexpr Words kReducesInGroups = english("{0}: {1} {1:lane reduces|lanes reduce} in {2} separate groups");
constexpr Words kTakesPart = english("{0}: {1} {1:lane|lanes}");
constexpr Words kBefore = english("of a lane's value", "before");
constexpr Words kAfter = english("of a lane's value", "after");
constexpr Words kInactiveHover = english("Lane {0} is inactive here.");
constexpr Words kBeforeHover = english("Lane {0} before: {1}");
constexpr Words kAfterHover = english("Lane {0} after: {1}");
constexpr Words kAfterHoverFrom = english("Lane {0} after: {1}, taken from lane {2}");

constexpr u32 kCharacters = 8;
constexpr f32 kNumbers = 13, kRow = 18;

std::string maskText(u64 bits) { return fmt::format("0x{:08x}", bits); }
// What the lanes get is a mask of lanes.
bool holdsMask(const LaneExchange& exchange) {
    return exchange.kind == Kind::Match ||
           (exchange.kind == Kind::Vote && exchange.received.type != ptx::Type::Pred);
}

struct Drawing {
    const ExchangeStrip& strip;
    Canvas& canvas;
    const LaneExchange& exchange;
    f32 left = 0, pitch = 0, top = 0, bottom = 0;  // of the cells: where the rows begin

    Rect cell(Lane lane, bool isAfter) const {
        return {left + f32(lane.value) * pitch, isAfter ? bottom : top, std::max(2.0f, pitch - 2), kRow};
    }
    bool isCursor(Lane lane) const { return lane == strip.in.cursor.lane; }
    Role color(Lane lane) const { return warpRole(strip.at.warp, lane, kWarpSize); }

    void way(Lane from, Lane to) const {
        const Point a{cell(from, false).centre().x, top + kRow + 1}, b{cell(to, true).centre().x, bottom - 1};
        const bool isOurs = isCursor(to);
        canvas.line(a, b, {isOurs ? role(RoleKind::Cursor) : color(from), isOurs ? line::kRead : line::kHair},
                    isOurs ? 7.0f : 4.0f);
    }
    // From the lanes of a set to one lane, or to all of another set: the cursor's own last, on top.
    template <class Visit> void cursorLast(LaneMask lanes, Visit&& visit) const {
        for (const Lane lane : lanes)
            if (!isCursor(lane)) visit(lane);
        if (lanes.has(strip.in.cursor.lane)) visit(strip.in.cursor.lane);
    }
    // One result in the middle between the rows: ways from those who make it, and to all who get it.
    void result(LaneMask makers, LaneMask getters, const std::string& text) const {
        const TextStyle style{.size = type::kCode, .bold = true, .mono = true, .align = Align::Centre};
        f32 middle = 0;
        for (const Lane lane : getters)
            middle += cell(lane, true).centre().x / f32(getters.count());
        const f32 wide = canvas.width(text, style) + 16, y = (top + kRow + bottom) / 2;
        const f32 from = left, to = left + 32 * pitch;
        middle = std::clamp(middle, from + wide / 2, std::max(from + wide / 2, to - wide / 2));
        const Rect box{middle - wide / 2, y - 9, wide, 18};
        const auto line = [&](Lane lane, bool isIn) {
            const f32 x = cell(lane, !isIn).centre().x,
                      end = std::clamp(x, box.x + 6, std::max(box.x + 6, box.right() - 6));
            const bool isOurs = isCursor(lane);
            const Stroke stroke{isOurs ? role(RoleKind::Cursor) : color(lane),
                                isOurs ? line::kRead : line::kHair};
            if (isIn)
                canvas.line({x, top + kRow + 1}, {end, box.y}, stroke);
            else
                canvas.line({end, box.bottom()}, {x, bottom - 1}, stroke, isOurs ? 7.0f : 4.0f);
        };
        cursorLast(makers, [&](Lane lane) { line(lane, true); });
        cursorLast(getters, [&](Lane lane) { line(lane, false); });
        canvas.rect(
            box,
            {.fill = role(RoleKind::Raised), .stroke = {role(RoleKind::Edge)}, .radius = radius::kControl});
        canvas.text(box.centre(), text, style);
    }
};

}  // namespace

namespace {

// ValueCell::row, apart from those of rounds.
constexpr u32 kRowOfValues = 1000;

}  // namespace

std::string ExchangeStrip::title() const {
    const Language l = in.language;
    const auto text = [&](const explain::LaneRegister& r, Lane lane) {
        return registerText(in.run, at.launch, r, lane, kCharacters, l);
    };
    const Lane lane = exchange.active.has(in.cursor.lane) ? in.cursor.lane : exchange.active.lowest();
    const int active = exchange.active.count();
    if (active == 0 || exchange.isPart || !exchange.received.values.known.has(lane))
        return say(l, kTakesPart, exchange.function, active);
    const std::string got = text(exchange.received, lane);
    switch (exchange.kind) {
        case Kind::Shuffle:
            return exchange.takers.has(lane)
                       ? say(l, kTakes, exchange.function, lane.value, got, exchange.from[lane.value])
                       : say(l, kKeeps, exchange.function, lane.value, got);
        case Kind::Vote: {
            int yes = 0;
            for (const Lane voter : exchange.active)
                yes += exchange.given.values.bits[voter.value] != 0;
            if (exchange.groups.size() > 1)
                return say(l, kVotesInGroups, exchange.function, yes, active, exchange.groups.size());
            const bool isBallot = holdsMask(exchange);
            return say(l, isBallot ? kBallot : kVote, exchange.function, yes, active,
                       isBallot ? maskText(exchange.received.values.bits[lane.value]) : got);
        }
        case Kind::Match: {
            const LaneMask same{u32(exchange.received.values.bits[lane.value])};
            return say(l, kMatches, exchange.function, same.count(), lane.value,
                       explain::lanesInBrief(same, l));
        }
        case Kind::Reduction:
            return exchange.groups.size() > 1
                       ? say(l, kReducesInGroups, exchange.function, active, exchange.groups.size())
                       : say(l, kReduces, exchange.function, active, got);
    }
    return {};
}

void ExchangeStrip::draw(Canvas& canvas, const Rect& area) const {
    const Language l = in.language;
    const TextStyle label{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const std::string before = say(l, kBefore), after = say(l, kAfter);
    const f32 labels = std::max(canvas.width(before, label), canvas.width(after, label)) + 10;
    Drawing drawing{*this, canvas, exchange};
    drawing.left = area.x + space::kInset + labels;
    drawing.pitch = (area.right() - space::kInset - drawing.left) / f32(kWarpSize);
    drawing.top = area.y + kNumbers;
    drawing.bottom = area.bottom() - kRow;
    if (drawing.pitch < 4 || drawing.bottom < drawing.top + kRow + 12) return;
    canvas.text({area.x + space::kInset, drawing.top + kRow / 2}, before, label);
    canvas.text({area.x + space::kInset, drawing.bottom + kRow / 2}, after, label);

    const auto known = [&](const explain::LaneRegister& r, Lane lane) {
        return exchange.active.has(lane) && r.values.known.has(lane);
    };
    const TextStyle number{
        .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextThird)};
    const u32 everyLane = drawing.pitch >= canvas.width("31", number) + 4 ? 1 : 4;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const Lane lane{i};
        if (i % everyLane == 0)
            canvas.text({drawing.cell(lane, false).centre().x, area.y + kNumbers / 2}, std::to_string(i),
                        number);
        for (const bool isAfter : {false, true}) {
            const explain::LaneRegister& r = isAfter ? exchange.received : exchange.given;
            const Rect box = drawing.cell(lane, isAfter);
            std::string hover = say(l, kInactiveHover, i);
            if (known(r, lane)) {
                const bool isMask = isAfter && holdsMask(exchange);
                const std::string value = exchange.isPart || isMask
                                              ? maskText(r.values.bits[i])
                                              : registerText(in.run, at.launch, r, lane, kCharacters, l);
                canvas.cell({.rect = box,
                             .of = ValueCell::Of::Thread,
                             .at = at.warp.value * kWarpSize + i,
                             .row = kRowOfValues + isAfter,
                             .value = f64(r.values.bits[i])});
                const bool isTaken = isAfter && exchange.takers.has(lane);
                hover = isTaken ? say(l, kAfterHoverFrom, i, value, exchange.from[i])
                                : say(l, isAfter ? kAfterHover : kBeforeHover, i, value);
                const bool isFalse = r.type == ptx::Type::Pred && r.values.bits[i] == 0;
                const Role fill = isFalse ? role(RoleKind::Raised)
                                  : isAfter && exchange.takers.has(lane)
                                      ? drawing.color(Lane{exchange.from[i]})
                                      : drawing.color(lane);
                const bool hasText = r.type != ptx::Type::Pred && !exchange.isPart && !isMask;
                valueCell(canvas, box, fill, hasText ? value : std::string());
            } else {
                canvas.rect(box, {.fill = role(RoleKind::Inactive), .radius = 2});
            }
            Cursor go = at;
            go.lane = lane;
            canvas.hit(box, {.hover = std::move(hover), .go = go});
        }
    }
    if (exchange.kind == Kind::Shuffle) {
        drawing.cursorLast(exchange.active,
                           [&](Lane lane) { drawing.way(Lane{exchange.from[lane.value]}, lane); });
    } else if (exchange.kind == Kind::Match) {
        const Lane lane = in.cursor.lane;
        if (known(exchange.received, lane))
            for (const Lane same : LaneMask{u32(exchange.received.values.bits[lane.value])})
                drawing.way(same, lane);
    } else {
        for (const LaneMask group : exchange.groups) {
            const Lane any = group.lowest();
            if (!known(exchange.received, any)) continue;
            LaneMask makers = group;
            if (exchange.kind == Kind::Vote)
                for (const Lane lane : group)
                    if (exchange.given.values.bits[lane.value] == 0) makers = makers & ~LaneMask::of(lane);
            drawing.result(makers, group,
                           holdsMask(exchange)
                               ? maskText(exchange.received.values.bits[any.value])
                               : registerText(in.run, at.launch, exchange.received, any, kCharacters, l));
        }
    }
    if (exchange.active.has(in.cursor.lane))
        for (const bool isAfter : {false, true})
            cursorBox(canvas, drawing.cell(in.cursor.lane, isAfter), 2);
}

}  // namespace lockstep::viz
