// What the simulation of caches counts.
#pragma once

#include "base/integers.h"

#include <map>
#include <string>

namespace lockstep::model {

// Of one launch, or of several together; sectors of 32 bytes where nothing else is said.
struct CacheCounts {
    u64 requests = 0;             // simulated
    u64 loads = 0, loadHits = 0;  // of global memory, in L1
    u64 stores = 0, storeHits = 0;
    u64 atomics = 0, reductions = 0;  // passed on to L2: each sector once a request
    u64 localLoads = 0, localLoadHits = 0, localStores = 0;
    // Reads of L2 by SMs: at least each sector once, at most all misses of L1; how many are one depends on
    // when SMs meet.
    u64 l2ReadsLeast = 0, l2Reads = 0, l2ReadsMost = 0;
    u64 l2ReadHits = 0, l2ReadMisses = 0;
    // Writes: stores of sectors that still wait to be sent are one. At least as if all met, at most as if
    // none.
    u64 l2Writes = 0, l2WritesMost = 0;
    u64 dramReads = 0, dramWrites = 0;
    u64 codeReads = 0;    // of dramReads: of machine code
    u64 launchReads = 0;  // of dramReads: parameters and what else any launch reads
    u64 fillReads = 0,
        atomicReads = 0;   // of dramReads: the rest of sectors that were stored in part; for atomics
    f64 seconds = 0;       // that the simulation took once the run was done
    u64 l1Bytes = 0;       // of an SM, beside its shared memory; of the last launch
    u64 l2DirtyBytes = 0;  // of stored sectors that L2 keeps before it writes them to device memory

    void add(const CacheCounts& other);
    // The machine code has become known, and is so many sectors.
    void takeCode(u64 sectors);
    // Under ncu's names, without .sum.
    std::map<std::string, u64> counters() const;
};

}  // namespace lockstep::model
