// One name for a file, however it was typed.
#pragma once

#include <filesystem>
#include <string>

namespace lockstep::app {

inline std::filesystem::path wholePath(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::absolute(file, ignored).lexically_normal();
}

}  // namespace lockstep::app
