// Which SM a block runs on: the first blocks are distributed, each later one goes to the SM where a block has
// ended.
#pragma once

#include "model/caches/cache_figures.h"

namespace lockstep::model {

// The SM of each of the blocks 0, 1, ... that can be resident at once, at most `blocks` of them.
std::vector<u32> dealBlocks(u64 blocks, u32 sms, u32 blocksPerSm, const std::vector<SmGroup>& groups);

// Bytes of an SM configured as shared memory; the rest is L1. warpsAllow: blocks that can be resident by
// threads and registers alone; fit: with shared memory, too; sharedBytes: per block, including what the
// system reserves in each.
u64 sharedSplit(u64 sharedBytes, bool usesShared, u32 threads, u32 warpsAllow, u32 fit, u32 mostBlocks,
                const CacheFigures& figures);

}  // namespace lockstep::model
