// PTX whose variables begin with other contents than the program's own text says: those that a launch found.
#pragma once

#include "ptx/module.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::program {

struct VariableValue {
    ptx::VariableId variable;
    std::vector<std::byte> bytes;  // as many as the variable has
};

// Instructions and lines stay where they are. None: a variable is declared as no compiler does.
std::optional<std::string> withValues(const ptx::Module& module, std::vector<VariableValue> values);

}  // namespace lockstep::program
