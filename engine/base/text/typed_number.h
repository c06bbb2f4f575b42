// A whole number as people type it into a field.
#pragma once

#include "base/integers.h"
#include "base/text/words.h"

#include <optional>
#include <string_view>

namespace lockstep {

// "1000000", "1,000,000", "16M", "1.5 K", "48 KiB", "2^20", "1e6", "64*1024", with blanks where one likes. K,
// M and G are 1,024, 1,024² and 1,024³, as are Ki, Mi and Gi. None: anything else, what is not whole, and
// what 64 bits do not hold.
std::optional<s64> typedNumber(std::string_view text);

// The same of one in a list that commas divide: "1,024" would be two.
std::optional<s64> typedNumberInList(std::string_view text);

// What may be typed, for a field that refuses: {0} is what was.
inline constexpr Words kNoTypedNumber = english(
    "'{0}' is not a whole number; 1000, 1,000, 16K, 16M (1,024 and 1,024² each), 64*1024, 2^20 and 1e6 are");

}  // namespace lockstep
