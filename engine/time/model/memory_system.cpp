#include "time/model/memory_system.h"

#include "trace/sector_size.h"

#include <algorithm>
#include <bit>

namespace lockstep::time {
namespace {

// So far device memory may be behind with what L2 writes to it. Assumed.
constexpr u64 kWritesBehind = 1000;
constexpr std::size_t kAtomicUnits = 4096, kSectors = 1 << 16;

// Blocks that are not simulated store to lines of their own.
model::CacheFigures ofShare(model::CacheFigures caches, f64 share) {
    for (u64* const bytes :
         {&caches.l2DirtyBytes, &caches.l2PartialAloneBytes, &caches.l2PartialBytes, &caches.l2FilledBytes})
        *bytes = u64(f64(*bytes) * share);
    return caches;
}

// The address bits that choose a half of L2, a channel and so on are not known: any even distribution will
// do.
u64 mixed(u64 x) {
    x *= 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
    return x ^ x >> 29;
}

}  // namespace

MemorySystem::MemorySystem(const TimeProfile& times, const model::CacheFigures& caches, f64 share,
                           f64 ofWaves, f64 bandwidth)
    : times_(times),
      l2_(ofShare(caches, share * ofWaves)),
      l2Port_(times.l2SectorsPerCycle * share * bandwidth),
      dram_(times.dramSectorsPerCycle * share * bandwidth),
      wholeStore_(times.l2SectorsPerCycle / times.l2WholeStoresPerCycle),
      partStore_(times.l2SectorsPerCycle / times.l2PartStoresPerCycle),
      scatteredStore_(times.l2SectorsPerCycle / times.l2ScatteredStoresPerCycle),
      onTheWay_(kOnTheWay),
      share_(share),
      atomicUnits_(kAtomicUnits),
      sectorFree_(kSectors) {}

bool MemorySystem::isFar(u64 line) const { return mixed(line) >> 40 & 1; }

void MemorySystem::warm(u64 address, u64 bytes) {
    constexpr u32 kAllSectors = 0xf;
    if (!bytes) return;
    for (u64 line = address / trace::kLineBytes; line <= (address + bytes - 1) / trace::kLineBytes; ++line)
        l2_.read(line, kAllSectors);
}

MemorySystem::Read MemorySystem::read(u64 line, u32 sectors, u64 cycle) {
    Read result;
    const u32 count = u32(std::popcount(sectors));
    reads_ += count;
    // Where it comes from: sector by sector, for a miss brings its neighbors.
    OnTheWay& way = onTheWay_[mixed(line) >> 20 & (kOnTheWay - 1)];
    if (way.line != line) way = {.line = line};
    const bool far = isFar(line);
    const u64 served = sectorsServed(
        line, sectors,
        l2Port_.serve(cycle, std::max(f64(count), times_.l2SectorsPerCycle / times_.l2LinesPerCycle)));
    const u64 hit = served + (far ? times_.l2FarCycles : times_.l2NearCycles);
    const u32 fromDram = l2_.read(line, sectors);
    dramReads_ += fromDram;
    u64 dram = 0;
    if (fromDram) {
        const u64 ready = dram_.serve(served, fromDram);
        l2Port_.serve(ready, fromDram * times_.l2FillCost);
        dram = ready + (far ? times_.dramFarCycles : times_.dramNearCycles);
        // Which ones is not known: each so-many-th.
        if (times_.dramLateOneIn && ++dramLines_ % times_.dramLateOneIn == 0) dram += times_.dramLateCycles;
    }
    for (u32 s = 0; s < 4; ++s) {
        if (!(sectors >> s & 1)) continue;
        if (fromDram && way.at[s] <= hit) {
            way.at[s] = dram;
            // The other half of 64 bytes comes along.
            way.at[s ^ 1] = std::max(way.at[s ^ 1], dram);
        }
        result.at[s] = std::max(hit, way.at[s]);
        result.late |= u32(way.at[s] > hit) << s;
    }
    result.l2Misses = fromDram;
    return result;
}

u64 MemorySystem::store(u64 line, u32 sectors, u32 whole, u32 words, bool isAlone, u64 cycle) {
    const u32 count = u32(std::popcount(sectors)), full = u32(std::popcount(whole));
    const f64 part = count == 1 && !isAlone ? scatteredStore_ : partStore_;
    const u64 served = l2Port_.serve(cycle, full * wholeStore_ + (count - full) * part);
    const u64 before = l2_.dramSectorsOfSlice(line);
    l2_.store(line, sectors, words, isAlone);
    const u64 moved = l2_.dramSectorsOfSlice(line) - before;
    const u64 taken = sectorsServed(line, sectors, served);
    // L2 takes more only while device memory keeps up with what it gives up for that.
    return moved ? std::max(taken, dram_.serve(served, f64(moved)) - std::min(kWritesBehind, served)) : taken;
}

u64 MemorySystem::atomic(const Atomic& what, u32 sm, u64 cycle) {
    const int count = std::popcount(what.sectors), full = std::popcount(what.whole);
    const u64 served = l2Port_.serve(cycle, u32(count));
    l2_.atomic(what.line, what.sectors);
    AtomicUnit& unit = atomicUnits_[mixed(what.line) >> 30 & (kAtomicUnits - 1)];
    if (unit.free == 0) unit.sm = sm;
    unit.isShared |= unit.sm != sm;
    const f64 lone = what.isFloat ? times_.atomicLoneFloatCycles : times_.atomicLoneSectorCycles;
    const f64 several = full * times_.atomicWholeSectorCycles + (count - full) * times_.atomicSectorCycles;
    const f64 between = count == 1 ? lone : unit.isShared ? several : 0;
    // Sectors of floats are served beside one another, those of integers in turn.
    const f64 shared = what.isFloat ? what.mostLanes * times_.atomicLoneFloatCycles
                                    : what.passes / times_.l2AtomicSectorsPerCycle;
    const f64 cycles = std::max(shared, between);
    // Where an SM stands for others, theirs access the same words.
    unit.free = std::max(unit.free, f64(served)) + cycles / share_;
    unit.busy += cycles / share_;
    busiestAtomics_ = std::max(busiestAtomics_, unit.busy);
    firstAtomic_ = lastAtomic_ ? std::min(firstAtomic_, served) : served;
    lastAtomic_ = std::max(lastAtomic_, u64(unit.free));
    return u64(unit.free);
}

u64 MemorySystem::firstUse(u32 line, bool isConstant, u64 cycle) {
    const f64 pace = isConstant ? times_.constantLinePace : times_.codeLinePace;
    std::vector<f64>& all = firstUseFree_[isConstant];
    if (line >= all.size()) all.resize(line + 64);
    const f64 begins = std::max(all[line], f64(cycle));
    all[line] = begins + pace / share_;
    return u64(begins);
}

u64 MemorySystem::sectorsServed(u64 line, u32 sectors, u64 cycle) {
    f64 last = f64(cycle);
    for (u32 left = sectors; left; left &= left - 1) {
        f64& free = sectorFree_[mixed(line * 4 + u32(std::countr_zero(left))) >> 26 & (kSectors - 1)];
        free = std::max(free, f64(cycle)) + times_.sectorPace / share_;
        last = std::max(last, free);
    }
    return u64(last);
}

}  // namespace lockstep::time
