// Numbers and what they count, as people read them: the one place that knows when a noun is in the singular.
#pragma once

#include "base/integers.h"

#include <concepts>
#include <string>
#include <string_view>

namespace lockstep {

// "1,024"
std::string grouped(u64 number);

// A count that takes the singular.
constexpr bool isOne(std::integral auto count) { return count == 1; }

// "1 byte", "1,024 bytes"
std::string counted(u64 count, std::string_view singular);
std::string counted(u64 count, std::string_view singular, std::string_view plural);

}  // namespace lockstep
