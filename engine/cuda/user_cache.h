// The user's cache folder: data kept between starts, and what the scripts fetch.
#pragma once

#include <filesystem>
#include <optional>

namespace lockstep::cuda {

// $LOCKSTEP_CACHE; else lockstep/ in $XDG_CACHE_HOME, else in ~/.cache (XDG Base Directory Specification);
// none if none of them is known. It need not exist.
std::optional<std::filesystem::path> userCacheFolder();

}  // namespace lockstep::cuda
