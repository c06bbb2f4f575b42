#include "explain/order/turns.h"

#include "explain/cursor/lookup.h"
#include "model/source_line.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using simt::AccessLog;
using simt::LoggedAccess;

Lane laneOf(const LoggedAccess& access, u32 index) {
    for (const Lane lane : access.lanes)
        if (index-- == 0) return lane;
    return access.lanes.lowest();
}

std::optional<u32> indexOf(const LoggedAccess& access, Lane wanted) {
    u32 index = 0;
    for (const Lane lane : access.lanes) {
        if (lane == wanted) return index;
        ++index;
    }
    return std::nullopt;
}

bool isOfWarp(const LoggedAccess& a, const LoggedAccess& b) {
    return a.launch == b.launch && a.block == b.block && a.warp == b.warp;
}

bool isSame(const LoggedAccess& a, const LoggedAccess& wanted, Lane lane) {
    return isOfWarp(a, wanted) && a.pc == wanted.pc && a.lanes.has(lane);
}

// How often its thread has executed that instruction by then, this time among them.
std::ptrdiff_t timesUpTo(const AccessLog& log, LaneAccess of) {
    const LoggedAccess& wanted = log.all()[of.at];
    const Lane lane = laneOf(wanted, of.index);
    return std::ranges::count_if(log.all().subspan(0, of.at + 1),
                                 [&](const LoggedAccess& access) { return isSame(access, wanted, lane); });
}

// The same access of the same thread in the other log: at the same instruction, and as often as there.
std::optional<LaneAccess> counterpart(const AccessLog& from, LaneAccess of, const AccessLog& in) {
    const LoggedAccess& wanted = from.all()[of.at];
    const Lane lane = laneOf(wanted, of.index);
    auto left = timesUpTo(from, of);
    for (std::size_t at = 0; at < in.all().size(); ++at)
        if (isSame(in.all()[at], wanted, lane) && --left == 0)
            return LaneAccess{at, *indexOf(in.all()[at], lane)};
    return std::nullopt;
}

void addOnce(std::vector<LaneAccess>& to, std::optional<LaneAccess> access) {
    if (access && std::ranges::find(to, *access) == to.end()) to.push_back(*access);
}

u32 lineOf(Pc pc, const ptx::Module& module) { return model::sourceLineOf(pc, module).line; }

}  // namespace

RacingAccesses racingAccesses(const OrderParting& parting, const AccessLog& recorded,
                              const AccessLog& changed) {
    RacingAccesses racing{{parting.recorded}, {parting.changed}};
    if (parting.other && parting.otherIsChanged) {
        addOnce(racing.changed, parting.other);
        addOnce(racing.recorded, counterpart(changed, *parting.other, recorded));
    } else if (parting.other) {
        addOnce(racing.recorded, parting.other);
        addOnce(racing.changed, counterpart(recorded, *parting.other, changed));
    }
    addOnce(racing.recorded, parting.instead);
    if (parting.kind == OrderParting::Kind::LastStore || parting.kind == OrderParting::Kind::UpdatesFirst) {
        addOnce(racing.recorded, counterpart(changed, parting.changed, recorded));
        addOnce(racing.changed, counterpart(recorded, parting.recorded, changed));
    }
    std::ranges::sort(racing.recorded, {}, &LaneAccess::at);
    std::ranges::sort(racing.changed, {}, &LaneAccess::at);
    return racing;
}

std::optional<Cursor> stepOf(LaneAccess access, const AccessLog& log, const Recorded& run) {
    const LoggedAccess& wanted = log.all()[access.at];
    const Lane lane = laneOf(wanted, access.index);
    Cursor at{.launch = LaunchId{wanted.launch}, .block = wanted.block, .warp = wanted.warp, .lane = lane};
    const CursorContext here = lookUp(run, at);
    if (!here.warp) return std::nullopt;
    auto left = timesUpTo(log, access);
    for (const trace::Step& step : here.warp->steps) {
        if (step.pc != wanted.pc || !step.active.has(lane) || --left > 0) continue;
        at.step = u32(&step - here.warp->steps.data());
        return at;
    }
    return std::nullopt;
}

OrderTurns turnsOf(const AccessLog& log, std::span<const LaneAccess> racing, const ptx::Module& module,
                   std::size_t most) {
    OrderTurns all;
    if (racing.empty()) return all;
    const auto isShown = [&](const LoggedAccess& access) {
        return std::ranges::any_of(racing, [&](const LaneAccess& one) {
            const LoggedAccess& at = log.all()[one.at];
            return at.launch == access.launch && at.block == access.block;
        });
    };
    const std::size_t last = racing.back().at;
    for (std::size_t at = 0; at <= last; ++at) {
        const LoggedAccess& access = log.all()[at];
        if (!isShown(access)) continue;
        const auto found = std::ranges::find(racing, at, &LaneAccess::at);
        const bool isRacing = found != racing.end();
        Turn* turn = all.turns.empty() ? nullptr : &all.turns.back();
        if (!turn || isRacing || turn->racing || turn->warp != access.warp || turn->block != access.block ||
            turn->launch.value != access.launch) {
            all.turns.push_back(
                {.launch = LaunchId{access.launch}, .block = access.block, .warp = access.warp});
            turn = &all.turns.back();
            if (isRacing) turn->racing = *found;
        }
        const u32 line = lineOf(access.pc, module);
        if (turn->lines.empty() || turn->lines.back() != line) turn->lines.push_back(line);
        ++turn->accesses;
    }
    const auto first =
        std::ranges::find_if(all.turns, [](const Turn& turn) { return turn.racing.has_value(); });
    const std::size_t keeps =
        std::max(most, std::size_t(all.turns.end() - first) + (first != all.turns.begin()));
    if (all.turns.size() > keeps) {
        all.before = all.turns.size() - keeps;
        all.turns.erase(all.turns.begin(), all.turns.begin() + std::ptrdiff_t(all.before));
    }
    return all;
}

}  // namespace lockstep::explain
