#include "time/model/sm.h"

#include "base/check.h"

#include <algorithm>
#include <bit>

namespace lockstep::time {
namespace {

constexpr std::size_t kOnTheWay = 4096;  // a power of two

using sass::Opcode;
using sass::Pipe;

}  // namespace

Sm::Sm(const SmSettings& settings, LaunchState& launch, MemorySystem& memory, StallTable& stalls,
       StallTable& exposed)
    : settings_(settings),
      launch_(launch),
      memory_(memory),
      stalls_(stalls),
      exposed_(exposed),
      l1_(settings.l1Bytes),
      onTheWay_(kOnTheWay) {
    for (Subcore& core : cores_)
        core.wakeAt.fill(kNever);
    codeLines_.assign(settings.ops->empty() ? 1 : settings.ops->back().codeLine + 1, 0);
    constantLines_.assign(firstConstantLine(*settings.program, kConstantBanks), 0);
}

void Sm::tell(ResidentWarp& warp, Stall reason, u64 until, u32 issue, const ResidentWarp* last) {
    if (until <= warp.since) return;
    stalls_[warp.instruction][std::size_t(reason)] += until - warp.since;
    if (until <= now_) {
        exposed_[warp.instruction][std::size_t(reason)] +=
            until - warp.since - cores_[warp.subcore].issued.between(warp.since, until);
    } else {
        CHECK_LT(warp.aheadCount, ResidentWarp::kMostAhead, "each reason waits once before an issue");
        warp.ahead[warp.aheadCount++] = {
            .begin = warp.since, .end = until, .instruction = warp.instruction, .reason = reason};
    }
    if (record)
        record->warps[warp.order].waits.push_back({.begin = warp.since,
                                                   .end = until,
                                                   .instruction = warp.instruction,
                                                   .reason = reason,
                                                   .issue = issue,
                                                   .warp = last ? u32(last->order) : kNotRecorded});
    warp.since = until;
}

void Sm::tellExposed(ResidentWarp& warp) {
    const IssueCycles& issued = cores_[warp.subcore].issued;
    for (u32 i = 0; i < warp.aheadCount; ++i) {
        const ResidentWarp::Ahead& wait = warp.ahead[i];
        exposed_[wait.instruction][std::size_t(wait.reason)] +=
            wait.end - wait.begin - issued.between(wait.begin, wait.end);
    }
    warp.aheadCount = 0;
}

void Sm::noteBusy(const ResidentWarp& warp, u64 until) const {
    if (record) record->warps[warp.order].issues.back().busyUntil = until;
}

void Sm::noteRequest(const ResidentWarp& warp, RequestRecord request) const {
    if (!record) return;
    IssueRecord& issue = record->warps[warp.order].issues.back();
    request.begin = issue.cycle;
    request.warp = u32(warp.order);
    request.issue = warp.issues;
    issue.request = u32(record->requests.size());
    record->requests.push_back(request);
}

void Sm::wake(const ResidentWarp& warp, u64 at) {
    wakeAt(warp) = at;
    Subcore& core = cores_[warp.subcore];
    core.next = std::min(core.next, at);
    next_ = std::min(next_, at);
}

// A line that is not there comes from L2, and the next ones follow it. Measured: docs/internals/time.md,
// "Instructions".
u64 Sm::fetched(u32 line, u64 now) {
    const TimeProfile& times = *settings_.times;
    if (line >= codeLines_.size()) return now;
    if (codeLines_[line]) return codeLines_[line];
    const bool isRepeated = settings_.isRepeated;
    const u32 firstCycles = isRepeated ? times.repeatedFirstLineCycles : times.firstLineCycles;
    const u32 nextCycles = isRepeated ? times.repeatedNextLineCycles : times.nextLineCycles;
    u64 at = line == lastCodeLine_ + 1 ? std::max(now, lastCodeAt_) + nextCycles
                                       : memory_.firstUse(line, false, now) + firstCycles;
    const u64 first = at;
    for (u32 l = line; l <= line + times.linesAhead && l < codeLines_.size(); ++l) {
        if (l != line) {
            if (codeLines_[l]) break;
            at += nextCycles;
        }
        codeLines_[l] = at;
        lastCodeLine_ = l;
        lastCodeAt_ = at;
    }
    return first;
}

u64 Sm::constantAt(s32 line, u64 now) {
    if (line < 0 || std::size_t(line) >= constantLines_.size()) return now;
    u64& at = constantLines_[std::size_t(line)];
    if (!at) at = memory_.firstUse(u32(line), true, now) + settings_.times->constantLineCycles;
    return at;
}

void Sm::start(u64 number, Dim3 at, u64 cycle) {
    auto free = std::ranges::find(blocks_, true, &ResidentBlock::isFree);
    if (free == blocks_.end()) {
        blocks_.emplace_back();
        free = blocks_.end() - 1;
    }
    ResidentBlock& block = *free;
    block.isFree = false;
    block.number = number;
    block.arrived = 0;
    block.barrierOpens = 0;
    startBlock(block.state, launch_, *settings_.program, at);
    block.warpsLeft = u32(block.state.warps.size());
    ++resident_;
    const u64 begins =
        cycle + (hasStarted_ ? settings_.times->nextBlockCycles : settings_.times->firstBlockCycles);
    if (resident_ == 1) activeSince_ = std::max(cycle, counts_.lastActive);
    hasStarted_ = true;
    lastStart_ = cycle;
    for (u32 i = 0; i < block.state.warps.size(); ++i) {
        u32 which = u32(warpsSoFar_ % kSubcores);
        for (u32 tried = 0; tried < kSubcores && cores_[which].used == (1u << kWarpsOfSubcore) - 1; ++tried)
            which = (which + 1) % kSubcores;
        Subcore& core = cores_[which];
        const u32 slot = u32(std::countr_one(core.used));
        CHECK_LT(slot, kWarpsOfSubcore, "as many blocks are resident as have room");
        core.used |= 1u << slot;
        ResidentWarp& warp = core.warps[slot];
        warp = {};
        warp.state = &block.state.warps[i];
        warp.block = &block;
        warp.order = warpsSoFar_++;
        warp.isUsed = true;
        warp.subcore = u8(which);
        warp.slot = u8(slot);
        warp.since = begins + u64{i} * settings_.times->warpGapCycles;
        if (record)
            record->warps.push_back({.block = number,
                                     .warpOfBlock = i,
                                     .subcore = u8(which),
                                     .begin = warp.since,
                                     .end = warp.since,
                                     .issues = {},
                                     .waits = {}});
        warp.codeLine = settings_.ops->front().codeLine;
        const u64 ready = std::max(warp.since, fetched(warp.codeLine, warp.since));
        tell(warp, Stall::NoInstruction, ready);
        u64 wakes = ready;
        const TimedOp& op = settings_.ops->front();
        if (op.isConstantOperand) {
            wakes = std::max(wakes, constantAt(op.constantLine, ready));
            tell(warp, Stall::ImcMiss, wakes);
        }
        warp.reason = Stall::NotSelected;
        wake(warp, wakes);
    }
}

void Sm::runUntil(u64 cycle) {
    while (next_ < cycle) {
        const u64 now = next_;
        next_ = kNever;
        for (u32 which = 0; which < kSubcores; ++which)
            if (cores_[which].next <= now) {
                cores_[which].next = kNever;
                const u64 next = runSubcore(which, now);
                cores_[which].next = std::min(cores_[which].next, next);
            }
        for (const Subcore& core : cores_)
            next_ = std::min(next_, core.next);
    }
}

Sm::Free Sm::pipeFree(Subcore& core, const TimedOp& op, u64 now) const {
    const auto queued = [&](Queue& queue, Stall reason) {
        return queue.isFull(now, settings_.times->queueEntries) ? Free{queue.firstLeaves(), reason} : Free{};
    };
    switch (op.pipe) {
        case Pipe::Fma: return {std::min(core.heavyFree, core.liteFree), Stall::MathPipeThrottle};
        case Pipe::FmaHeavy: return {core.heavyFree, Stall::MathPipeThrottle};
        case Pipe::Half: return {std::max(core.heavyFree, core.liteFree), Stall::MathPipeThrottle};
        case Pipe::Alu: return {core.aluFree, Stall::MathPipeThrottle};
        case Pipe::Xu: return {core.xuFree, Stall::MathPipeThrottle};
        case Pipe::Fp64: return {core.doubleFree, Stall::MathPipeThrottle};
        case Pipe::Tensor: return {core.tensorFree, Stall::MathPipeThrottle};
        case Pipe::Uniform: return {core.uniformFree, Stall::MathPipeThrottle};
        case Pipe::Lsu:
        case Pipe::Adu: return queued(core.mio, Stall::MioThrottle);
        case Pipe::Global: return queued(core.lg, Stall::LgThrottle);
        case Pipe::Cbu:
        case Pipe::None: break;
    }
    return {};
}

// Greedy, then the youngest: measured, docs/internals/time.md, "Scheduler". Who waits for a full queue gets
// in before others, the longest waiting first: else warps that share tiles wait at their barrier instead of
// for the queue, unlike a GPU's.
bool Sm::goesFirst(const Subcore& core, const ResidentWarp& warp, const ResidentWarp& other) {
    const auto hasQueued = [](const ResidentWarp& each) {
        return each.reason == Stall::MioThrottle || each.reason == Stall::LgThrottle;
    };
    if (hasQueued(warp) != hasQueued(other)) return hasQueued(warp);
    if (hasQueued(warp)) return warp.since < other.since;
    return s32(warp.slot) == core.last || (s32(other.slot) != core.last && warp.order > other.order);
}

// A turn ends with the warp, or where it waits at a barrier; the warp that came first has the next one. Warps
// that end do so whoever's turn it is.
u32 Sm::whoseTurn(Subcore& core, u32 awake) {
    const auto isHeld = [&](s32 slot) {
        if (slot < 0 || !(core.used >> slot & 1)) return false;
        const ResidentWarp& warp = core.warps[std::size_t(slot)];
        return !warp.isEnding && !warp.isAtBarrier;
    };
    u32 ending = 0;
    s32 first = -1;
    for (u32 left = awake; left; left &= left - 1) {
        const s32 slot = std::countr_zero(left);
        const ResidentWarp& warp = core.warps[std::size_t(slot)];
        if (warp.isEnding)
            ending |= 1u << slot;
        else if (first < 0 || warp.order < core.warps[std::size_t(first)].order)
            first = slot;
    }
    if (!isHeld(core.turn)) core.turn = first;
    return ending | (core.turn < 0 ? 0 : awake & 1u << core.turn);
}

u64 Sm::runSubcore(u32 which, u64 now) {
    Subcore& core = cores_[which];
    now_ = now;
    u64 next = kNever;
    u32 ready = 0;
    s32 chosen = -1;
    const auto waits = [&](ResidentWarp& warp, Stall reason) {
        if (warp.reason == reason) return;
        tell(warp, warp.reason, now);
        warp.reason = reason;
    };
    u32 awake = 0;
    for (u32 slot = 0; slot < kWarpsOfSubcore; ++slot) {
        const u64 at = core.wakeAt[slot];
        awake |= u32(at <= now) << slot;
        next = std::min(next, at <= now ? kNever : at);
    }
    if (settings_.change == Change::OneWarpAtATime) {
        const u32 turn = whoseTurn(core, awake);
        // Who is held back is asked again: the turn may have passed on by then.
        if (awake != turn) next = now + 1;
        awake = turn;
    }
    for (u32 left = awake; left; left &= left - 1) {
        const u32 slot = u32(std::countr_zero(left));
        ResidentWarp& warp = core.warps[slot];
        if (warp.isEnding) {
            finish(warp, now);
            continue;
        }
        const TimedOp& op = (*settings_.ops)[warp.instruction];
        const Free free =
            core.blockedUntil > now ? Free{core.blockedUntil, Stall::DispatchStall} : pipeFree(core, op, now);
        if (free.at > now) {
            waits(warp, free.reason);
            next = std::min(next, free.at);
            continue;
        }
        ready |= 1u << slot;
        if (chosen < 0 || goesFirst(core, warp, core.warps[std::size_t(chosen)])) chosen = s32(slot);
    }
    if (chosen < 0) return next;
    for (u32 left = ready & ~(1u << chosen); left; left &= left - 1)
        waits(core.warps[std::size_t(std::countr_zero(left))], Stall::NotSelected);
    if (ready & ~(1u << chosen)) next = now + 1;
    issue(which, u32(chosen), now);
    return std::min(next, core.wakeAt[std::size_t(chosen)]);
}

void Sm::issue(u32 which, u32 slot, u64 now) {
    Subcore& core = cores_[which];
    ResidentWarp& warp = core.warps[slot];
    tell(warp, warp.reason, now);
    tellExposed(warp);
    core.issued.add(now);
    const u32 instruction = warp.instruction;
    const TimedOp& op = (*settings_.ops)[instruction];
    ++stalls_[instruction][std::size_t(Stall::Selected)];
    warp.state->clock = now;
    const Step step = time::step(*warp.state);
    ++counts_.warpInstructions;
    counts_.threadInstructions += u64(std::popcount(step.lanes));
    if (record) {
        const bool isAccess = step.op->space != MemorySpace::None && step.lanes;
        record->warps[warp.order].issues.push_back(
            {.cycle = now,
             .busyUntil = now + op.intervalCycles,
             .instruction = instruction,
             .lanes = step.lanes,
             .address = isAccess ? warp.state->access.addresses[LaneMask{step.lanes}.lowest().value] : 0});
    }
    warp.issuedAt = now;
    warp.since = now + 1;
    core.last = s32(slot);
    occupy(core, warp, s32(slot), op, step, now);
    prepare(warp, op, step, now);
    ++warp.issues;
}

void Sm::arrive(ResidentWarp& warp, u64 now) {
    ResidentBlock& block = *warp.block;
    barrierFree_ = std::max(barrierFree_, now) + settings_.times->barrierPerWarpCycles;
    block.barrierOpens = std::max(block.barrierOpens, barrierFree_ + settings_.times->barrierCycles);
    if (settings_.change == Change::NoBarriers) return openBarrier(block, now + 1, warp);
    if (++block.arrived == block.warpsLeft) openBarrier(block, block.barrierOpens, warp);
}

void Sm::openBarrier(ResidentBlock& block, u64 at, const ResidentWarp& last) {
    block.arrived = 0;
    block.barrierOpens = 0;
    for (Subcore& core : cores_)
        for (u32 left = core.used; left; left &= left - 1) {
            ResidentWarp& warp = core.warps[std::size_t(std::countr_zero(left))];
            if (warp.block != &block || !(warp.isAtBarrier || warp.isBehindBarrier)) continue;
            warp.barrierOpens = at;
            warp.cameLast = &last;
            if (!warp.isAtBarrier) continue;  // it is not blocked yet
            if (!warp.isBehindBarrier) passBlockBarrier(*warp.state);
            u64 wakes = leavesBarrier(warp);
            warp.instruction = warp.state->path().at;
            const TimedOp& op = (*settings_.ops)[warp.instruction];
            if (op.codeLine != warp.codeLine) {
                warp.codeLine = op.codeLine;
                wakes = std::max(wakes, fetched(op.codeLine, warp.barrierSince));
                tell(warp, Stall::NoInstruction, wakes);
            }
            for (u32 c = 0; c < warp.counterAt.size(); ++c)
                if (const Awaited counter = awaited(warp, op, c); counter.until > wakes) {
                    wakes = counter.until;
                    tell(warp, warp.counterKind[c], wakes, counter.issue);
                }
            if (op.isConstantOperand) {
                wakes = std::max(wakes, constantAt(op.constantLine, wakes));
                tell(warp, Stall::ImcMiss, wakes);
            }
            warp.reason = Stall::NotSelected;
            wake(warp, wakes);
        }
}

// Whether an instruction that may issue at `ready` does so although the barrier before it has not opened: one
// that touches neither memory nor the block, and waits for no result that is late.
bool Sm::goesAhead(const ResidentWarp& warp, u32 instruction, u64 ready) const {
    const TimedOp& op = (*settings_.ops)[instruction];
    if (op.pipe == Pipe::Lsu || op.pipe == Pipe::Adu || op.pipe == Pipe::Global || op.pipe == Pipe::Cbu)
        return false;
    for (u32 c = 0; c < warp.counterAt.size(); ++c)
        ready = std::max(ready, awaited(warp, op, c).until);
    return ready < warp.blocksAt;
}

// Of a warp that has arrived at a barrier and may issue again at `ready`: whether it waits there for others
// that have not come. Once it is blocked it waits for the barrier, whatever else it waits for.
bool Sm::waitsAtBarrier(ResidentWarp& warp, u64& ready) {
    if (warp.isBehindBarrier && goesAhead(warp, warp.instruction, ready)) {
        tell(warp, Stall::Wait, ready);
        return false;
    }
    tell(warp, Stall::Wait, std::min(ready, warp.blocksAt));
    warp.readyAt = ready;
    if (warp.barrierOpens == kNever) {
        warp.isAtBarrier = true;
        wakeAt(warp) = kNever;
        return true;
    }
    ready = leavesBarrier(warp);
    return false;
}

// When its next instruction may issue.
u64 Sm::leavesBarrier(ResidentWarp& warp) {
    tell(warp, Stall::Barrier, warp.barrierOpens, kNotRecorded, warp.cameLast);
    tell(warp, Stall::Wait, warp.readyAt);
    warp.isAtBarrier = warp.isBehindBarrier = false;
    return std::max(warp.barrierOpens, warp.readyAt);
}

// What the warp waits for before its next instruction, as far as its own past decides.
void Sm::prepare(ResidentWarp& warp, const TimedOp& issued, const Step& step, u64 now) {
    const TimeProfile& times = *settings_.times;
    WarpState& state = *warp.state;
    u64 ready = now + std::max<u64>(1, issued.control.stallCycles);
    if (state.isDone()) {
        tell(warp, Stall::Wait, ready);
        tell(warp, Stall::BranchResolving, now + times.exitBranchCycles);
        tell(warp, Stall::Drain, warp.storesEnd);
        // Its place is free later than it is gone itself.
        warp.isEnding = true;
        wakeAt(warp) = std::max({now + times.exitCycles, warp.storesEnd, now + 1});
        return;
    }
    if (step.isBlocked) {
        warp.barrierSince = now;
        if (!isAtBlockBarrier(state)) {
            tell(warp, Stall::Wait, ready);
            wakeAt(warp) = kNever;  // its lanes wait for each other without end: Sm::isStuck
            return;
        }
        warp.blocksAt = now + times.barrierBlocksCycles;
        warp.barrierOpens = kNever;
        if (state.paths.size() != 1 || !goesAhead(warp, state.paths[0].at + 1, ready)) {
            waitsAtBarrier(warp, ready);
            return arrive(warp, now);
        }
        passBlockBarrier(state);
        warp.isBehindBarrier = true;
        arrive(warp, now);
    }
    const u32 at = state.path().at;
    warp.instruction = at;
    const TimedOp& op = (*settings_.ops)[at];
    if (!warp.isBehindBarrier)
        tell(warp, Stall::Wait, ready);
    else if (waitsAtBarrier(warp, ready))
        return;
    const bool jumps = at != step.instruction + 1;
    if (step.isTaken) {
        ready += times.branchTakenCycles;
    } else if (jumps) {
        ready += times.switchPathCycles;
    }
    tell(warp, Stall::BranchResolving, ready);
    if (step.op->instruction->row->opcode == Opcode::MemBar && warp.storesEnd > ready) {
        ready = warp.storesEnd;
        tell(warp, Stall::Membar, ready);
    }
    if (op.codeLine != warp.codeLine) {
        warp.codeLine = op.codeLine;
        ready = std::max(ready, fetched(op.codeLine, jumps ? ready : now));
        tell(warp, Stall::NoInstruction, ready);
    }
    u64 counters = 0;
    Stall kind = Stall::ShortScoreboard;
    u32 raisedBy = kNotRecorded;
    for (u32 c = 0; c < warp.counterAt.size(); ++c)
        if (const Awaited counter = awaited(warp, op, c); counter.until > counters) {
            counters = counter.until;
            kind = warp.counterKind[c];
            raisedBy = counter.issue;
        }
    if (counters > ready) {
        ready = counters;
        tell(warp, kind, ready, raisedBy);
    }
    if (op.isConstantOperand) {
        ready = std::max(ready, constantAt(op.constantLine, ready));
        tell(warp, Stall::ImcMiss, ready);
    }
    warp.reason = Stall::NotSelected;
    wakeAt(warp) = ready;
}

void Sm::finish(ResidentWarp& warp, u64 now) {
    Subcore& core = cores_[warp.subcore];
    tellExposed(warp);
    core.used &= ~(1u << warp.slot);
    core.wakeAt[warp.slot] = kNever;
    if (core.last == s32(warp.slot)) core.last = -1;
    if (record) record->warps[warp.order].end = warp.since;
    warp.isUsed = false;
    ResidentBlock& block = *warp.block;
    if (--block.warpsLeft == 0) {
        block.isFree = true;
        --resident_;
        counts_.lastActive = std::max(counts_.lastActive, now);
        if (!resident_)
            counts_.activeCycles += counts_.lastActive - std::min(activeSince_, counts_.lastActive);
        if (whenBlockEnds) whenBlockEnds(now);
    } else if (block.arrived && block.arrived == block.warpsLeft) {
        openBarrier(block, std::max(block.barrierOpens, now + settings_.times->barrierCycles), warp);
    }
}

}  // namespace lockstep::time
