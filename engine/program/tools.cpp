#include "program/tools.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace lockstep::program {

std::filesystem::path findTool(const std::string& name) {
    if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
        std::error_code ignored;
        if (access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, ignored)) return file;
    }
    return {};
}

}  // namespace lockstep::program
