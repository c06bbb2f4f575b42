// How many blocks of a launch can be resident on one SM, and what limits them.
#pragma once

#include "model/profiles/profile.h"

#include <optional>

namespace lockstep::model {

struct Occupancy {
    u32 blocksPerSm = 0, warpsPerSm = 0;
    // With as many blocks as fit, also where the grid has fewer: the theoretical occupancy. limitedBy is then
    // never "grid".
    u32 possibleBlocksPerSm = 0, possibleWarpsPerSm = 0;
    std::string possibleLimit;
    std::string
        limitedBy;  // "warps", "blocks", "shared memory", "registers"; "grid": the whole grid is fewer blocks
    // The grid runs in waves of as many blocks as all SMs can hold; the last wave may leave most SMs idle
    // (CUDA C++ Best Practices Guide, "Thread and Block Heuristics": the tail effect). Assumes blocks of
    // equal duration.
    u64 blocksPerWave = 0, waves = 0, blocksInLastWave = 0;
};

struct BlockNeeds {
    u64 threads = 1, sharedBytes = 0;       // of a block; shared: static and dynamic
    std::optional<u32> registersPerThread;  // of the compiled kernel; unknown: the answer is an upper bound
    u64 gridBlocks = 1;
};

// As cuda_occupancy.h of the CUDA toolkit computes it; cc 1.x and 2.x as the toolkit's occupancy spreadsheet
// did. blocksPerSm is 0 where a single block does not fit.
Occupancy occupancy(const BlockNeeds& needs, const Profile& profile);

}  // namespace lockstep::model
