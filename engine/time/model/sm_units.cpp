// What an instruction occupies once it has issued: pipes, queues, the units that the sub-cores share, L1 and
// the way to L2; and when its result is there.
#include "time/model/sm.h"

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
// Local memory has addresses of its own in L1, by block, warp and word.
constexpr u64 kLocalLines = u64{1} << 56;

}  // namespace

void Sm::raise(ResidentWarp& warp, u8 counter, u64 until, Stall kind) const {
    if (counter >= warp.counterAt.size()) return;
    if (until > warp.counterAt[counter]) {
        warp.counterAt[counter] = until;
        warp.counterKind[counter] = kind;
        warp.counterIssue[counter] = warp.issues;
    }
}

Sm::Awaited Sm::awaited(const ResidentWarp& warp, const TimedOp& op, u32 counter) {
    if (!(op.control.waitMask >> counter & 1)) return {};
    const u32 left = op.groupsLeft, groups = warp.copyGroupCount;
    if (!left || !groups) return {warp.counterAt[counter], warp.counterIssue[counter]};
    if (groups <= left) return {};
    const u32 kept = std::min(left, ResidentWarp::kGroupsKept - 1);
    const ResidentWarp::CopyGroup& group = warp.copyGroups[(groups - 1 - kept) % ResidentWarp::kGroupsKept];
    return {group.end, group.issue};
}

void Sm::occupy(Subcore& core, ResidentWarp& warp, s32 slot, const TimedOp& op, const Step& step, u64 now) {
    if (op.usesBanks) {
        // Two banks, even and odd registers, a read a cycle each; a register that two operands name, or that
        // the operand cache holds, is read once or not at all.
        std::array<u32, 2> reads{};
        for (std::size_t i = 0; i < op.reads.size(); ++i) {
            const u8 number = op.reads[i];
            if (number == sass::kZeroRegister) continue;
            Subcore::Reused& held = core.reused[i][number % 2];
            const bool isHeld = held.warp == slot && held.number == number;
            const bool isRepeated = std::find(op.reads.begin(), op.reads.begin() + std::ptrdiff_t(i),
                                              number) != op.reads.begin() + std::ptrdiff_t(i);
            if (!isHeld && !isRepeated) ++reads[number % 2];
            // Until the next read of this operand from this bank.
            held = op.control.reuse >> i & 1 ? Subcore::Reused{.warp = slot, .number = number}
                                             : Subcore::Reused{};
        }
        // A read that waits for its bank holds up what comes behind it, but for one cycle.
        for (std::size_t bank = 0; bank < reads.size(); ++bank) {
            if (!reads[bank]) continue;
            core.bankFree[bank] = std::max(core.bankFree[bank], now) + reads[bank];
            if (core.bankFree[bank] > now + 1)
                core.blockedUntil = std::max(core.blockedUntil, core.bankFree[bank] - 1);
        }
    }
    const u64 busy = now + op.intervalCycles;
    if (!step.lanes && step.op->space != MemorySpace::None &&
        (op.pipe == Pipe::Lsu || op.pipe == Pipe::Global))
        return throughUnused(core, warp, op, now);
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

// A memory instruction that no lane executes goes the same way, a slot of the SM's, and its counters come
// back as late.
void Sm::throughUnused(Subcore& core, ResidentWarp& warp, const TimedOp& op, u64 now) {
    const u64 data = std::max({core.portFree, now + kToLsu, dataFree_});
    dataFree_ = core.portFree = data + 1;
    (op.pipe == Pipe::Lsu ? core.mio : core.lg).add(data);
    noteBusy(warp, data);
    raise(warp, op.control.writeCounter, data + settings_.times->unusedAccessCycles - kToLsu,
          Stall::ShortScoreboard);
    raise(warp, op.control.readCounter, data + kLoadOperandsRead, Stall::ShortScoreboard);
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
            wavefronts = std::max(1u, settings_.shapes->of(step.instruction, access).shape->wavefronts);
            if (modifiers.has(sass::Modifier::Cas) || modifiers.has(sass::Modifier::Cast)) {
                wavefronts *= 2;
                latency = times.sharedSwapCycles - 2;  // of a pass; the other is in the wavefronts
            }
        } else {
            wavefronts =
                std::max(1u, settings_.shapes->of(step.instruction, access, isAtomic).shape->wavefronts);
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
    // It does not hold up what its sub-core sends to other units.
    const u64 out = std::max(core.portFree, now + kToAdu), begins = std::max(out, aduFree_);
    core.portFree = out + 1;
    core.mio.add(begins);
    noteBusy(warp, begins);
    if (op.timing == InstructionClass::Barrier) return;  // prepare() sees who arrives
    u64 further = 0, linesAt = 0;
    if (op.timing == InstructionClass::Constant && step.lanes) {
        const MemoryAccess& access = warp.state->access;
        std::array<u64, kWarpSize> distinct;
        u32 count = 0;
        const bool isFixed = op.constantLine >= 0;  // one place for all lanes
        const u32 firstLine = isFixed ? 0 : firstConstantLine(*settings_.program, step.op->constantBank);
        for (const Lane lane : LaneMask{isFixed ? 0 : step.lanes}) {
            const u64 address = access.addresses[lane.value];
            if (std::find(distinct.begin(), distinct.begin() + count, address) != distinct.begin() + count)
                continue;
            distinct[count++] = address;
            linesAt = std::max(linesAt, constantAt(s32(firstLine + address / kConstantLineBytes), now));
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
    aduFree_ = begins + (op.constantLine >= 0 ? times.aduConstantCycles : times.aduCycles) + further;
    if (op.constantLine >= 0) linesAt = constantAt(op.constantLine, now);
    const u64 done = std::max(begins + further, linesAt) + op.latencyCycles - kToAdu;
    raise(warp, op.control.writeCounter, done, Stall::ShortScoreboard);
    raise(warp, op.control.readCounter, begins + kLoadOperandsRead, Stall::ShortScoreboard);
}

void Sm::load(ResidentWarp& warp, const TimedOp& op, const FoundShape& found, u64 tag, u64 data) {
    const TimeProfile& times = *settings_.times;
    const AccessShape& shape = *found.shape;
    const u32 wavefronts = std::max(1u, shape.wavefronts);
    const MemoryAccess& access = warp.state->access;
    const bool isLocal = access.space == MemorySpace::Local;
    const u64 toData = kToTag + 1;
    u64 done = data + u64{times.perWavefrontCycles} * wavefronts - 1 + op.latencyCycles - toData -
               (times.perWavefrontCycles - 1);
    if (access.widthBytes == 16) done += times.globalWidestLoadCycles;
    RequestRecord request{.level = MemoryLevel::L1, .sectors = shape.sectors, .wavefronts = wavefronts};
    const auto wait = [&](u64 at, MemoryLevel level) {
        if (at > done) done = at, request.level = level;
    };
    const u64 local = kLocalLines + (warp.block->number << 24) + (u64{warp.state->number} << 14);
    const u64 firstLine = isLocal ? local : found.firstLine;
    for (const TouchedLine& touched : shape.lines) {
        const u64 line = firstLine + touched.line;
        OnTheWay& way = onTheWay_[(line ^ line >> 12) & (onTheWay_.size() - 1)];
        if (way.line != line) way = {.line = line};
        const bool hitsAlways = isLocal || settings_.change == Change::AllHits;
        const u32 hits = hitsAlways ? touched.sectors : l1_.load(line, touched.sectors);
        if (isLocal) l1_.load(line, touched.sectors);
        counts_.l1LoadHits += isLocal ? 0 : u64(std::popcount(hits));
        request.l1 += u32(std::popcount(hits));
        for (u32 s = 0; s < 4; ++s)
            if (hits >> s & 1) wait(way.at[s], way.from);
        const u32 misses = touched.sectors & ~hits;
        if (!misses) continue;
        l2PortFree_ = std::max(l2PortFree_, f64(tag)) +
                      std::popcount(misses) / (times.smSectorsPerCycle * settings_.bandwidth);
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
    // What comes from behind L1 goes through its data stage once more.
    if (request.l2 || request.dram) ++dataFree_;
    request.end = done;
    noteRequest(warp, request);
    if (op.timing == InstructionClass::AsyncCopy) {
        warp.asyncEnd = std::max(warp.asyncEnd, done + times.asyncCopyCycles);
    } else {
        raise(warp, op.control.writeCounter, done, Stall::LongScoreboard);
    }
}

// So many that L2 has not done yet may be on their way there. One too many stands in the way of all that
// comes behind it: loads of this SM, and what goes to shared memory. Returns when there is room.
u64 Sm::roomForAtomic(u64 now) {
    const auto first = [&] { return atomicsOnTheWay_.front(); };
    const auto isFull = [&] { return atomicPackets_ >= settings_.times->atomicPacketsOnTheWay; };
    while (!atomicsOnTheWay_.empty() && (first().done <= now || isFull())) {
        now = std::max(now, first().done);
        atomicPackets_ -= first().packets;
        atomicsOnTheWay_.pop_front();
    }
    return now;
}

void Sm::throughGlobal(Subcore& core, ResidentWarp& warp, const TimedOp& op, const Step& step, u64 now) {
    const TimeProfile& times = *settings_.times;
    const Op& what = *step.op;
    if (op.timing == InstructionClass::Fence) {
        if (what.instruction->row->opcode == Opcode::LdgDepBar) {
            raise(warp, op.control.writeCounter, warp.asyncEnd, Stall::LongScoreboard);
            warp.copyGroups[warp.copyGroupCount++ % ResidentWarp::kGroupsKept] = {warp.asyncEnd, warp.issues};
        }
        return;
    }
    const MemoryAccess& access = warp.state->access;
    u64 interval = op.intervalCycles;
    u32 wavefronts = 1, tags = 1;
    FoundShape found;
    if (step.lanes) {
        found = settings_.shapes->of(step.instruction, access);
        wavefronts = std::max(1u, found.shape->wavefronts);
        tags = (u32(found.shape->lines.size()) + times.linesPerCycle - 1) / times.linesPerCycle;
    }
    if (op.timing == InstructionClass::GlobalStore)
        interval += access.widthBytes == 8    ? times.globalWideStoreCycles
                    : access.widthBytes == 16 ? times.globalWidestStoreCycles
                                              : 0;
    const u64 out = std::max(core.portFree, now + kToTag);
    // When its operands are read, and when it gets through.
    const u64 reads = std::max(tagReads_, out);
    u64 tag = std::max(tagFree_, reads);
    // Atomics that L2 has not done yet: one too many stands in the way of all that comes behind it.
    const bool isGlobalAtomic =
        what.space == MemorySpace::Global && step.lanes &&
        (what.action == MemoryAction::Atomic || what.action == MemoryAction::Reduction);
    if (isGlobalAtomic) tag = roomForAtomic(tag);
    // Behind the queues of the sub-cores lies one of the SM.
    u64 entersAt = reads;
    if (!throughAt_.empty() && throughAt_.size() >= times.globalEntries) {
        entersAt = std::max(entersAt, throughAt_.front());
        throughAt_.pop_front();
    }
    throughAt_.push_back(tag);
    tagReads_ = reads + tags;
    tagFree_ = tag + tags;
    const u64 data = std::max(dataFree_, tag + tags);
    dataFree_ = data + wavefronts;
    core.portFree = std::max(out + interval, reads + 1);
    u64 leaves = std::max({out + interval - 1, entersAt + tags, isGlobalAtomic ? entersAt : data});
    raise(warp, op.control.readCounter, reads + tags + kStoreOperandsRead, Stall::ShortScoreboard);
    if (!step.lanes) {
        raise(warp, op.control.writeCounter, tag + kStoreOperandsRead, Stall::ShortScoreboard);
        core.lg.add(leaves);
        noteBusy(warp, leaves);
        return;
    }
    const AccessShape& shape = *found.shape;
    const bool isGlobal = what.space == MemorySpace::Global;
    if (what.action == MemoryAction::Load || what.action == MemoryAction::AsyncCopy) {
        counts_.globalLoadSectors += isGlobal ? shape.sectors : 0;
        load(warp, op, found, tag, data);
    } else if (what.action == MemoryAction::Store && !isGlobal) {
        const u64 local = kLocalLines + (warp.block->number << 24) + (u64{warp.state->number} << 14);
        for (const TouchedLine& touched : shape.lines)
            l1_.store(local + touched.line, touched.sectors, touched.whole);
        noteRequest(warp, {.end = data + wavefronts,
                           .level = MemoryLevel::L1,
                           .isStore = true,
                           .sectors = shape.sectors,
                           .wavefronts = wavefronts});
    } else {
        const bool isAtomic = what.action != MemoryAction::Store;
        const u32 whole = isAtomic ? 0 : shape.wholeSectors, all = shape.sectors;
        const f64 way = (times.storeRequestCycles + whole * times.storeWholeSectorCycles +
                         (all - whole) * times.storePartSectorCycles) /
                        settings_.bandwidth;
        storePortFree_ = std::max(storePortFree_, f64(data)) + way;
        const u64 sent = u64(storePortFree_);
        u64 done = sent;
        if (isAtomic) {
            const f64 pace = what.action == MemoryAction::Atomic ? 1 : times.reductionPace;
            const sass::Modifiers& modifiers = what.instruction->modifiers;
            const bool isFloat = modifiers.has(sass::Modifier::F32) || modifiers.has(sass::Modifier::F64);
            u32 packets = 0;
            for (const TouchedLine& touched : shape.lines) {
                const u64 line = found.firstLine + touched.line;
                packets += std::max<u32>(touched.passes, u32(std::popcount(touched.sectors)));
                l1_.drop(line, touched.sectors);
                done = std::max(done, memory_.atomic({.line = line,
                                                      .sectors = touched.sectors,
                                                      .whole = touched.whole,
                                                      .mostLanes = f64(touched.mostLanes),
                                                      .passes = touched.passes * pace,
                                                      .isFloat = isFloat},
                                                     settings_.number, sent));
            }
            atomicsOnTheWay_.push_back({done, packets});
            atomicPackets_ += packets;
            // The class's latency was measured on one line, its way out included.
            const u64 usual = kToTag + 2 + u64(times.storeRequestCycles + 4 * times.storePartSectorCycles);
            if (what.action == MemoryAction::Atomic)
                raise(warp, op.control.writeCounter, done + times.atomicCycles - usual,
                      Stall::LongScoreboard);
        } else {
            counts_.globalStoreSectors += all;
            const bool isAlone = shape.lines.size() == 1;
            for (const TouchedLine& touched : shape.lines) {
                const u64 line = found.firstLine + touched.line;
                l1_.store(line, touched.sectors, touched.whole);
                done = std::max(
                    done, memory_.store(line, touched.sectors, touched.whole, touched.words, isAlone, sent));
            }
        }
        // Nobody waits for an atomic without a result: measured, docs/internals/time.md.
        warp.storesEnd = std::max(
            warp.storesEnd, what.action == MemoryAction::Reduction ? sent : done + times.storeDrainCycles);
        noteRequest(warp, {.end = done,
                           .level = MemoryLevel::L2,
                           .isStore = true,
                           .sectors = all,
                           .wavefronts = wavefronts});
        const u64 gone = u64(storePortFree_);
        if (gone > kStoreSlack && !isAtomic) leaves = std::max(leaves, gone - kStoreSlack);
    }
    core.lg.add(leaves);
    noteBusy(warp, leaves);
}

}  // namespace lockstep::time
