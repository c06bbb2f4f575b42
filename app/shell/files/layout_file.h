// The user's own arrangement of the views, kept from one start to the next. A file that is damaged, from
// another version or not there is no fault: the window is laid out anew.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lockstep::shell {

// What was kept; none where nothing can be trusted.
std::optional<std::string> readLayout(const std::filesystem::path& file);
// False where it could not be written: the arrangement then lasts as long as the window.
bool writeLayout(const std::filesystem::path& file, const std::string& layout);

}  // namespace lockstep::shell
