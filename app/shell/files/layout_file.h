// The user's own arrangement of the views, kept between starts. A file that is damaged, from another version
// or missing is no fault: the window gets a new layout.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lockstep::shell {

// The stored arrangement; none if the file is invalid.
std::optional<std::string> readLayout(const std::filesystem::path& file);
// False if it could not be written: the arrangement is then lost when the window closes.
bool writeLayout(const std::filesystem::path& file, const std::string& layout);

}  // namespace lockstep::shell
