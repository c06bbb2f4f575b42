// Writes small user files atomically, so that a crash leaves the old one.
#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep::shell {

// Creates the folder if it is missing. False if it cannot be written; the file is then unchanged.
bool replaceFile(const std::filesystem::path& file, std::string_view text);

}  // namespace lockstep::shell
