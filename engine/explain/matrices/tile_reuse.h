// How often the elements of a tile in shared memory are read: what each load from global memory saves.
#pragma once

#include "explain/access/block_accesses.h"
#include "explain/matrices/matmul_facts.h"

namespace lockstep::explain {

// How often threads have read one element up to the cursor.
struct TileReuse {
    u32 leastSoFar = 0, mostSoFar = 0;
};
// Of an operand's tile in the cursor's round.
TileReuse tileReuse(const MatmulFacts& facts, const Operand& operand, const BlockAccesses& accesses);

// How often threads have read what this transfer stored, up to that moment of the block.
u32 readsOf(const Operand& operand, const Transfer& transfer, const BlockAccesses& accesses, u32 order);

}  // namespace lockstep::explain
