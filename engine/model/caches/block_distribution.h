// Which multiprocessor a block runs on: the first ones are dealt out, each later one goes to where a block
// has ended.
#pragma once

#include "model/caches/cache_figures.h"

namespace lockstep::model {

// Of the blocks 0, 1, ... that can be resident at once, at most `blocks` of them: the SM of each.
std::vector<u32> dealBlocks(u64 blocks, u32 sms, u32 blocksPerSm, const std::vector<SmGroup>& groups);

// Bytes of an SM that shared memory gets; the rest is L1's. warpsAllow, fit: blocks of the kernel that can be
// resident by threads and registers alone, and with shared memory; sharedBytes: of a block, with what the
// system reserves in each.
u64 sharedSplit(u64 sharedBytes, bool usesShared, u32 threads, u32 warpsAllow, u32 fit, u32 mostBlocks,
                const CacheFigures& figures);

}  // namespace lockstep::model
