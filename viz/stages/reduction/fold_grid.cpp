#include "viz/stages/reduction/fold_grid.h"

#include "base/text/words.h"
#include "explain/numbers.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/parts/first_around.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep::viz {
namespace {

using explain::OwnElement, explain::OwnSum, explain::ReductionFacts;

constexpr Words kElementHover = english("Thread {2} takes {0}[{1}]; its result so far is {3}.");
constexpr Words kTurn = english("of a thread's elements", "no. {0} of {1}");
// Of the rows, where not all have room.
constexpr Words kTurnsShown = english("elements {0}–{1} of {2}");
constexpr Words kTurnsShownBrief = english("of a thread's elements", "{0}–{1} of {2}");

u32 threadOf(const OwnSum& own) { return own.warp.value * kWarpSize + own.lane.value; }

std::size_t turnsOf(const ReductionFacts& facts) {
    std::size_t most = 0;
    for (const OwnSum& own : facts.own)
        most = std::max(most, own.elements.size());
    return most;
}

// How far the element of a turn lies from the thread's number, where that is as far for all threads.
std::optional<s64> offsetOf(const ReductionFacts& facts, std::size_t turn) {
    std::optional<s64> offset;
    std::optional<u32> buffer;
    for (const OwnSum& own : facts.own) {
        if (turn >= own.elements.size()) continue;
        const OwnElement& e = own.elements[turn];
        const s64 here = e.element - s64(threadOf(own));
        if ((offset && *offset != here) || (buffer && *buffer != e.buffer)) return std::nullopt;
        offset = here, buffer = e.buffer;
    }
    return offset;
}

}  // namespace

std::string elementHover(const ViewInput& in, const ReductionFacts& facts, const OwnSum& own,
                         const OwnElement& element) {
    return say(in.language, kElementHover, in.run.recording.initial[element.buffer].name,
               std::to_string(element.element), threadOf(own),
               explain::numberText(element.sum, facts.isFloat));
}

f32 FoldGrid::heightOf(const ReductionFacts& facts) {
    const std::size_t turns = turnsOf(facts);
    return turns < 2 ? 0 : f32(std::min<std::size_t>(turns, kMostRows)) * kRow + kBelow;
}

bool FoldGrid::draw(Canvas& canvas, f32 top, f32 labels) const {
    const auto isTaken = [&](const OwnElement& e) {
        return e.order < order || (e.order == order && in.motion >= 1);
    };
    // Those rows around the next turn of the cursor's thread.
    const std::size_t turns = turnsOf(facts), count = std::min<std::size_t>(turns, kMostRows);
    const OwnSum* ours = explain::ownSumOf(facts, in.cursor.warp, in.cursor.lane);
    const std::size_t taken = ours ? std::size_t(std::ranges::count_if(ours->elements, isTaken)) : 0,
                      first = firstAround(taken, count, turns);
    std::map<std::pair<u32, u32>, u64> places;  // by warp and lane
    for (const explain::Loaded& l : facts.start)
        places[{l.warp.value, l.lane.value}] = l.place;
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    for (std::size_t turn = first; turn < first + count; ++turn) {
        const std::optional<s64> offset = offsetOf(facts, turn);
        const Point at{left - labels, top + (f32(turn - first) + 0.5f) * kRow};
        const auto some =
            std::ranges::find_if(facts.own, [&](const OwnSum& own) { return turn < own.elements.size(); });
        const std::string& buffer = in.run.recording.initial[some->elements[turn].buffer].name;
        canvas.textWithin(at, labels - 10,
                          !offset        ? say(in.language, kTurn, turn + 1, turns)
                          : *offset == 0 ? fmt::format("{}[i]", buffer)
                                         : fmt::format("{}[i{:+}]", buffer, *offset),
                          {.size = style.size, .mono = offset.has_value(), .role = style.role});
    }
    if (count < turns) {
        const Point at{left - labels, top + f32(count) * kRow + kBelow + 5};
        canvas.textWithin(at, labels - 10,
                          firstFitting(canvas, labels - 10, style,
                                       {say(in.language, kTurnsShown, first + 1, first + count, turns),
                                        say(in.language, kTurnsShownBrief, first + 1, first + count, turns)}),
                          style);
    }
    bool isDrawn = false;
    std::optional<Rect> box;
    for (const OwnSum& own : facts.own) {
        const auto place = places.find({own.warp.value, own.lane.value});
        if (place == places.end()) continue;
        const f32 from = std::max(origin + f32(place->second) * cell, left),
                  to = std::min(origin + f32(place->second + 1) * cell, right);
        if (from >= to) continue;
        const f32 gap = cell > 8 ? 1.0f : cell > 4 ? 0.5f : 0.0f;
        const u32 lanes = explain::lanesOf(*here.block, own.warp);
        for (std::size_t turn = first; turn < std::min(first + count, own.elements.size()); ++turn) {
            const OwnElement& e = own.elements[turn];
            const Rect area{from, top + f32(turn - first) * kRow, to - from, kRow};
            canvas.rect({area.x + gap, area.y + 1, std::max(1.0f, area.width - 2 * gap), kRow - 2},
                        isTaken(e) ? RectStyle{.fill = warpRole(own.warp, own.lane, lanes)} : kNotTaken);
            Cursor go = in.cursor;
            go.warp = own.warp, go.lane = own.lane, go.step = e.step;
            canvas.hit(area, {.hover = elementHover(in, facts, own, e), .go = go});
            isDrawn = true;
        }
        if (own.warp == in.cursor.warp && own.lane == in.cursor.lane)
            box =
                Rect{from, top, std::max(4.0f, to - from), f32(std::min(count, own.elements.size())) * kRow};
    }
    if (box) cursorBox(canvas, *box, 3);
    return isDrawn;
}

}  // namespace lockstep::viz
