#include "cuda/user_cache.h"

#include <cstdlib>

namespace lockstep::cuda {

std::optional<std::filesystem::path> userCacheFolder() {
    // As the recipes of third_party/ have it, which put compilers there.
    if (const char* chosen = std::getenv("LOCKSTEP_CACHE"); chosen && *chosen) return chosen;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
        return std::filesystem::path(cache) / "lockstep";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::filesystem::path(home) / ".cache" / "lockstep";
    return std::nullopt;
}

}  // namespace lockstep::cuda
