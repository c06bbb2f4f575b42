#include "time/machine/step.h"

#include "base/check.h"
#include "time/machine/lane_operands.h"

#include <algorithm>
#include <utility>

namespace lockstep::time {
namespace {

// A path that loops gives others of its warp a turn after so many rounds: what it waits for may be theirs to
// do.
constexpr u32 kMostRounds = 64;

bool chooseRunnable(WarpState& warp) {
    for (u32 i = 0; i < warp.paths.size(); ++i)
        if (warp.paths[i].waits == Path::Waits::No) {
            warp.current = i;
            warp.paths[i].backward = 0;
            return true;
        }
    return false;
}

void removeEmpty(WarpState& warp) {
    std::erase_if(warp.paths, [](const Path& path) { return path.mask == 0; });
}

// Joins the paths that wait where `belongs` says so, all at one instruction, behind it.
template <class Belongs> void joinPaths(WarpState& warp, Belongs belongs) {
    std::vector<Path> joined;
    for (Path& path : warp.paths) {
        if (!belongs(path)) continue;
        const auto found = std::ranges::find(joined, path.at + 1, &Path::at);
        if (found != joined.end())
            found->mask |= path.mask;
        else
            joined.push_back({.mask = path.mask, .at = path.at + 1});
        path.mask = 0;
    }
    removeEmpty(warp);
    warp.paths.insert(warp.paths.end(), joined.begin(), joined.end());
}

u32 neededBy(const WarpState& warp, const Path& path) {
    const std::size_t lane = LaneMask{path.mask}.lowest().value;
    return (path.waits == Path::Waits::ForLanes ? warp.barriers[path.awaited][lane] : path.awaited) &
           warp.live();
}

// Paths whose last companion has come, has left or has exited go on.
void releaseWaiting(WarpState& warp) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const Path& path : warp.paths) {
            if (path.waits != Path::Waits::ForLanes && path.waits != Path::Waits::ForWarp) continue;
            const Path::Waits waits = path.waits;
            const u32 awaited = path.awaited, needed = neededBy(warp, path) | path.mask;
            u32 here = 0;
            const auto belongs = [&](const Path& other) {
                return other.waits == waits && (waits == Path::Waits::ForWarp || other.awaited == awaited) &&
                       (other.mask & needed);
            };
            for (const Path& other : warp.paths)
                if (belongs(other)) here |= other.mask;
            if ((here & needed) != needed) continue;
            joinPaths(warp, belongs);
            changed = true;
            break;
        }
    }
}

// The current path has ended or waits. False: none can go on.
bool afterWaiting(WarpState& warp) {
    removeEmpty(warp);
    releaseWaiting(warp);
    return chooseRunnable(warp);
}

u32 valueOfLane(const Source& source, const WarpState& warp, u32 lanes) {
    Lanes scratch;
    return lanesOf<Reads::Integer>(source, warp, scratch)[LaneMask{lanes}.lowest().value];
}

void branch(WarpState& warp, u32 taken, u32 target, Step& step) {
    Path& path = warp.path();
    const u32 stays = path.mask & ~taken;
    step.isTaken = taken != 0;
    step.isDiverged = taken && stays;
    const bool isBackward = target <= path.at;
    if (!taken) {
        ++path.at;
        return;
    }
    if (stays) {
        const Path waiting{.mask = stays, .at = path.at + 1};
        path.mask = taken;
        path.at = target;
        warp.paths.push_back(waiting);  // invalidates `path`
    } else {
        path.at = target;
    }
    if (isBackward && ++warp.path().backward > kMostRounds && warp.paths.size() > 1) {
        warp.path().backward = 0;
        std::rotate(warp.paths.begin(), warp.paths.begin() + warp.current + 1, warp.paths.end());
        chooseRunnable(warp);
    }
}

void waitFor(WarpState& warp, Path::Waits waits, u32 awaited, Step& step) {
    warp.path().waits = waits;
    warp.path().awaited = awaited;
    step.isBlocked = !afterWaiting(warp);
}

}  // namespace

Step step(WarpState& warp) {
    Path& path = warp.path();
    CHECK_LT(path.at, warp.program->ops.size(), "every path of a function ends in EXIT");
    const Op& op = warp.program->ops[path.at];
    const u32 guard = op.guard.isAlways() ? ~0u
                                          : conditionLanes({.number = op.guard.predicate,
                                                            .isUniform = op.guard.isUniform,
                                                            .isInverted = op.guard.isInverted},
                                                           warp);
    Step step{.op = &op, .instruction = path.at, .pathLanes = path.mask, .lanes = path.mask & guard};
    if (op.execute) {
        if (!op.toUniform)
            op.execute(op, warp, step.lanes);
        else if (guard & path.mask)
            op.execute(op, warp, ~0u);
    }
    switch (op.flow) {
        case Flow::Next: ++path.at; break;
        case Flow::Branch: {
            u32 taken = step.lanes;
            taken &= conditionLanes(op.conditions[0], warp);
            branch(warp, taken, op.target, step);
            break;
        }
        case Flow::BranchIfDiverged: {
            const u32 together = valueOfLane(op.sources[0], warp, path.mask) & warp.live();
            const u32 missing = together & ~path.mask;
            branch(warp, missing ? step.lanes : 0, op.target, step);
            break;
        }
        case Flow::Call: branch(warp, step.lanes, op.target, step); break;
        case Flow::Return: {
            const u32 to = op.target + valueOfLane(op.sources[0], warp, path.mask) / sass::kInstructionBytes;
            branch(warp, step.lanes, std::min<u32>(to, u32(warp.program->ops.size() - 1)), step);
            break;
        }
        case Flow::Exit:
            warp.exited |= step.lanes;
            path.mask &= ~step.lanes;
            ++path.at;
            if (!path.mask || warp.paths.size() > 1) {
                if (path.mask) {
                    // The rest goes on; those that waited for the lanes that left may, too.
                    const u32 rest = path.mask;
                    removeEmpty(warp);
                    releaseWaiting(warp);
                    const auto same = std::ranges::find_if(
                        warp.paths, [&](const Path& other) { return other.mask == rest; });
                    warp.current = u32(same - warp.paths.begin());
                } else {
                    step.isBlocked = !afterWaiting(warp);
                }
            }
            break;
        case Flow::Begin:
            for (const Lane lane : LaneMask{step.lanes})
                warp.barriers[op.barrier][lane.value] = step.lanes;
            ++path.at;
            break;
        case Flow::Leave: {
            const u32 leaving = step.lanes;
            for (u32& members : warp.barriers[op.barrier])
                if (members & leaving) members &= ~leaving;
            const u32 mask = path.mask;
            ++path.at;
            releaseWaiting(warp);
            const auto same =
                std::ranges::find_if(warp.paths, [&](const Path& other) { return other.mask == mask; });
            warp.current = u32(same - warp.paths.begin());
            break;
        }
        case Flow::Join:
            if (step.lanes != path.mask) {  // a guarded one: the others pass
                ++path.at;
                break;
            }
            waitFor(warp, Path::Waits::ForLanes, op.barrier, step);
            break;
        case Flow::WarpSync: {
            const u32 with = op.extra ? ~0u : valueOfLane(op.sources[0], warp, path.mask);
            waitFor(warp, Path::Waits::ForWarp, with & warp.live(), step);
            break;
        }
        case Flow::BlockBarrier:
            if (step.lanes == 0) {
                ++path.at;
                break;
            }
            waitFor(warp, Path::Waits::ForBlock, op.barrier, step);
            break;
    }
    if (warp.paths.empty()) step.isBlocked = true;
    return step;
}

bool isAtBlockBarrier(const WarpState& warp) {
    return !warp.paths.empty() && std::ranges::all_of(warp.paths, [](const Path& path) {
        return path.waits == Path::Waits::ForBlock;
    });
}

void passBlockBarrier(WarpState& warp) {
    joinPaths(warp, [](const Path& path) { return path.waits == Path::Waits::ForBlock; });
    chooseRunnable(warp);
}

bool canStep(const WarpState& warp) {
    return warp.current < warp.paths.size() && warp.paths[warp.current].waits == Path::Waits::No;
}

}  // namespace lockstep::time
