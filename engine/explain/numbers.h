// Element values as numbers and as text.
#pragma once

#include "base/buffer.h"
#include "ptx/types.h"

#include <span>
#include <string>

namespace lockstep::explain {

// One element as text, at most so many characters: "2.0", "-17", "19.4k", "1e+20", "NaN".
std::string valueText(std::span<const std::byte> bytes, ptx::Type type, u32 maxCharacters = 8);
std::string numberText(f64 value, bool isFloat, u32 maxCharacters = 8);
ptx::Type ptxType(ElementType type);
bool isFloatElement(ElementType type);

}  // namespace lockstep::explain
