// Functions of <cmath> and <algorithm> of numbers: min, ceil, pow.
#pragma once

#include "source/value.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::source {

// None where the name is none of these; not known where an argument is not.
std::optional<Value> mathematics(const std::string& name, const std::vector<Value>& arguments);

}  // namespace lockstep::source
