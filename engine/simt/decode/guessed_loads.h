// Loads whose value is only the first guess for a compare-and-swap of the same word, as in the CAS loops of
// the CUDA programming guide. No data race if another thread writes the word meanwhile: the compare-and-swap
// checks the value before it is used.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::simt {

// By pc, from the function's first.
std::vector<bool> guessedLoads(const ptx::Module& module, const ptx::Function& function);

}  // namespace lockstep::simt
