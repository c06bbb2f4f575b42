// Loops that lanes of one warp leave at different turns. Where ptxas unrolls such a loop, the lanes that stay
// and those that leave go through different copies of one load or store: each copy is a request of its own,
// where the PTX has one.
#pragma once

#include "run/run.h"

#include <vector>

namespace lockstep::run {

// By pc: within such a loop of this run.
std::vector<bool> inUnevenLoops(const Run& run);

// One sentence for the notes of a run whose machine code is known: which lines of global loads and stores
// have more instructions there than in the PTX, in such a loop. None where there is no such line.
std::optional<Fault> noteOnUnevenLoops(const Run& run);

}  // namespace lockstep::run
