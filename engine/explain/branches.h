// Which instructions jump.
#pragma once

#include "ptx/module.h"

#include <optional>

namespace lockstep::explain {

// Guarded or not; false where there is no such instruction.
bool isBranch(const ptx::Module& module, Pc pc);
// One that lanes whose guard is false do not take.
bool isConditionalBranch(const ptx::Module& module, Pc pc);
// Of a direct one.
std::optional<Pc> targetOf(const ptx::Module& module, Pc pc);

}  // namespace lockstep::explain
