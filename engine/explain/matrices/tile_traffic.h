// What a tile in shared memory saves: the global loads that fill it, beside those that would read from the
// matrix itself whatever threads read from the tile.
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "model/profiles/profile.h"

namespace lockstep::explain {

struct TileTraffic {
    // Of the whole block, in the cursor's round: sectors, or transactions where the device counts those.
    u64 requests = 0, sectors = 0;
    u64 requestsWithout = 0, sectorsWithout = 0;  // one request for each element that a warp reads at a time
};

// Where a value that is read from the tile came from is known from the flow of values. None: nothing is
// loaded in this round, or what is loaded is not read from the tile.
std::optional<TileTraffic> tileTraffic(const MatmulFacts& facts, const Operand& operand,
                                       const trace::FocusBlock& block, const model::Profile& profile);

}  // namespace lockstep::explain
