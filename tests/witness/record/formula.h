// Formulas of texts: + - * / ( ) and log2() over numbers and over names, whose values somebody else knows.
#pragma once

#include "base/integers.h"

#include <functional>
#include <string_view>

namespace lockstep::witness {

// Called with a name and what stands in brackets behind it; not a number where the name is not known.
using Named = std::function<f64(std::string_view name, std::string_view bracket)>;
f64 formulaValue(std::string_view text, const Named& named);

}  // namespace lockstep::witness
