#include "time/model/sm.h"

#include "base/check.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

namespace lockstep::time {
namespace {

using sass::InstructionClass;
using sass::Opcode;
using sass::Pipe;

// Of the way of an instruction: from issue to its queue's way out, and to the units behind it. Chosen so that
// an access without conflicts has the latency of its class.
constexpr u64 kToLsu = 2, kToAdu = 1, kToTag = 3;
// From the way out to where the operands have been read.
constexpr u64 kLoadOperandsRead = 7, kStoreOperandsRead = 10, kSpecialOperandsRead = 6;
// Stores that wait behind the data stage hold up their queue only beyond this.
constexpr u64 kStoreSlack = 16;
constexpr std::size_t kOnTheWay = 4096;
// Local memory has addresses of its own in L1, by block, warp and word.
constexpr u64 kLocalLines = u64{1} << 56;

}  // namespace

Sm::Sm(const SmSettings& settings, LaunchState& launch, MemorySystem& memory, StallTable& stalls)
    : settings_(settings),
      launch_(launch),
      memory_(memory),
      stalls_(stalls),
      l1_(settings.l1Bytes),
      onTheWay_(kOnTheWay) {
    codeLines_.assign(settings.ops->empty() ? 1 : settings.ops->back().codeLine + 1, 0);
    constantLines_.assign(settings.program->constants.size() / kConstantLineBytes + 2, 0);
}

Sm::Subcore& Sm::coreOf(const ResidentWarp& warp) {
    for (Subcore& core : cores_)
        if (&warp >= core.warps.data() && &warp < core.warps.data() + core.warps.size()) return core;
    CHECK(false, "every resident warp is one of a sub-core's");
    return cores_[0];
}

void Sm::tell(ResidentWarp& warp, Stall reason, u64 until, u32 issue, const ResidentWarp* last) {
    if (until <= warp.since) return;
    stalls_[warp.instruction][std::size_t(reason)] += until - warp.since;
    if (record)
        record->warps[warp.order].waits.push_back({.begin = warp.since,
                                                   .end = until,
                                                   .instruction = warp.instruction,
                                                   .reason = reason,
                                                   .issue = issue,
                                                   .warp = last ? u32(last->order) : kNotRecorded});
    warp.since = until;
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

void Sm::wake(ResidentWarp& warp, u64 at) {
    warp.wakeAt = at;
    Subcore& core = coreOf(warp);
    core.next = std::min(core.next, at);
    next_ = std::min(next_, at);
}

// A line that is not there comes from L2, and the next ones follow it. Measured: docs/internals/time.md,
// "Instructions".
u64 Sm::fetched(u32 line, u64 now) {
    const TimeProfile& times = *settings_.times;
    if (line >= codeLines_.size()) return now;
    if (codeLines_[line]) return codeLines_[line];
    constexpr u32 kAhead = 2;
    const bool isRepeated = settings_.isRepeated;
    const u32 firstCycles = isRepeated ? times.repeatedFirstLineCycles : times.firstLineCycles;
    const u32 nextCycles = isRepeated ? times.repeatedNextLineCycles : times.nextLineCycles;
    u64 at = line == lastCodeLine_ + 1 ? std::max(now, lastCodeAt_) + nextCycles : now + firstCycles;
    const u64 first = at;
    for (u32 l = line; l <= line + kAhead && l < codeLines_.size(); ++l) {
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
    if (!at) at = now + settings_.times->constantLineCycles;
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
    if (!hasStarted_) counts_.firstActive = cycle;
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

// Greedy, then the youngest: measured, docs/internals/time.md, "Scheduler".
u64 Sm::runSubcore(u32 which, u64 now) {
    Subcore& core = cores_[which];
    u64 next = kNever;
    u32 ready = 0;
    s32 chosen = -1;
    const auto waits = [&](ResidentWarp& warp, Stall reason) {
        if (warp.reason == reason) return;
        tell(warp, warp.reason, now);
        warp.reason = reason;
    };
    for (u32 left = core.used; left; left &= left - 1) {
        const u32 slot = u32(std::countr_zero(left));
        ResidentWarp& warp = core.warps[slot];
        if (warp.wakeAt > now) {
            next = std::min(next, warp.wakeAt);
            continue;
        }
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
        if (s32(slot) == core.last || chosen < 0 ||
            (chosen != core.last && warp.order > core.warps[std::size_t(chosen)].order))
            chosen = s32(slot);
    }
    if (chosen < 0) return next;
    for (u32 left = ready & ~(1u << chosen); left; left &= left - 1)
        waits(core.warps[std::size_t(std::countr_zero(left))], Stall::NotSelected);
    if (ready & ~(1u << chosen)) next = now + 1;
    issue(which, u32(chosen), now);
    return std::min(next,
                    core.warps[std::size_t(chosen)].isUsed ? core.warps[std::size_t(chosen)].wakeAt : next);
}

void Sm::issue(u32 which, u32 slot, u64 now) {
    Subcore& core = cores_[which];
    ResidentWarp& warp = core.warps[slot];
    tell(warp, warp.reason, now);
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

void Sm::raise(ResidentWarp& warp, u8 counter, u64 until, Stall kind) const {
    if (counter >= warp.counterAt.size()) return;
    if (until > warp.counterAt[counter]) {
        warp.counterAt[counter] = until;
        warp.counterKind[counter] = kind;
        warp.counterIssue[counter] = warp.issues;
    }
}

void Sm::occupy(Subcore& core, ResidentWarp& warp, s32 slot, const TimedOp& op, const Step& step, u64 now) {
    if (op.usesBanks) {
        // Two banks, even and odd registers, a read a cycle each; a register that two operands name, or that
        // the operand cache holds, is read once or not at all.
        std::array<u32, 2> reads{};
        for (std::size_t i = 0; i < op.reads.size(); ++i) {
            const u8 number = op.reads[i];
            if (number == sass::kZeroRegister) continue;
            const bool isHeld = core.reusedBy == slot && core.reused[i] == number;
            const bool isRepeated = std::find(op.reads.begin(), op.reads.begin() + std::ptrdiff_t(i),
                                              number) != op.reads.begin() + std::ptrdiff_t(i);
            if (!isHeld && !isRepeated) ++reads[number % 2];
        }
        const u32 most = std::max(reads[0], reads[1]);
        if (most > 1) core.blockedUntil = now + most;
    }
    core.reusedBy = op.control.reuse ? slot : -1;
    for (std::size_t i = 0; i < core.reused.size(); ++i)
        core.reused[i] = op.control.reuse >> i & 1 ? op.reads[i] : sass::kZeroRegister;

    const u64 busy = now + op.intervalCycles;
    switch (op.pipe) {
        case Pipe::Fma: (core.liteFree <= now ? core.liteFree : core.heavyFree) = busy; break;
        case Pipe::FmaHeavy: core.heavyFree = busy; break;
        case Pipe::Half: core.heavyFree = core.liteFree = busy; break;
        case Pipe::Alu: core.aluFree = busy; break;
        case Pipe::Fp64: core.doubleFree = busy; break;
        case Pipe::Tensor: core.tensorFree = busy; break;
        case Pipe::Uniform: core.uniformFree = busy; break;
        case Pipe::Xu:
            core.xuFree = busy;
            raise(warp, op.control.writeCounter, now + op.latencyCycles, Stall::ShortScoreboard);
            raise(warp, op.control.readCounter, now + kSpecialOperandsRead, Stall::ShortScoreboard);
            break;
        case Pipe::Lsu: throughLsu(core, warp, op, step, now); break;
        case Pipe::Adu: throughAdu(core, warp, op, step, now); break;
        case Pipe::Global: throughGlobal(core, warp, op, step, now); break;
        case Pipe::Cbu:
        case Pipe::None: break;
    }
}

void Sm::throughLsu(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now) {
    const TimeProfile& times = *settings_.times;
    const Op& what = *step.op;
    const MemoryAccess& access = warp.state->access;
    const bool isMemory = what.space == MemorySpace::Shared && step.lanes;
    u64 wavefronts = 1, latency = op.latencyCycles, interval = op.intervalCycles;
    if (isMemory) {
        const bool isAtomic = what.action == MemoryAction::Atomic;
        const sass::Modifiers& modifiers = what.instruction->modifiers;
        if (isAtomic && !modifiers.has(sass::Modifier::Popc)) {
            wavefronts = std::max(1u, atomicPasses(access));
            if (modifiers.has(sass::Modifier::Cas) || modifiers.has(sass::Modifier::Cast)) {
                wavefronts *= 2;
                latency = times.sharedSwapCycles - 2;  // of a pass; the other is in the wavefronts
            }
        } else {
            wavefronts = std::max(1u, wavefrontsOf(access, *settings_.profile));
        }
        counts_.sharedWavefronts += wavefronts;
        if (op.timing == InstructionClass::SharedStore)
            interval += access.widthBytes == 8    ? times.wideStoreCycles
                        : access.widthBytes == 16 ? times.widestStoreCycles
                                                  : 0;
        if (op.timing == InstructionClass::SharedLoad)
            latency += access.widthBytes == 8    ? times.wideLoadCycles
                       : access.widthBytes == 16 ? times.widestLoadCycles
                                                 : 0;
    }
    if (op.timing == InstructionClass::Shuffle && what.sources[1].kind == Source::Kind::Register &&
        what.sources[1].number != sass::kZeroRegister)
        latency += times.shuffleByRegisterCycles;
    const u64 out = std::max(core.portFree, now + kToLsu), data = std::max(dataFree_, out);
    const u64 spread = times.subcoreWavefrontCycles * wavefronts;
    dataFree_ = data + wavefronts;
    core.portFree = std::max(out + std::max(interval, spread), data + 1);
    const u64 leaves = std::max(out + interval - 1, data);
    core.mio.add(leaves);
    noteBusy(warp, leaves);
    const u64 done =
        std::max(data + wavefronts, out + spread) + latency - kToLsu - times.subcoreWavefrontCycles;
    if (isMemory)
        noteRequest(
            warp,
            {.end = done, .isStore = what.action == MemoryAction::Store, .wavefronts = u32(wavefronts)});
    raise(warp, op.control.writeCounter, done, Stall::ShortScoreboard);
    raise(warp, op.control.readCounter,
          out + (op.timing == InstructionClass::SharedStore ? kStoreOperandsRead : kLoadOperandsRead),
          Stall::ShortScoreboard);
}

void Sm::throughAdu(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now) {
    const TimeProfile& times = *settings_.times;
    const u64 begins = std::max({core.portFree, now + kToAdu, aduFree_});
    core.portFree = begins + 1;
    core.mio.add(begins);
    noteBusy(warp, begins);
    if (op.timing == InstructionClass::Barrier) return;  // prepare() sees who arrives
    u64 further = 0;
    if (op.timing == InstructionClass::Constant && step.lanes) {
        const MemoryAccess& access = warp.state->access;
        std::array<u64, kWarpSize> distinct;
        u32 count = 0;
        const bool isFixed = op.constantLine >= 0;  // one place for all lanes
        for (const Lane lane : LaneMask{isFixed ? 0 : step.lanes}) {
            const u64 address = access.addresses[lane.value];
            if (std::find(distinct.begin(), distinct.begin() + count, address) == distinct.begin() + count)
                distinct[count++] = address;
        }
        further = u64{std::max(count, 1u) - 1} * times.constantPerAddressCycles;
    } else if (op.timing == InstructionClass::Match && step.lanes) {
        Lanes scratch{};
        const u8 number = step.op->sources[0].number;
        const Lanes& values = number == sass::kZeroRegister ? scratch : warp.state->registers[number];
        std::unordered_set<u32> distinct;
        for (const Lane lane : LaneMask{step.lanes})
            distinct.insert(values[lane.value]);
        further = (distinct.size() - 1) * times.matchPerValueCycles;
    }
    aduFree_ = begins + times.aduCycles + further;
    u64 done = begins + op.latencyCycles - kToAdu + further;
    if (op.constantLine >= 0)
        done = std::max(done, constantAt(op.constantLine, now) + op.latencyCycles - kToAdu);
    raise(warp, op.control.writeCounter, done, Stall::ShortScoreboard);
    raise(warp, op.control.readCounter, begins + kLoadOperandsRead, Stall::ShortScoreboard);
}

void Sm::load(ResidentWarp& warp, const TimedOp& op, u64 tag, u64 data, u32 wavefronts) {
    const TimeProfile& times = *settings_.times;
    const MemoryAccess& access = warp.state->access;
    const bool isLocal = access.space == MemorySpace::Local;
    const u64 toData = kToTag + 1;
    u64 done = data + u64{times.perWavefrontCycles} * wavefronts - 1 + op.latencyCycles - toData -
               (times.perWavefrontCycles - 1);
    if (access.widthBytes == 16) done += times.globalWidestLoadCycles;
    RequestRecord request{.level = MemoryLevel::L1, .sectors = touched_.sectors(), .wavefronts = wavefronts};
    const auto wait = [&](u64 at, MemoryLevel level) {
        if (at > done) done = at, request.level = level;
    };
    const u64 local = kLocalLines + (warp.block->number << 24) + (u64{warp.state->number} << 14);
    for (const TouchedLine& touched : touched_.lines()) {
        const u64 line = isLocal ? local + touched.line : touched.line;
        OnTheWay& way = onTheWay_[(line ^ line >> 12) & (kOnTheWay - 1)];
        if (way.line != line) way = {.line = line};
        const u32 hits = isLocal ? touched.sectors : l1_.load(line, touched.sectors);
        if (isLocal) l1_.load(line, touched.sectors);
        counts_.l1LoadHits += isLocal ? 0 : u64(std::popcount(hits));
        request.l1 += u32(std::popcount(hits));
        for (u32 s = 0; s < 4; ++s)
            if (hits >> s & 1) wait(way.at[s], way.from);
        const u32 misses = touched.sectors & ~hits;
        if (!misses) continue;
        l2PortFree_ = std::max(l2PortFree_, f64(tag)) + std::popcount(misses) / times.smSectorsPerCycle;
        const MemorySystem::Read read = memory_.read(line, misses, u64(l2PortFree_));
        const u32 late = u32(std::popcount(read.late));
        way.from = late ? MemoryLevel::Dram : MemoryLevel::L2;
        request.dram += late;
        request.l2 += u32(std::popcount(misses)) - late;
        for (u32 s = 0; s < 4; ++s)
            if (misses >> s & 1) {
                way.at[s] = read.at[s] - toData;
                wait(way.at[s], read.late >> s & 1 ? MemoryLevel::Dram : MemoryLevel::L2);
            }
    }
    request.end = done;
    noteRequest(warp, request);
    if (op.timing == InstructionClass::AsyncCopy) {
        warp.asyncEnd = std::max(warp.asyncEnd, done + times.asyncCopyCycles);
    } else {
        raise(warp, op.control.writeCounter, done, Stall::LongScoreboard);
    }
}

void Sm::throughGlobal(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now) {
    const TimeProfile& times = *settings_.times;
    const Op& what = *step.op;
    if (op.timing == InstructionClass::Fence) {
        if (what.instruction->row->opcode == Opcode::LdgDepBar)
            raise(warp, op.control.writeCounter, warp.asyncEnd, Stall::LongScoreboard);
        return;
    }
    const MemoryAccess& access = warp.state->access;
    u64 interval = op.intervalCycles;
    u32 wavefronts = 1, tags = 1;
    if (step.lanes) {
        touched_.find(access);
        wavefronts = std::max(1u, wavefrontsOf(access, *settings_.profile));
        tags = (u32(touched_.lines().size()) + times.linesPerCycle - 1) / times.linesPerCycle;
    }
    if (op.timing == InstructionClass::GlobalStore)
        interval += access.widthBytes == 8    ? times.globalWideStoreCycles
                    : access.widthBytes == 16 ? times.globalWidestStoreCycles
                                              : 0;
    const u64 out = std::max(core.portFree, now + kToTag), tag = std::max(tagFree_, out);
    tagFree_ = tag + tags;
    const u64 data = std::max(dataFree_, tag + tags);
    dataFree_ = data + wavefronts;
    core.portFree = std::max(out + interval, tag + 1);
    u64 leaves = std::max({out + interval - 1, tag + tags, data});
    raise(warp, op.control.readCounter, tag + tags + kStoreOperandsRead, Stall::ShortScoreboard);
    if (!step.lanes) {
        raise(warp, op.control.writeCounter, tag + kStoreOperandsRead, Stall::ShortScoreboard);
        core.lg.add(leaves);
        noteBusy(warp, leaves);
        return;
    }
    const bool isGlobal = what.space == MemorySpace::Global;
    if (what.action == MemoryAction::Load || what.action == MemoryAction::AsyncCopy) {
        counts_.globalLoadSectors += isGlobal ? touched_.sectors() : 0;
        load(warp, op, tag, data, wavefronts);
    } else if (what.action == MemoryAction::Store && !isGlobal) {
        const u64 local = kLocalLines + (warp.block->number << 24) + (u64{warp.state->number} << 14);
        for (const TouchedLine& touched : touched_.lines())
            l1_.store(local + touched.line, touched.sectors, touched.whole);
        noteRequest(warp, {.end = data + wavefronts,
                           .level = MemoryLevel::L1,
                           .isStore = true,
                           .sectors = touched_.sectors(),
                           .wavefronts = wavefronts});
    } else {
        const bool isAtomic = what.action != MemoryAction::Store;
        const u32 whole = isAtomic ? 0 : touched_.wholeSectors(), all = touched_.sectors();
        const f64 way = times.storeRequestCycles + whole * times.storeWholeSectorCycles +
                        (all - whole) * times.storePartSectorCycles;
        storePortFree_ = std::max(storePortFree_, f64(data)) + way;
        const u64 sent = u64(storePortFree_);
        u64 done = sent;
        if (isAtomic) {
            std::array<u32, kWarpSize> sameWord{};
            for (const Lane lane : LaneMask{step.lanes})
                for (const Lane other : LaneMask{step.lanes})
                    sameWord[lane.value] += access.addresses[lane.value] == access.addresses[other.value];
            const u32 passes = std::ranges::max(sameWord);
            const f64 pace = what.action == MemoryAction::Atomic ? 1 : times.reductionPace;
            for (const TouchedLine& touched : touched_.lines()) {
                l1_.drop(touched.line, touched.sectors);
                done = std::max(done, memory_.atomic(touched.line, touched.sectors,
                                                     passes > 1 ? u32(passes * pace) : 0, sent));
            }
            // The next one waits behind accesses to one word, but for its own way out.
            if (passes > 1) storePortFree_ = std::max(storePortFree_, f64(done) - way);
            // The class's latency was measured on one line, its way out included.
            const u64 usual = kToTag + 2 + u64(times.storeRequestCycles + 4 * times.storePartSectorCycles);
            if (what.action == MemoryAction::Atomic)
                raise(warp, op.control.writeCounter, done + times.atomicCycles - usual,
                      Stall::LongScoreboard);
        } else {
            counts_.globalStoreSectors += all;
            const bool isAlone = touched_.lines().size() == 1;
            for (const TouchedLine& touched : touched_.lines()) {
                l1_.store(touched.line, touched.sectors, touched.whole);
                done = std::max(done, memory_.store(touched.line, touched.sectors, touched.whole,
                                                    touched.words, isAlone, sent));
            }
        }
        warp.storesEnd = std::max(warp.storesEnd, done + times.storeDrainCycles);
        noteRequest(warp, {.end = done,
                           .level = MemoryLevel::L2,
                           .isStore = true,
                           .sectors = all,
                           .wavefronts = wavefronts});
        const u64 gone = u64(storePortFree_);
        if (gone > kStoreSlack) leaves = std::max(leaves, gone - kStoreSlack);
    }
    core.lg.add(leaves);
    noteBusy(warp, leaves);
}

void Sm::arrive(ResidentWarp& warp, u64 now) {
    ResidentBlock& block = *warp.block;
    barrierFree_ = std::max(barrierFree_, now) + settings_.times->barrierPerWarpCycles;
    block.barrierOpens = std::max(block.barrierOpens, barrierFree_ + settings_.times->barrierCycles);
    warp.isAtBarrier = true;
    warp.wakeAt = kNever;
    if (++block.arrived == block.warpsLeft) openBarrier(block, block.barrierOpens, warp);
}

void Sm::openBarrier(ResidentBlock& block, u64 at, const ResidentWarp& last) {
    block.arrived = 0;
    block.barrierOpens = 0;
    for (Subcore& core : cores_)
        for (u32 left = core.used; left; left &= left - 1) {
            ResidentWarp& warp = core.warps[std::size_t(std::countr_zero(left))];
            if (warp.block != &block || !warp.isAtBarrier) continue;
            warp.isAtBarrier = false;
            passBlockBarrier(*warp.state);
            warp.instruction = warp.state->path().at;
            tell(warp, Stall::Barrier, at, kNotRecorded, &last);
            const TimedOp& op = (*settings_.ops)[warp.instruction];
            u64 wakes = at;
            if (op.codeLine != warp.codeLine) {
                warp.codeLine = op.codeLine;
                wakes = std::max(wakes, fetched(op.codeLine, warp.barrierSince));
                tell(warp, Stall::NoInstruction, wakes);
            }
            for (std::size_t c = 0; c < warp.counterAt.size(); ++c)
                if (op.control.waitMask >> c & 1 && warp.counterAt[c] > wakes) {
                    wakes = warp.counterAt[c];
                    tell(warp, warp.counterKind[c], wakes, warp.counterIssue[c]);
                }
            if (op.isConstantOperand) {
                wakes = std::max(wakes, constantAt(op.constantLine, wakes));
                tell(warp, Stall::ImcMiss, wakes);
            }
            warp.reason = Stall::NotSelected;
            wake(warp, wakes);
        }
}

// What the warp waits for before its next instruction, as far as its own past decides.
void Sm::prepare(ResidentWarp& warp, const TimedOp& issued, const Step& step, u64 now) {
    const TimeProfile& times = *settings_.times;
    WarpState& state = *warp.state;
    u64 ready = now + std::max<u64>(1, issued.control.stallCycles);
    if (state.isDone()) {
        tell(warp, Stall::Wait, ready);
        const u64 ends = std::max(now + times.exitCycles, warp.storesEnd);
        tell(warp, Stall::Drain, ends);
        warp.isEnding = true;
        warp.wakeAt = std::max(ends, now + 1);
        return;
    }
    if (step.isBlocked) {
        tell(warp, Stall::Wait, ready);
        warp.barrierSince = now;
        if (isAtBlockBarrier(state))
            arrive(warp, now);
        else
            warp.wakeAt = kNever;  // its lanes wait for each other without end: Sm::isStuck
        return;
    }
    const u32 at = state.path().at;
    warp.instruction = at;
    const TimedOp& op = (*settings_.ops)[at];
    tell(warp, Stall::Wait, ready);
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
    for (std::size_t c = 0; c < warp.counterAt.size(); ++c)
        if (op.control.waitMask >> c & 1 && warp.counterAt[c] > counters) {
            counters = warp.counterAt[c];
            kind = warp.counterKind[c];
            raisedBy = warp.counterIssue[c];
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
    warp.wakeAt = ready;
}

void Sm::finish(ResidentWarp& warp, u64 now) {
    Subcore& core = coreOf(warp);
    core.used &= ~(1u << u32(&warp - core.warps.data()));
    if (core.last == s32(&warp - core.warps.data())) core.last = -1;
    if (record) record->warps[warp.order].end = warp.since;
    warp.isUsed = false;
    ResidentBlock& block = *warp.block;
    if (--block.warpsLeft == 0) {
        block.isFree = true;
        --resident_;
        counts_.lastActive = std::max(counts_.lastActive, now);
        if (whenBlockEnds) whenBlockEnds(now);
    } else if (block.arrived && block.arrived == block.warpsLeft) {
        openBarrier(block, std::max(block.barrierOpens, now + settings_.times->barrierCycles), warp);
    }
}

}  // namespace lockstep::time
