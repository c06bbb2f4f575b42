// The sums that a block's threads make in shared memory, round by round: who adds which place to which. A round is what a thread
// adds between two barriers; where it adds several times between them, each time is a round.
#pragma once

#include <optional>
#include <vector>

#include "viz/lookup.h"
#include "viz/shared_arrays.h"

namespace lockstep::viz {

struct Addition {
    Warp warp;
    Lane lane;
    u32 step = 0, order = 0;     // of the store
    std::vector<u64> from;       // places that are added
    u64 to = 0;
    f64 sum = 0;
};

struct Loaded {
    Warp warp;
    Lane lane;
    u32 step = 0, order = 0;
    u64 place = 0;
    f64 value = 0;
};

struct ReductionFacts {
    SharedArray array;
    u64 places = 0;                             // of the array, up to the last one that is used
    bool isFloat = false;                       // what the last store keeps there: reals, or whole numbers
    std::vector<Loaded> start;                  // what is put there before anything is added
    std::vector<std::vector<Addition>> rounds;  // none is empty
};

// None where no thread adds one place of a shared array to another.
std::optional<ReductionFacts> reductionFacts(const run::Run& run, const Cursor& cursor);

}  // namespace lockstep::viz
