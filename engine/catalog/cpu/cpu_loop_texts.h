// The sources that hold loops for the CPU, built into the program as texts.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::catalog {

// Of those files of this folder that engine/catalog/CMakeLists.txt names.
std::span<const std::string_view> cpuLoopTexts();

}  // namespace lockstep::catalog
