// Element values as numbers and as text.
#pragma once

#include "base/buffer.h"
#include "ptx/types.h"

#include <span>
#include <string>
#include <string_view>

namespace lockstep::explain {

// One element as text, at most so many characters: "2.0", "-17", "19.4k", "1e+20", "NaN".
std::string valueText(std::span<const std::byte> bytes, ptx::Type type, u32 maxCharacters = 8);
std::string numberText(f64 value, bool isFloat, u32 maxCharacters = 8);
// With so many, a whole number is written in full, and any other as with the default: "1006599.0".
constexpr u32 kInSentence = 18;
// As an element of the buffer of that name.
std::string elementText(std::span<const Buffer> buffers, std::string_view name, f64 value);
ptx::Type ptxType(ElementType type);
bool isFloatElement(ElementType type);

}  // namespace lockstep::explain
