// Loads whose value is only a first guess for a compare-and-swap of the same word, as in the loops that
// CUDA's programming guide builds atomics with: another thread may write the word at the same time, for the
// compare-and-swap checks the value before anything comes of it.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::simt {

// By pc, from the function's first.
std::vector<bool> guessedLoads(const ptx::Module& module, const ptx::Function& function);

}  // namespace lockstep::simt
