// A kernel's name with placeholders for parameters: "mm_tiled<{tile}>" -> "mm_tiled<16>".
#pragma once

#include "catalog/catalog.h"

#include <set>
#include <string>
#include <string_view>

namespace lockstep::catalog {

// The parameters in braces; a Fault if a brace is left open.
Expected<std::set<std::string>> placeholdersOf(std::string_view entry);
// The entry's name with the parameters' values filled in, in C++ spelling.
std::string instanceOf(std::string_view entry, const Family& family, const Values& values);

}  // namespace lockstep::catalog
