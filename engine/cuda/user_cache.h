// What the program keeps for a user from one start to the next, and what its scripts fetch.
#pragma once

#include <filesystem>
#include <optional>

namespace lockstep::cuda {

// lockstep/ in $XDG_CACHE_HOME, else in ~/.cache (XDG Base Directory Specification); none where neither is
// known. It need not be there.
std::optional<std::filesystem::path> userCacheFolder();

}  // namespace lockstep::cuda
