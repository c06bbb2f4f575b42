// The sources of the CPU loops, built into the program as text.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::catalog {

// For the files of this folder that engine/catalog/CMakeLists.txt names.
std::span<const std::string_view> cpuLoopTexts();

}  // namespace lockstep::catalog
