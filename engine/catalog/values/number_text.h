// Parses numbers as typed by a user, checked against their type.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"

#include <optional>
#include <string_view>

namespace lockstep::catalog {

// An element's bytes, the first ones of eight; the machine is little-endian, like the GPU.
using Bits64 = u64;

std::optional<s64> parseWhole(std::string_view text);  // "-12", "0x1f"; nothing around it
std::optional<s64> typedWhole(std::string_view text);  // as typedNumber() takes it besides: "16M", "64*1024"
std::optional<f64> parseReal(std::string_view text);   // also 1e3, inf, nan

// "2.5" as f32, "-1" as i8; Fault if the type cannot hold it.
Expected<Bits64> parseElement(std::string_view text, ElementType type);
// The integer as an element of the type; Fault if it does not fit.
Expected<Bits64> elementOf(s64 value, ElementType type);

}  // namespace lockstep::catalog
