#include "viz/parts/queue_strip.h"

#include "base/text/words.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"
#include "viz/phrases.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

using explain::AtomicQueue;

constexpr Words kOneAddress = english("{0}: {1} {1:lane|lanes} at one address, one after another");
constexpr Words kOwnAddresses = english("{0}: {1} {1:lane|lanes}, each at its own address");
constexpr Words kAddresses =
    english("{0}: {1} {1:lane|lanes} at {2} {2:address|addresses}, at most {3} each");
constexpr Words kLanes = english("{0} {0:lane|lanes}");
constexpr Words kMoreAddresses = english("{0} more {0:address|addresses} with {1} {1:lane|lanes}");
constexpr Words kNoOrder = english("in any order");
constexpr Words kNoOrderHover =
    english("The order of the lanes is not recorded; hardware does not define it.");
constexpr Words kBeforeHover = english("{0} before: {1}");
constexpr Words kAfterHover = english("{0} after: {1}");

constexpr f32 kRow = 24, kLeastRow = 20 /* where that shows more of them */, kToken = 24, kApart = 10,
              kHigh = 18;
constexpr u32 kCharacters = 8;

}  // namespace

std::string QueueStrip::title() const {
    std::size_t lanes = 0, most = 0;
    for (const AtomicQueue& queue : queues)
        lanes += queue.lanes.size(), most = std::max(most, queue.lanes.size());
    const std::string name = atomic.facts().function();
    if (queues.size() == 1) return say(in.language, kOneAddress, name, lanes);
    return most == 1 ? say(in.language, kOwnAddresses, name, lanes)
                     : say(in.language, kAddresses, name, lanes, queues.size(), most);
}

void QueueStrip::draw(Canvas& canvas, const Rect& area) const {
    const Language l = in.language;
    const CursorContext here = lookUp(in.run, at);
    const Launch& launch = launchOf(in.run, at.launch);
    const f32 pitch = f32(queues.size()) * kRow <= area.height ? kRow : kLeastRow;
    const u32 rows = std::min(u32(queues.size()), u32(area.height / pitch));
    // The longest; the cursor's lane's in any case.
    std::vector<const AtomicQueue*> shown;
    const auto hasCursor = [&](const AtomicQueue& queue) {
        return std::ranges::find(queue.lanes, in.cursor.lane) != queue.lanes.end();
    };
    for (u32 i = 0; i < rows; ++i)
        shown.push_back(&queues[i]);
    const auto ours = std::ranges::find_if(queues, hasCursor);
    if (ours != queues.end() && !shown.empty() && u32(ours - queues.begin()) >= rows) shown.back() = &*ours;

    const TextStyle name{.size = type::kCode, .bold = true},
        value{.size = type::kCode, .mono = true, .align = Align::Centre},
        note{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    std::vector<std::string> names;
    f32 widest = 0;
    for (const AtomicQueue* queue : shown) {
        names.push_back(placesText(l, addressText(in, *here.warp, *here.access, queue->lanes.front())));
        widest = std::max(widest, canvas.width(names.back(), name));
    }
    widest = std::min(widest, area.width * 0.25f);
    // Of those without a row how many there are, behind the last one.
    std::size_t lanesOfMore = 0;
    for (const AtomicQueue& queue : queues)
        if (std::ranges::find(shown, &queue) == shown.end()) lanesOfMore += queue.lanes.size();
    const std::string more =
        lanesOfMore == 0 ? std::string() : say(l, kMoreAddresses, queues.size() - shown.size(), lanesOfMore);
    const f32 moreWide = more.empty() ? 0 : canvas.width(more, note) + 24;
    for (std::size_t row = 0; row < shown.size(); ++row) {
        const AtomicQueue& queue = *shown[row];
        const f32 y = area.y + (f32(row) + 0.5f) * pitch;
        f32 x = area.x + space::kInset;
        canvas.textWithin({x, y}, widest, names[row], name);
        x += widest + 12;
        const std::string tail = queue.lanes.size() > 1 && !queue.isOrdered
                                     ? say(l, kLanes, queue.lanes.size()) + ", " + say(l, kNoOrder)
                                     : say(l, kLanes, queue.lanes.size());
        const f32 tailWide = canvas.width(tail, note), right = area.right() - space::kInset - tailWide - 12 -
                                                               (row + 1 == shown.size() ? moreWide : 0);
        // What the word holds, before the first and after the last of them.
        const std::string first = queue.isOrdered ? atomic.oldValue(queue.lanes.front(), kCharacters) : "",
                          last = queue.isOrdered ? atomic.newValue(queue.lanes.back(), kCharacters) : "";
        const auto wordOf = [&](const std::string& text) {
            return text.empty() ? 0 : canvas.width(text, value) + 14;
        };
        const auto word = [&](const std::string& text, const Words& hover) {
            if (text.empty()) return;
            const Rect box{x, y - kHigh / 2, wordOf(text), kHigh};
            canvas.rect(
                box,
                {.fill = role(RoleKind::Raised), .stroke = {role(RoleKind::Edge)}, .radius = radius::kCell});
            canvas.text(box.centre(), text, value);
            canvas.hit(box, {.hover = say(l, hover, names[row], text)});
            x += box.width;
        };
        const auto arrow = [&] {
            canvas.line({x + 1, y}, {x + kApart - 1, y},
                        {role(RoleKind::Edge), queue.isOrdered ? 1.5f : line::kHair},
                        queue.isOrdered ? 4.0f : 0.0f);
            x += kApart;
        };
        word(first, kBeforeHover);
        const f32 room = right - x - wordOf(last) - kApart;
        const std::size_t fit = std::size_t(std::max(0.0f, room / (kToken + kApart)));
        const bool isCut = fit < queue.lanes.size();
        // Of a long queue the first ones, the number of those between, and the last.
        const std::size_t head = !isCut ? queue.lanes.size() : fit > 3 ? fit - 2 : 1;
        for (std::size_t i = 0; i < queue.lanes.size(); ++i) {
            if (i > 0 || !first.empty()) arrow();
            if (isCut && i == head && i + 1 < queue.lanes.size()) {
                const std::string between = "+" + std::to_string(queue.lanes.size() - head - 1);
                canvas.text({x + kToken / 2, y}, between, value);
                x += kToken;
                arrow();
                i = queue.lanes.size() - 1;
            }
            const Lane lane = queue.lanes[i];
            const Rect token{x, y - kHigh / 2, kToken, kHigh};
            valueCell(canvas, token, warpRole(at.warp, lane, kWarpSize), std::to_string(lane.value));
            if (lane == in.cursor.lane) cursorBox(canvas, token, radius::kCell);
            Cursor go = at;
            go.lane = lane;
            canvas.hit(token,
                       {.hover = say(l, message::kLaneUpdates, lane.value,
                                     coordinates(explain::threadOf(launch, at.warp, lane), launch.block),
                                     atomic.sentence(l, lane, names[row])),
                        .go = go});
            x += kToken;
        }
        if (!last.empty()) arrow();
        word(last, kAfterHover);
        canvas.text({x + 12, y}, tail, note);
        if (row + 1 == shown.size() && !more.empty()) {
            const f32 from = x + 12 + tailWide + 24;
            const std::string brief = "+" + std::to_string(queues.size() - shown.size());
            canvas.text({from, y}, firstFitting(canvas, area.right() - from, note, {more, brief}), note);
            canvas.hit({from, y - kHigh / 2, area.right() - from, kHigh}, {.hover = more});
        }
        if (queue.lanes.size() > 1 && !queue.isOrdered)
            canvas.hit({x + 12, y - kHigh / 2, tailWide, kHigh}, {.hover = say(l, kNoOrderHover)});
    }
}

}  // namespace lockstep::viz
