// A number as CUDA C++ writes it.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string_view>

namespace lockstep::source {

struct Number {
    bool isReal = false, isFloat = false, isUnsigned = false, isLong = false;
    u64 integer = 0;
    f64 real = 0;
};
// None for what is no number, or too large a one.
std::optional<Number> readNumber(std::string_view text);

}  // namespace lockstep::source
