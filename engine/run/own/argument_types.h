// C++ types of a kernel's parameters, as demangled, and the elements that --arg knows.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::run {

struct ArgumentElement {
    std::string_view name;  // "f32"
    u32 count = 1;          // of a vector type
};
// "float4" gives f32, 4. None if --arg has no such element.
std::optional<ArgumentElement> elementOf(std::string_view type);
u64 bytesOfElement(std::string_view name);  // "f32": 4

// "f(int, float const*)" gives "int" and "float const*"; commas within template arguments do not separate.
std::vector<std::string> parametersOf(const std::string& signature);
bool isPointer(const std::string& type);
std::string pointeeOf(const std::string& type);  // "float const*" gives "float"

}  // namespace lockstep::run
