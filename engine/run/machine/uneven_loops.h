// Loops that lanes of one warp leave at different iterations. If ptxas unrolls such a loop, the lanes that
// stay and those that leave execute different copies of one load or store: each copy is a separate request,
// where the PTX has one.
#pragma once

#include "run/run.h"

#include <vector>

namespace lockstep::run {

// By pc: whether it is within such a loop in this run.
std::vector<bool> inUnevenLoops(const Run& run);

// One sentence for the notes of a run whose machine code is known: the lines whose global loads and stores,
// in such a loop, have more instructions there than in the PTX. None if there is no such line.
std::optional<Fault> noteOnUnevenLoops(const Run& run);

}  // namespace lockstep::run
