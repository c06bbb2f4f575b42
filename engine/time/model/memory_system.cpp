#include "time/model/memory_system.h"

#include "trace/sector_size.h"

#include <algorithm>
#include <bit>

namespace lockstep::time {
namespace {

constexpr std::size_t kAtomicUnits = 4096;

// The address bits that choose a half of L2, a channel and so on are not known: any even distribution will
// do.
u64 mixed(u64 x) {
    x *= 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
    return x ^ x >> 29;
}

}  // namespace

MemorySystem::MemorySystem(const TimeProfile& times, const model::CacheFigures& caches, f64 share)
    : times_(times),
      l2_(caches),
      l2Port_(times.l2SectorsPerCycle * share),
      dram_(times.dramSectorsPerCycle * share),
      wholeStore_(times.l2SectorsPerCycle / times.l2WholeStoresPerCycle),
      partStore_(times.l2SectorsPerCycle / times.l2PartStoresPerCycle),
      scatteredStore_(times.l2SectorsPerCycle / times.l2ScatteredStoresPerCycle),
      onTheWay_(kOnTheWay),
      atomicFree_(kAtomicUnits) {}

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
    const u64 served = l2Port_.serve(cycle, count);
    const u64 hit = served + (far ? times_.l2FarCycles : times_.l2NearCycles);
    const u32 fromDram = l2_.read(line, sectors);
    dramReads_ += fromDram;
    u64 dram = 0;
    if (fromDram) {
        const u64 ready = dram_.serve(served, fromDram);
        dram = ready + (far ? times_.dramFarCycles : times_.dramNearCycles);
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
    l2_.store(line, sectors, words, isAlone);
    return served;
}

u64 MemorySystem::atomic(u64 line, u32 sectors, u32 passes, u64 cycle) {
    const u64 served = l2Port_.serve(cycle, u32(std::popcount(sectors)));
    l2_.atomic(line, sectors);
    u64& free =
        atomicFree_[mixed(line * 4 + u32(std::countr_zero(sectors | 0x10u))) >> 30 & (kAtomicUnits - 1)];
    free = std::max(free, served) + u64(passes / times_.l2AtomicSectorsPerCycle);
    return free;
}

}  // namespace lockstep::time
