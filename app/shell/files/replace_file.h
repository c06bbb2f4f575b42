// Writes small files of the user's so that a crash leaves the old one.
#pragma once

#include <filesystem>
#include <string_view>

namespace lockstep::shell {

// Makes the folder if it is missing. False where it cannot be written; the file is then as it was.
bool replaceFile(const std::filesystem::path& file, std::string_view text);

}  // namespace lockstep::shell
