// L2 and device memory as all SMs of a launch see them: which level a sector comes from says the cache model
// (engine/model/caches), when it comes says this.
#pragma once

#include "model/caches/l2_cache.h"
#include "time/model/throughput.h"
#include "time/model/time_profile.h"

#include <vector>

namespace lockstep::time {

class MemorySystem {
public:
    // share: of the device, where only some of its SMs are simulated; ofWaves: of the blocks of these.
    // bandwidth: times the device's.
    MemorySystem(const TimeProfile& times, const model::CacheFigures& caches, f64 share, f64 ofWaves = 1,
                 f64 bandwidth = 1);

    // Brings the lines of these bytes into L2, as a launch before has left them.
    void warm(u64 address, u64 bytes);

    struct Read {
        std::array<u64, 4> at{};  // when each sector is at the SM; 0: not asked for
        u64 l2Misses = 0;
        u32 late = 0;  // bits of the sectors that device memory brings, for this request or one before
    };
    // Sectors of a line, which an SM asks for at a cycle.
    Read read(u64 line, u32 sectors, u64 cycle);
    // Returns when L2 has taken them. isAlone: the request reaches this line only.
    u64 store(u64 line, u32 sectors, u32 whole, u32 words, bool isAlone, u64 cycle);
    // What an atomic does to a line. whole: sectors of which all words are accessed; mostLanes, passes: where
    // lanes share words (TouchedLine), each at the pace of its kind.
    struct Atomic {
        u64 line = 0;
        u32 sectors = 0, whole = 0;
        f64 mostLanes = 0, passes = 0;
        bool isFloat = false;
    };
    // Returns when it is done.
    u64 atomic(const Atomic& what, u32 sm, u64 cycle);

    // An SM fetches a line of instructions or constants that it has not had; all SMs begin with the same
    // ones, which are served one after the other. Returns when it is this one's turn.
    u64 firstUse(u32 line, bool isConstant, u64 cycle);

    u64 readSectors() const { return reads_; }
    u64 dramSectors() const { return dramReads_; }
    // When the last atomic was done: a launch ends behind it.
    u64 lastAtomic() const { return lastAtomic_; }
    // When the first came, and how long the line that has most to do was busy with atomics.
    u64 firstAtomic() const { return firstAtomic_; }
    f64 busiestAtomics() const { return busiestAtomics_; }

private:
    // Accesses to one sector are served one after the other.
    u64 sectorsServed(u64 line, u32 sectors, u64 cycle);
    bool isFar(u64 line) const;

    // When the sectors of lines that are on their way arrive; the last ones asked for.
    struct OnTheWay {
        u64 line = ~u64{0};
        std::array<u64, 4> at{};
    };
    static constexpr std::size_t kOnTheWay = 1 << 15;

    const TimeProfile& times_;
    model::L2Cache l2_;
    Throughput l2Port_, dram_;
    f64 wholeStore_, partStore_, scatteredStore_;  // what a sector takes of l2Port_
    std::vector<OnTheWay> onTheWay_;
    f64 share_;
    struct AtomicUnit {
        f64 free = 0, busy = 0;
        u32 sm = ~u32{0};       // that came first
        bool isShared = false;  // others have come since
    };
    u64 firstAtomic_ = 0, lastAtomic_ = 0;
    f64 busiestAtomics_ = 0;
    std::vector<AtomicUnit> atomicUnits_;             // by hash of the line
    std::vector<f64> sectorFree_;                     // likewise: when it can be accessed again
    std::array<std::vector<f64>, 2> firstUseFree_{};  // of lines of instructions and constants
    u64 reads_ = 0, dramReads_ = 0, dramLines_ = 0;
};

}  // namespace lockstep::time
