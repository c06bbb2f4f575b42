// The interpreter's loop.
#include "simt/block_runner.h"
#include "simt/opcodes/multiply_add.h"

#include <bit>
#include <cstring>

namespace lockstep::simt {
namespace {

// Spins of a waiting loop before it yields: few, since spinning changes nothing until another thread has run.
constexpr u32 kMostSpins = 64;

}  // namespace

void BlockRunner::limitReached(const WarpState& warp, u32 pc, u32 lanes) {
    if (!observers_.findings) return;
    trace::Finding finding = memory_.finding(trace::FindingKind::Limit, pc, warp.index(),
                                             lanes ? u32(std::countr_zero(lanes)) : 0);
    finding.lanes = {lanes};
    if (stop_.cancelled()) finding.detail = detailOf(trace::StopReason::Cancelled);
    observers_.findings->add(finding);
}

// Every remaining warp waits: reports the first path that spins, or else one that waits for others.
void BlockRunner::limitReachedWaiting() {
    const WarpState* of = nullptr;
    const Path* waiting = nullptr;
    for (const WarpState& warp : warps_)
        for (const Path& path : warp.paths.others())
            if (!waiting || (path.state == Path::State::Ready && waiting->state != Path::State::Ready))
                of = &warp, waiting = &path;
    if (waiting) return limitReached(*of, program_.ops[waiting->op].pc, waiting->mask);
    for (const WarpState& warp : warps_)  // at a barrier, as a whole
        if (warp.paths.alive())
            return limitReached(warp, program_.ops[warp.paths.running.op].pc, warp.paths.running.mask);
}

void BlockRunner::checkDivisors(const WarpState& warp, const Op& op, const std::byte* frame, u32 mask) {
    const std::byte* divisors = frame + op.at[op.operands - 1];
    const bool are64 = program_.rows[op.aux]->operands[op.operands - 1] == Storage::Lanes64;
    u32 zeros = 0;
    const auto find = [&]<class T>(const T* at) {
        T any = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            any |= T(at[lane] == 0);
        for (u32 lane = 0; any && lane < kWarpSize; ++lane)
            zeros |= u32(at[lane] == 0) << lane;
    };
    if (are64)
        find(reinterpret_cast<const u64*>(divisors));
    else
        find(reinterpret_cast<const u32*>(divisors));
    for (Lane lane : LaneMask{zeros & mask})
        memory_.report(trace::FindingKind::DivisionByZero, {.warp = warp.index(), .pc = op.pc}, lane.value);
}

void BlockRunner::fence(const WarpState& warp, const Op& op) {
    const auto scope = trace::Scope(op.aux);
    if (observers_.requests && scope == trace::Scope::Device) observers_.requests->fence(warp.index());
    if (observers_.globalShadow) observers_.globalShadow->fence(Warp{warp.index()}, scope);
}

// Time is counted in issued warp instructions of the block, so that a run repeats exactly; a nanosecond each.
void BlockRunner::readClock(const Op& op, std::byte* frame, u32 mask) const {
    using enum ptx::Special;
    constexpr u64 kTimerStart = 1'000'000'000;
    const auto special = ptx::Special(op.aux);
    const bool isTimer = special == GlobalTimer || special == GlobalTimerLo || special == GlobalTimerHi;
    u64 now = issued_ + (isTimer ? kTimerStart : 0);
    if (special == ClockHi || special == GlobalTimerHi) now >>= 32;
    const bool is64 = ptx::bytesOf(ptx::typeOf(special)) == 8;
    for (Lane lane : LaneMask{mask}) {
        if (is64)
            reinterpret_cast<u64*>(frame + op.at[0])[lane.value] = now;
        else
            reinterpret_cast<u32*>(frame + op.at[0])[lane.value] = u32(now);
    }
}

// Counts one spin; true once the quota is used up and the warp should yield.
bool BlockRunner::jumpsBack(WarpState& warp) { return ++warp.spins >= kMostSpins; }

template <BlockRunner::Mode mode> BlockRunner::PathOutcome BlockRunner::runPath(WarpState& warp) {
    WarpPaths& paths = warp.paths;
    constexpr bool recording = mode == Mode::Recording;
    [[maybe_unused]] ScriptWriter* const writer = writer_.get();
    using Kind = ScriptStep::Kind;
    const Op* const ops = program_.ops.data();
    const Op* op = ops + paths.running.op;
    u32 mask = paths.running.mask;
    std::byte* frame = paths.activation().frame;

    const auto activeOf = [&] {
        const u32 active = guarded(*op, frame, mask);
        if (op->guarded) tally_.guardedLanes[op->pc] += u32(std::popcount(active));
        return active;
    };
    // The instructions before `pc` whose results were there from the start.
    const auto stepKnown = [&]([[maybe_unused]] u32 pc) {
        if constexpr (recording)
            for (u32 before = op->knownBefore; before; --before)
                observers_.recorder->step(Warp{warp.index()}, Pc{pc - before}, {mask});
    };
    const auto step = [&]([[maybe_unused]] u32 active) {
        stepKnown(op->pc);
        if constexpr (recording) observers_.recorder->step(Warp{warp.index()}, Pc{op->pc}, {active});
    };
    Accessor where{.warp = warp.index(), .frame = frame, .depth = paths.activation().depth};
    const auto accessor = [&]() -> const Accessor& {
        where.pc = op->pc;
        return where;
    };
    // After anything that may have changed the running path.
    const auto reload = [&](const Op* at) {
        op = at;
        mask = paths.running.mask;
        frame = paths.activation().frame;
        where.frame = frame;
        where.depth = paths.activation().depth;
    };

    // To the writer of a script, before the op is executed. To others these are nothing.
    const auto tellMemory = [&]([[maybe_unused]] Kind kind) {
        if constexpr (mode == Mode::WritingScript) writer->memory(kind, warp.index(), *op, frame, mask);
    };
    const auto tellLanes = [&] {
        if constexpr (mode == Mode::WritingScript) writer->lanes(warp.index(), *op, frame, mask);
    };
    const auto tellDecision = [&] {
        if constexpr (mode == Mode::WritingScript) writer->decide(warp.index(), *op, frame, mask);
    };
    const auto tellOther = [&]([[maybe_unused]] Kind kind) {
        if constexpr (mode == Mode::WritingScript) writer->other(kind, warp.index(), *op, frame, mask);
    };
    const auto noScript = [&] {
        if constexpr (mode == Mode::WritingScript) writer->giveUp();
    };

    // Stepping: whether the path stops before this access. It executes the one at which it begins.
    [[maybe_unused]] const Op* resumed = op;
    const auto pauses = [&] {
        if constexpr (mode == Mode::Stepping) {
            if (op != resumed && stops_[op->pc]) {
                paths.running.op = u32(op - ops);
                return true;
            }
            resumed = nullptr;
        }
        return false;
    };

    for (;;) {
        switch (op->kind) {
            case OpKind::Meeting:
                if (!paths.meet(u32(op - ops))) return PathOutcome::Left;
                mask = paths.running.mask;
                [[fallthrough]];
            case OpKind::Segment: {
                if constexpr (mode == Mode::WritingScript) writer->passes();
                Tally::Run& run = tally_.segments[op->aux];
                ++run.executions;
                run.lanes += u32(std::popcount(mask));
                issued_ += op->at[0];
                if (issued_ >= nextCheck_) [[unlikely]] {
                    nextCheck_ = issued_ + kCheckEvery;
                    tellSteps();
                    if (stop_.requested()) {
                        limitReached(warp, op->pc, mask);
                        return PathOutcome::Stopped;
                    }
                    if (watch_ && watch_->ends(issued_)) return PathOutcome::Stopped;
                }
                ++op;
                break;
            }
            case OpKind::Hidden:
                tellLanes();
                op->execute(op->at.data(), frame, guarded(*op, frame, mask));
                ++op;
                break;
            case OpKind::Lanes:
                do {  // they come in rows
                    tellLanes();
                    step(mask);
                    op->execute(op->at.data(), frame, mask);
                    ++op;
                } while (op->kind == OpKind::Lanes);
                break;
            case OpKind::LanesGuarded: {
                tellLanes();
                const u32 active = activeOf();
                step(active);
                if (active) op->execute(op->at.data(), frame, active);
                ++op;
                break;
            }
            case OpKind::Divide: {
                tellLanes();
                const u32 active = activeOf();
                step(active);
                if (active) {
                    checkDivisors(warp, *op, frame, active);
                    op->execute(op->at.data(), frame, active);
                }
                ++op;
                break;
            }
            case OpKind::Load: {
                if (pauses()) return PathOutcome::Pauses;
                tellMemory(Kind::Load);
                const u32 active = activeOf();
                step(active);
                memory_.load(program_.memory[op->aux], accessor(), active);
                ++op;
                break;
            }
            case OpKind::Store: {
                if (pauses()) return PathOutcome::Pauses;
                tellMemory(Kind::Store);
                const u32 active = activeOf();
                step(active);
                memory_.store(program_.memory[op->aux], accessor(), active);
                ++op;
                break;
            }
            case OpKind::Atomic: {
                if (pauses()) return PathOutcome::Pauses;
                tellMemory(Kind::Atomic);
                const u32 active = activeOf();
                step(active);
                memory_.atomic(program_.memory[op->aux], accessor(), active);
                ++op;
                break;
            }
            case OpKind::AsyncCopy: {
                if (pauses()) return PathOutcome::Pauses;
                noScript();
                const u32 active = activeOf();
                step(active);
                memory_.asyncCopy(program_.memory[op->aux], accessor(), active);
                ++op;
                break;
            }
            case OpKind::Branch: {
                tellDecision();
                const u32 taken = activeOf();
                step(taken);
                const BranchOperation& branch = program_.branches[op->aux];
                if (branch.spins) noScript();
                const bool spins = branch.spins && taken && jumpsBack(warp);
                if (taken == mask) {
                    op = ops + branch.target;
                } else {
                    if (taken) {
                        ++tally_.divergent[op->pc];
                        paths.diverge(taken, branch.target, branch.reconvergence);
                        mask = paths.running.mask;
                    }
                    ++op;
                }
                if (spins) [[unlikely]] {
                    paths.running.op = u32(op - ops);
                    return PathOutcome::Spins;
                }
                break;
            }
            case OpKind::BranchIndexed: {
                const u32 active = activeOf();
                step(active);
                const IndexedBranchOperation& branch = program_.indexedBranches[op->aux];
                if constexpr (mode == Mode::WritingScript)
                    if (!writer->isKnown(warp.index(), op->guard, mask) ||
                        !writer->isKnown(warp.index(), op->at[0], active))
                        writer->giveUp();
                const u32* index = reinterpret_cast<const u32*>(frame + op->at[0]);
                const auto targetOf =
                    [&](u32 lane) {  // an out-of-range index is undefined; here it falls through
                        if (!(active >> lane & 1) || index[lane] >= branch.targets.size())
                            return u32(op + 1 - ops);
                        return branch.targets[index[lane]];
                    };
                const u32 first = targetOf(u32(std::countr_zero(mask)));
                u32 elsewhere = 0;
                for (Lane lane : LaneMask{mask})
                    elsewhere |= u32(targetOf(lane.value) != first) << lane.value;
                if (elsewhere) ++tally_.divergent[op->pc];
                while (elsewhere) {
                    const u32 target = targetOf(31 - u32(std::countl_zero(elsewhere)));
                    u32 same = 0;
                    for (Lane lane : LaneMask{elsewhere})
                        same |= u32(targetOf(lane.value) == target) << lane.value;
                    paths.diverge(same, target, branch.reconvergence);
                    elsewhere &= ~same;
                }
                mask = paths.running.mask;
                op = ops + first;
                break;
            }
            case OpKind::Call: {
                noScript();
                const u32 active = activeOf();
                step(active);
                paths.running.op = u32(op - ops);
                call(warp, *op, active);
                reload(ops + paths.running.op);
                if (!mask) return PathOutcome::Left;
                break;
            }
            case OpKind::Return: {
                tellDecision();
                const u32 active = activeOf();
                if (op->pc != kNoPc.value) step(active);
                if (active && paths.activation().caller == kNone) warp.endedAt(op->pc, active);
                if (!leaveFunction(warp, active)) return PathOutcome::Left;
                mask = paths.running.mask;
                ++op;
                break;
            }
            case OpKind::Exit: {
                tellDecision();
                const u32 active = activeOf();
                step(active);
                if (active) warp.endedAt(op->pc, active);
                if (!paths.end(active)) return PathOutcome::Left;
                mask = paths.running.mask;
                ++op;
                break;
            }
            case OpKind::Trap: {
                tellDecision();
                const u32 active = activeOf();
                step(active);
                if (active) {
                    noScript();
                    trace::Finding finding = memory_.finding(trace::FindingKind::Limit, op->pc, warp.index(),
                                                             u32(std::countr_zero(active)));
                    finding.detail = detailOf(program_.usesWorkspace && !shape_.workspace
                                                  ? trace::StopReason::NotCooperative
                                                  : trace::StopReason::Trap);
                    if (observers_.findings) observers_.findings->add(finding);
                    if (!paths.end(active)) return PathOutcome::Left;
                    mask = paths.running.mask;
                }
                ++op;
                break;
            }
            case OpKind::WarpSync: {
                const u32 active = activeOf();
                if constexpr (mode == Mode::WritingScript)
                    if (!writer->isKnown(warp.index(), op->guard, mask)) writer->giveUp();
                step(active);
                paths.running.op = u32(op - ops);
                if (active && !syncWarp(warp, *op, active)) return PathOutcome::Left;
                mask = paths.running.mask;
                ++op;
                break;
            }
            case OpKind::BlockBarrier: {
                const u32 active = activeOf();
                if constexpr (mode == Mode::WritingScript)
                    if (!writer->isKnown(warp.index(), op->guard, mask)) writer->giveUp();
                step(active);
                paths.running.op = u32(op - ops);
                if (active && !arriveAtBarrier(warp, *op, active)) return PathOutcome::Left;
                mask = paths.running.mask;
                ++op;
                break;
            }
            case OpKind::WholeSync:
                step(mask);
                paths.running.op = u32(op - ops);
                if (rest(warp, *op)) return PathOutcome::Rests;
                if (!arriveAtBarrier(warp, *op, mask)) return PathOutcome::Left;
                mask = paths.running.mask;
                ++op;
                break;
            case OpKind::Fence: {
                tellOther(Kind::Fence);
                const u32 active = activeOf();
                step(active);
                if (active) memory_.fence(warp.index());
                if (active) fence(warp, *op);
                ++op;
                break;
            }
            case OpKind::Clock: {
                noScript();
                const u32 active = activeOf();
                step(active);
                readClock(*op, frame, active);
                ++op;
                break;
            }
            case OpKind::Image: {
                noScript();
                const u32 active = activeOf();
                step(active);
                if (active) memory_.image(program_.images[op->aux], accessor(), active);
                ++op;
                break;
            }
            case OpKind::ObjectBarrier: {
                if (pauses()) return PathOutcome::Pauses;
                noScript();
                const u32 active = activeOf();
                step(active);
                if (active) objectBarrier(warp, *op, active);
                ++op;
                break;
            }
            case OpKind::Nothing:
                tellOther(Kind::Count);
                step(activeOf());
                ++op;
                break;
            case OpKind::Known:
                step(mask);
                ++op;
                break;
            case OpKind::Jump: op = ops + op->at[0]; break;
            case OpKind::Forget:
                warp.slots.forget(program_, op->aux);
                ++op;
                break;
            case OpKind::SharedGroup:
                stepKnown(op->pc);
                op = memory_.enterGroup(program_, op->aux, accessor(), warp.slots, mask) ? op + 1
                                                                                         : ops + op->at[0];
                break;
            case OpKind::SharedLoad:
                if constexpr (mode == Mode::WritingScript)
                    writer->loadShared(warp.index(), *op, frame, warp.slots, mask);
                step(mask);
                memory_.loadInGroup(program_.memory[op->aux], warp.slots[op->at[1]], accessor(), mask);
                ++op;
                break;
            case OpKind::SharedStore: {
                step(mask);
                const MemoryOperation& operation = program_.memory[op->aux];
                if (!memory_.storeGroup(program_, op->at[0], operation, accessor(), warp.slots, mask))
                    memory_.store(operation, accessor(), mask), noScript();
                else if constexpr (mode == Mode::WritingScript)
                    writer->storeShared(warp.index(), *op, frame, warp.slots, mask);
                ++op;
                break;
            }
            case OpKind::MultiplyAdd:
                if constexpr (recording) {  // as its separate instructions
                    for (const MultiplyAddOperation::Step& part : program_.multiplyAdds[op->aux].steps) {
                        for (const MultiplyAddOperation::Load& load :
                             std::span(part.loads).first(part.loadCount)) {
                            observers_.recorder->step(Warp{warp.index()}, Pc{load.pc}, {mask});
                            memory_.recordLoadInGroup(program_.memory[load.operation], warp.slots[load.slot],
                                                      {warp.index(), load.pc, frame, 0});
                        }
                        observers_.recorder->step(Warp{warp.index()}, Pc{part.pc}, {mask});
                    }
                }
                if constexpr (mode == Mode::WritingScript)
                    writer->multiplyAdd(warp.index(), *op, frame, warp.slots, mask);
                multiplyAdd(*op, program_.multiplyAdds[op->aux], memory_.shared(), warp.slots.slots.data(),
                            frame, mask);
                ++op;
                break;
            case OpKind::GlobalLoadIndexed:
                tellMemory(Kind::LoadIndexed);
                if constexpr (recording) {
                    stepKnown(op->pc - 2);
                    for (u32 before : {2, 1, 0})
                        observers_.recorder->step(Warp{warp.index()}, Pc{op->pc - before}, {mask});
                }
                if (!memory_.loadIndexed(program_.memory[op->aux], accessor(), mask)) {
                    op->execute(op->at.data(), frame, mask);
                    memory_.accessGlobal(program_.memory[op->aux], accessor(), mask);
                }
                ++op;
                break;
            case OpKind::GlobalLoad:
            case OpKind::GlobalStore:
                tellMemory(Kind::AccessGlobal);
                step(mask);
                memory_.accessGlobal(program_.memory[op->aux], accessor(), mask);
                ++op;
                break;
        }
    }
}

template <BlockRunner::Mode mode> BlockRunner::WarpOutcome BlockRunner::runWarp(WarpState& warp) {
    warp.yields = 0;
    for (;;) {
        if (warp.rest == WarpState::Rest::GoesOn) {
            warp.rest = WarpState::Rest::No;
        } else if (!warp.paths.next()) {
            if (completeWarpSyncs(warp, false)) continue;
            if (warp.paths.alive() && freeParkedLanes(warp)) continue;
            return WarpOutcome::Waits;
        }
        warp.spins = 0;
        switch (runPath<mode>(warp)) {
            case PathOutcome::Left: break;
            case PathOutcome::Pauses:  // of steps only
            case PathOutcome::Rests: return WarpOutcome::Waits;
            case PathOutcome::Stopped: return WarpOutcome::Stopped;
            case PathOutcome::Spins: {
                warp.paths.yield();
                std::size_t ready = 0;
                for (const Path& path : warp.paths.others())
                    ready += path.state == Path::State::Ready;
                if (++warp.yields < ready) break;
                if (warp.yields == ready && warp.paths.breakMeetings())
                    break;  // it may be waiting for parked lanes
                return WarpOutcome::Spins;
            }
        }
    }
}

template BlockRunner::PathOutcome BlockRunner::runPath<BlockRunner::Mode::Stepping>(WarpState& warp);
template BlockRunner::WarpOutcome BlockRunner::runWarp<BlockRunner::Mode::Plain>(WarpState& warp);
template BlockRunner::WarpOutcome BlockRunner::runWarp<BlockRunner::Mode::Recording>(WarpState& warp);
template BlockRunner::WarpOutcome BlockRunner::runWarp<BlockRunner::Mode::WritingScript>(WarpState& warp);

}  // namespace lockstep::simt
