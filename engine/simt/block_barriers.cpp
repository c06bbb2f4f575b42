// bar.sync and related instructions, and what happens if not all threads arrive.
#include "ptx/own_location.h"
#include "simt/block_runner.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace lockstep::simt {
namespace {

void setPredicate(std::byte* frame, u32 at, bool value, u32 mask) {
    u32& bits = *reinterpret_cast<u32*>(frame + at);
    bits = (bits & ~mask) | (value ? mask : 0);
}

// A thread that ended at `end` has bypassed the barrier: its last work comes after the barrier on every path.
// A thread that returned early, from a place that does nothing else, has not.
bool comesLaterThan(const ptx::Module& module, Pc barrier, Pc end) {
    if (end == kNoPc || module.functionOf(barrier) != module.functionOf(end)) return false;
    const ptx::Function& function = module.functions[module.functionOf(barrier).value];
    const u32 last = function.blockOf(end);
    u32 block = function.blockOf(barrier);
    const std::string_view first = ptx::opcodeTable()[module.at(function.blocks[last].first).opcode].name;
    if (block == last || first == "ret" || first == "exit") return false;
    while (block != ptx::BasicBlock::kExit && block != last)
        block = function.blocks[block].immediatePostDominator;
    return block == last;
}

}  // namespace

// Fast path: all threads of the block arrive, each warp as a whole, so counting them is enough. Otherwise the
// warps already waiting are moved to the general path.
bool BlockRunner::rest(WarpState& warp, const Op& op) {
    const WarpPaths& paths = warp.paths;
    const u32 mask = paths.running.mask, lane = u32(std::countr_zero(mask));
    const u32 number =
        reinterpret_cast<const u32*>(paths.activation().frame + program_.barriers[op.aux].number)[lane] %
        BlockBarriers::kBarriers;
    const bool isUsual = mask == paths.alive() && alive_ == threads_ && !barriers_.inUse() &&
                         (!restingThreads_ || (number == restingAt_ && isOneStatement(op.pc, restingPc_)));
    if (!isUsual) {
        letRestedWait();
        return false;
    }
    if (observers_.recorder) observers_.recorder->barrier(Warp{warp.index()});
    warp.rest = WarpState::Rest::Waits;
    if (!restingThreads_) restingAt_ = number, restingPc_ = op.pc;
    restingThreads_ += u32(std::popcount(mask));
    return true;
}

void BlockRunner::wakeRested() {
    if (alive_ != threads_) return letRestedWait();  // a thread has ended since, so it bypassed the barrier
    restingThreads_ = 0;
    if (writer_) writer_->barrier();
    if (observers_.globalShadow) observers_.globalShadow->blockBarrier();
    if (observers_.listener) observers_.listener->blockBarrier(at_);
    memory_.endPhase();
    if (observers_.requests) observers_.requests->barrierOfAll();
    for (WarpState& warp : warps_) {
        warp.rest = WarpState::Rest::GoesOn;
        ++warp.paths.running.op;
    }
}

void BlockRunner::letRestedWait() {
    if (!restingThreads_) return;
    restingThreads_ = 0;
    for (WarpState& warp : warps_) {
        if (warp.rest != WarpState::Rest::Waits) continue;
        warp.rest = WarpState::Rest::No;
        barriers_.arrive(restingAt_, warp.index(), warp.paths.running.mask, warp.paths.alive(), false, 0,
                         true);
        warp.paths.splitWaiting(warp.paths.running.mask, Path::State::AtBarrier, restingAt_);
    }
}

bool BlockRunner::arriveAtBarrier(WarpState& warp, const Op& op, u32 active) {
    const BarrierOperation& operation = program_.barriers[op.aux];
    WarpPaths& paths = warp.paths;
    std::byte* frame = paths.activation().frame;
    const u32 lane = u32(std::countr_zero(active));
    const auto value = [&](u32 at) { return reinterpret_cast<const u32*>(frame + at)[lane]; };
    const u32 number = value(operation.number) % BlockBarriers::kBarriers;
    const bool waits = operation.kind != BarrierOperation::Kind::Arrive;
    const bool isFirst = barriers_.at(number).waiting[warp.index()] == 0;

    barriers_.arrive(number, warp.index(), active, paths.alive(), operation.hasCount,
                     operation.hasCount ? value(operation.count) : 0, waits);
    if (operation.kind == BarrierOperation::Kind::Reduce) {
        BlockBarriers::Barrier& barrier = barriers_.at(number);
        barrier.trueLanes +=
            u32(std::popcount(active & *reinterpret_cast<const u32*>(frame + operation.predicate)));
        barrier.reducedLanes += u32(std::popcount(active));
    }
    if (operation.hasCount && observers_.sharedShadow)
        memory_.sharedShadow()->arrive(Warp{warp.index()}, number);
    if (!waits) return true;
    if (isFirst && observers_.recorder && !operation.hasCount)
        observers_.recorder->barrier(Warp{warp.index()});
    paths.splitWaiting(active, Path::State::AtBarrier, number);
    return paths.running.mask != 0;
}

void BlockRunner::settleBarriers() {
    for (LaneMask::Iterator number{barriers_.inUse()}; number.left; ++number)
        if (barriers_.complete((*number).value, alive_)) releaseBarrier((*number).value);
}

void BlockRunner::releaseBarrier(u32 number) {
    const BlockBarriers::Barrier& barrier = barriers_.at(number);
    if (writer_) writer_->giveUp();
    const bool ofAll = barrier.waitingLanes == alive_, someEnded = alive_ < threads_;
    if (observers_.globalShadow) observers_.globalShadow->blockBarrier();
    if (observers_.listener) observers_.listener->blockBarrier(at_);
    if (observers_.sharedShadow) {
        if (ofAll)
            memory_.endPhase();
        else
            memory_.sharedShadow()->complete(number);
    }
    if (!barrier.hasCount) reportOtherStatements(number);
    for (WarpState& warp : warps_) {
        const u32 waiting = barrier.waiting[warp.index()];
        if (!waiting) continue;
        if (observers_.requests) observers_.requests->barrier(warp.index());
        if (observers_.sharedShadow && !ofAll) memory_.sharedShadow()->pass(Warp{warp.index()}, number);
        if (someEnded && !barrier.hasCount) reportThoseThatWentRound(warp, number);
        u32 firstOp = kNoOp;
        for (Path& path : warp.paths.others()) {
            if (path.state != Path::State::AtBarrier || path.waitsFor != number) continue;
            const Op& op = program_.ops[path.op];
            const BarrierOperation& operation = program_.barriers[op.aux];
            // Lanes of one warp wait at different instructions: the GPU would let them pass, but PTX does not
            // guarantee it.
            if (firstOp != kNoOp && firstOp != path.op && operation.aligned)
                reportDivergence(warp, op.pc, path.mask, waiting & ~path.mask);
            if (firstOp == kNoOp) firstOp = path.op;
            if (operation.kind == BarrierOperation::Kind::Reduce) {
                std::byte* frame = warp.paths.activation(path.activation).frame;
                switch (operation.reduction) {
                    case BarrierOperation::Reduction::And:
                        setPredicate(frame, operation.result, barrier.trueLanes == barrier.reducedLanes,
                                     path.mask);
                        break;
                    case BarrierOperation::Reduction::Or:
                        setPredicate(frame, operation.result, barrier.trueLanes > 0, path.mask);
                        break;
                    default:
                        for (Lane lane : LaneMask{path.mask})
                            reinterpret_cast<u32*>(frame + operation.result)[lane.value] = barrier.trueLanes;
                }
            }
            path.state = Path::State::Ready;
            ++path.op;
        }
        warp.paths.merge();
    }
    barriers_.release(number);
}

// Whether two instructions are copies of one statement of the source. Where that is not known, they may be.
bool BlockRunner::isOneStatement(u32 a, u32 b) const {
    if (a == b) return true;
    const ptx::Module& module = *program_.module;
    const u32 first = module.at(Pc{a}).location, second = module.at(Pc{b}).location;
    if (first >= module.locations.size() || second >= module.locations.size()) return true;
    const ptx::Location &one = module.locations[ptx::outermostLocation(module, first)],
                        &other = module.locations[ptx::outermostLocation(module, second)];
    return one.line == 0 || other.line == 0 || (one.file == other.file && one.line == other.line);
}

// Warps that wait at another one than the first of them does: a GPU lets them pass together. Where the lanes
// of a warp do, that is reported instead.
void BlockRunner::reportOtherStatements(u32 number) {
    if (!observers_.findings) return;
    struct Waiting {
        u32 warp, pc, lane;
    };
    std::vector<Waiting> all;  // the first path of each warp
    for (const WarpState& warp : warps_)
        for (const Path& path : warp.paths.others()) {
            if (path.state != Path::State::AtBarrier || path.waitsFor != number) continue;
            const Waiting here{warp.index(), program_.ops[path.op].pc, u32(std::countr_zero(path.mask))};
            if (all.empty() || all.back().warp != here.warp)
                all.push_back(here);
            else if (!isOneStatement(here.pc, all.back().pc))
                return;
        }
    for (const Waiting& other : all) {
        const Waiting& first = all.front();
        if (isOneStatement(other.pc, first.pc)) continue;
        using enum trace::FindingKind;
        trace::Finding finding = memory_.finding(DivergentBarrier, first.pc, first.warp, first.lane);
        finding.other = memory_.finding(DivergentBarrier, other.pc, other.warp, other.lane).who;
        observers_.findings->add(finding);
    }
}

bool BlockRunner::goesRound(u32 barrierPc, u32 endPc) const {
    return comesLaterThan(*program_.module, Pc{barrierPc}, Pc{endPc});
}

void BlockRunner::reportDivergence(const WarpState& warp, u32 pc, u32 lanes, u32 missing,
                                   const WarpState* of) {
    if (!observers_.findings) return;
    trace::Finding finding =
        memory_.finding(trace::FindingKind::DivergentBarrier, pc, warp.index(), u32(std::countr_zero(lanes)));
    finding.lanes = {missing};
    if (of && of != &warp) finding.detail = "warp " + std::to_string(of->index());
    observers_.findings->add(finding);
}

void BlockRunner::reportThoseThatWentRound(const WarpState& waiting, u32 number) {
    for (const WarpState& warp : warps_)
        for (const WarpState::End& end : warp.ends)
            for (const Path& path : waiting.paths.others()) {
                const u32 pc = program_.ops[path.op].pc;
                if (path.state == Path::State::AtBarrier && path.waitsFor == number && goesRound(pc, end.pc))
                    reportDivergence(waiting, pc, path.mask, end.lanes, &warp);
            }
}

// No path of the warp can run, and some lanes are parked at a reconvergence point: they continue alone. If
// others wait at a barrier that all lanes of a warp must reach together, that is the finding.
bool BlockRunner::freeParkedLanes(WarpState& warp) {
    u32 parked = 0;
    for (const Meeting& meeting : warp.paths.meetings())
        parked |= meeting.arrived;
    if (!parked) return false;
    for (const Path& path : warp.paths.others()) {
        if (path.state != Path::State::AtBarrier) continue;
        const Op& op = program_.ops[path.op];
        u32 here = 0;  // with lanes of other paths that wait at the same instruction
        for (const Path& other : warp.paths.others())
            if (other.state == Path::State::AtBarrier && other.op == path.op) here |= other.mask;
        if (program_.barriers[op.aux].aligned)
            reportDivergence(warp, op.pc, here, warp.paths.alive() & ~here);
    }
    return warp.paths.breakMeetings();
}

// Deadlock: no warp can run. Every waiting thread is reported; then the first group continues as if the
// others had arrived.
void BlockRunner::resolveDeadlock() {
    for (WarpState& warp : warps_)
        for (const Path& path : warp.paths.others())
            reportDivergence(warp, program_.ops[path.op].pc, path.mask, warp.paths.alive() & ~path.mask);
    for (WarpState& warp : warps_)
        if (completeWarpSyncs(warp, true)) return;
    if (barriers_.inUse()) releaseBarrier(u32(std::countr_zero(barriers_.inUse())));
}

}  // namespace lockstep::simt
