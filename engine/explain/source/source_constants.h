// The whole-number constants that a kernel's source names: template arguments of the instance, constexpr and
// const ints, #define.
#pragma once

#include "base/integers.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::explain {

using Constants = std::map<std::string, s64, std::less<>>;

// `kernel`: as demangled, "void mm_tiled<16>(float const*)" or "mm_tiled<16>". A name that stands for several
// values, or for one that cannot be computed, is left out.
Constants constantsOf(std::string_view source, std::string_view kernel);

// What the template parameters of the instance stand for where that is no number: {"Word", "float4"}.
using TypeNames = std::map<std::string, std::string, std::less<>>;
TypeNames templateTypesOf(std::string_view source, std::string_view kernel);

// + - * / % << >> ( ) over numbers and names; none where a name is not known or the text is no such
// expression.
std::optional<s64> constantValue(std::string_view text, const Constants& constants);

}  // namespace lockstep::explain
