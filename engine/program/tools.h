// Programs of this machine, found in $PATH.
#pragma once

#include <filesystem>
#include <string>

namespace lockstep::program {

// Empty: there is none.
std::filesystem::path findTool(const std::string& name);

}  // namespace lockstep::program
