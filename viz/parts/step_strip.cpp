#include "viz/parts/step_strip.h"

#include "base/text/words.h"
#include "explain/access/atomic_lanes.h"
#include "explain/exchange/atomic_queue.h"
#include "explain/exchange/lane_exchange.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/block_cache.h"
#include "viz/parts/exchange_strip.h"
#include "viz/parts/queue_strip.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::viz {
namespace {

constexpr Words kKeyLane = english("lane");
constexpr Words kKeyWay = english("path of a value");
constexpr Words kKeyOwnWay = english("to the cursor's lane");
constexpr Words kNext = english("Next, at step {0}: {1}");
constexpr Words kLast = english("Previous, at step {0}: {1}");

bool isShown(const ptx::Module& module, const trace::WarpTrace& warp, const trace::Step& step) {
    const bool isAtomic = step.access != trace::Step::kNone &&
                          trace::isAtomic(warp.accesses[step.access].kind) && step.active.count() > 1;
    return isAtomic || (!step.active.empty() && explain::isExchange(module, step.pc));
}

}  // namespace

// Steps of the cursor's warp that the strip shows, and what it shows of one of them.
struct StripCache {
    std::map<u32, std::vector<u32>> steps;  // by warp
    std::unique_ptr<explain::WarpRegisters> registers;
    Cursor of{};
    std::optional<explain::LaneExchange> exchange;
    std::optional<explain::AtomicLanes> atomic;
    std::vector<explain::AtomicQueue> queues;
};

namespace {

// Of what the strip draws.
std::vector<KeyRow> keysOf(const ViewInput& in) {
    const Role color = warpRole(in.cursor.warp, Lane{0}, kWarpSize);
    const auto way = [](const Stroke& stroke, f32 arrow) {
        return [stroke, arrow](Canvas& c, Point p) {
            c.line({p.x - 9, p.y - 4}, {p.x + 8, p.y + 4}, stroke, arrow);
        };
    };
    return {{[color](Canvas& c, Point p) {
                 c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = color, .radius = 2});
             },
             say(in.language, kKeyLane)},
            {way({color, line::kHair}, 4), say(in.language, kKeyWay)},
            {way({role(RoleKind::Cursor), line::kRead}, 7), say(in.language, kKeyOwnWay)},
            {[](Canvas& c, Point p) {
                 cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3);
             },
             say(in.language, message::kKeyCursor)}};
}

StripCache& stripCacheOf(BlockCache& block) {
    if (!block.strip) block.strip = std::make_shared<StripCache>();
    return *block.strip;
}

const std::vector<u32>& stepsOf(const ViewInput& in, StripCache& cache) {
    const auto [entry, isNew] = cache.steps.try_emplace(in.cursor.warp.value);
    const CursorContext here = lookUp(in.run, in.cursor);
    if (isNew && here.warp)
        for (u32 step = 0; step < here.warp->steps.size(); ++step)
            if (isShown(*in.run.module, *here.warp, here.warp->steps[step])) entry->second.push_back(step);
    return entry->second;
}

}  // namespace

bool StepStrip::isOf(const ViewInput& in) {
    ViewCache own;
    return !stepsOf(in, stripCacheOf(blockCacheOf(in.cache ? *in.cache : own))).empty();
}

void StepStrip::draw(const ViewInput& in, Canvas& canvas, const Rect& area) {
    constexpr f32 kTitle = 24;
    ViewCache own;
    StripCache& cache = stripCacheOf(blockCacheOf(in.cache ? *in.cache : own));
    const std::vector<u32>& steps = stepsOf(in, cache);
    if (steps.empty()) return;
    const auto next = std::ranges::lower_bound(steps, in.cursor.step);
    Cursor at = in.cursor;
    at.step = next == steps.end() ? steps.back() : *next;
    at.lane = {};
    if (cache.of != at || (!cache.exchange && !cache.atomic)) {
        cache.of = at;
        cache.exchange.reset(), cache.atomic.reset(), cache.queues.clear();
        const CursorContext here = lookUp(in.run, at);
        if (here.access) {
            cache.atomic.emplace(in.run, at, here);
            cache.queues = explain::atomicQueues(*here.warp, *here.access, cache.atomic->facts());
        } else {
            if (!cache.registers || !cache.registers->isOf(in.run, at))
                if (auto registers = explain::WarpRegisters::of(in.run, at))
                    cache.registers = std::move(*registers);
            if (cache.registers) cache.exchange = explain::laneExchangeAt(in.run, at, *cache.registers);
        }
    }
    // What the stage's own key explains already is not said again.
    const std::vector<KeyRow> keys = keysOf(in);
    std::set<std::string> explained;
    for (const KeyRow& row : drawnOf(canvas, keys))
        explained.insert(row.text);
    canvas.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Line)});
    at.lane = in.cursor.lane;
    const Rect body{area.x, area.y + kTitle, area.width, area.height - kTitle - 8};
    std::string said, brief;
    if (cache.atomic) {
        const QueueStrip strip{in, *cache.atomic, cache.queues, at};
        said = strip.title(), brief = cache.atomic->facts().function();
        strip.draw(canvas, body);
    } else if (cache.exchange) {
        const ExchangeStrip strip{in, *cache.exchange, at};
        said = strip.title(), brief = cache.exchange->function;
        strip.draw(canvas, body);
    } else {
        return;
    }
    const bool isNow = at.step == in.cursor.step;
    const auto placed = [&](const std::string& text) {
        return isNow ? text : say(in.language, at.step > in.cursor.step ? kNext : kLast, at.step + 1, text);
    };
    const TextStyle style{
        .size = type::kCode, .bold = true, .role = role(isNow ? RoleKind::Text : RoleKind::TextSecond)};
    std::vector<KeyRow> more = drawnOf(canvas, keys);
    std::erase_if(more, [&](const KeyRow& row) { return explained.contains(row.text); });
    const f32 keyWide = more.empty() || in.isPresented ? 0 : keyRowWidth(canvas, more);
    const f32 middle = area.y + kTitle / 2 + 1, room = area.width - 2 * space::kInset - keyWide;
    if (keyWide > 0) keyRow(canvas, {area.right() - space::kInset - keyWide, middle}, keyWide, more);
    // In a narrow window the picture tells the rest, and the hover says it.
    const std::string whole = placed(said);
    TextStyle fitting = shrunkToFit(canvas, room, style, whole);
    const bool fits = canvas.width(whole, fitting) <= room;
    const std::string shown = fits ? whole : placed(brief);
    if (!fits) fitting = shrunkToFit(canvas, room, style, shown);
    canvas.textWithin({area.x + space::kInset, middle}, room, shown, fitting);
    if (!isNow)
        canvas.hit({area.x, area.y, area.width, kTitle}, {.hover = whole, .go = at});
    else if (!fits)
        canvas.hit({area.x, area.y, area.width - keyWide, kTitle}, {.hover = whole});
}

}  // namespace lockstep::viz
