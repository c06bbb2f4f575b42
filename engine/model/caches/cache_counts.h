// The counts of the cache simulation.
#pragma once

#include "base/integers.h"

#include <map>
#include <string>

namespace lockstep::model {

// Of one launch or the sum of several; in 32-byte sectors unless noted.
struct CacheCounts {
    u64 requests = 0;             // simulated
    u64 loads = 0, loadHits = 0;  // of global memory, in L1
    u64 stores = 0, storeHits = 0;
    u64 atomics = 0, reductions = 0;  // requested from L2: each sector once per request
    u64 localLoads = 0, localLoadHits = 0, localStores = 0;
    // L2 reads by SMs: at least each sector once, at most all L1 misses; how many are merged depends on SM
    // timing.
    u64 l2ReadsLeast = 0, l2Reads = 0, l2ReadsMost = 0;
    u64 l2ReadHits = 0, l2ReadMisses = 0;
    // L2 writes: stores to a sector that still waits to be sent are merged. From all merged (least) to none
    // (most).
    u64 l2Writes = 0, l2WritesMost = 0;
    u64 dramReads = 0, dramWrites = 0;
    u64 codeReads = 0;    // of dramReads: of machine code
    u64 launchReads = 0;  // of dramReads: parameters and other reads of every launch
    u64 fillReads = 0,
        atomicReads = 0;   // of dramReads: fills of partially stored sectors; for atomics
    f64 seconds = 0;       // of simulation after the run had ended
    u64 l1Bytes = 0;       // L1 of an SM, beside its shared memory; of the last launch
    u64 l2DirtyBytes = 0;  // of stored sectors that L2 holds before it writes them to device memory

    void add(const CacheCounts& other);
    // Replaces the estimate once the size of the machine code is known, in sectors.
    void takeCode(u64 sectors);
    // Under ncu's names, without .sum.
    std::map<std::string, u64> counters() const;
};

}  // namespace lockstep::model
