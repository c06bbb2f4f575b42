// The names of a kernel's parameters, which its PTX no longer has: read from the source, as far as that is
// written plainly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::explain {

// Of the function `name` ("saxpy", "mm<16>"), in order. Empty where it is not found, or a parameter has no
// name.
std::vector<std::string> parameterNames(std::string_view source, std::string_view name);
// What stands before these names: "const Word*". Empty where the names are.
std::vector<std::string> parameterTypes(std::string_view source, std::string_view name);
// What stands between its braces, without comments; empty where it is not found.
std::string kernelBody(std::string_view source, std::string_view name);

}  // namespace lockstep::explain
