// What a tile in shared memory saves: what loading it from global memory takes, and how often its elements
// are read from there.
#pragma once

#include "explain/access/block_accesses.h"
#include "explain/matrices/matmul_facts.h"
#include "model/profiles/profile.h"

namespace lockstep::explain {

struct TileReuse {
    u32 loaded = 0;                 // elements from global memory
    u32 requests = 0, sectors = 0;  // that brings them; sectors: transactions where the device counts those
    u64 reads = 0, readsSoFar = 0;  // of its elements, one for each thread; so far: up to the cursor
    u32 leastSoFar = 0, mostSoFar = 0;  // of one element
};
// Of an operand's tile in the cursor's round.
TileReuse tileReuse(const Recorded& run, const MatmulFacts& facts, const Operand& operand,
                    const trace::FocusBlock& block, const BlockAccesses& accesses,
                    const model::Profile& profile);

// How often threads have read what this transfer stored, up to that moment of the block.
u32 readsOf(const Operand& operand, const Transfer& transfer, const BlockAccesses& accesses, u32 order);

}  // namespace lockstep::explain
