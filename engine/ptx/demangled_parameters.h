// The parameters of a mangled function, also of a template's instance, which demangle() tells by its name
// alone.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::ptx {

// "(float*, float)" of _Z5scaleILi128EEvPff; empty where the name has none.
std::string demangledParameters(std::string_view mangled);

}  // namespace lockstep::ptx
