// Which warp made which accesses in turn, up to where two runs part: what a picture of an order shows.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"
#include "explain/order/parting.h"

#include <span>
#include <vector>

namespace lockstep::explain {

// Accesses in a row of one warp, with none of another one of these blocks in between. A racing access is a
// turn by itself.
struct Turn {
    LaunchId launch{};
    Dim3 block{0, 0, 0};
    Warp warp;
    std::vector<u32> lines{};  // of source, as they follow one another; 0: unknown
    std::size_t accesses = 0;
    std::optional<LaneAccess> racing{};  // it is this access, one of those that the runs part by
};

// Of one of the two runs.
struct OrderTurns {
    std::vector<Turn> turns;
    std::size_t before = 0;  // turns that were left out in front of them
};

// The accesses by which two runs part, in both of their logs; in the recorded run and in the changed one.
struct RacingAccesses {
    std::vector<LaneAccess> recorded, changed;
};
RacingAccesses racingAccesses(const OrderParting& parting, const simt::AccessLog& recorded,
                              const simt::AccessLog& changed);

// Where the recorded run has the same access of the same thread: at the same instruction, and as often as in
// the log. None: it was not recorded.
std::optional<Cursor> stepOf(LaneAccess access, const simt::AccessLog& log, const Recorded& run);

// Of the blocks that have a racing access, up to the last of these; the latest `most` turns, and all from the
// first racing one on.
OrderTurns turnsOf(const simt::AccessLog& log, std::span<const LaneAccess> racing, const ptx::Module& module,
                   std::size_t most);

}  // namespace lockstep::explain
