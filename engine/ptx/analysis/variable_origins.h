// The variable that an address is based on: a substitute for the pointer's type in the source.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <vector>

namespace lockstep::ptx {

// By RegisterId of the function: the one variable whose address every value of the register is made from, by
// adding, subtracting or masking numbers. None where there is no such variable, where there may be several,
// and where the address came through memory or a call.
std::vector<std::optional<VariableId>> variableOrigins(const Module& module, const Function& function);

}  // namespace lockstep::ptx
