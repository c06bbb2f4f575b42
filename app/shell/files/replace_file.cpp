#include "app/shell/files/replace_file.h"

#include <fstream>
#include <system_error>

namespace lockstep::shell {

bool replaceFile(const std::filesystem::path& file, std::string_view text) {
    if (file.empty()) return false;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    // Writes a file beside it, then replaces it.
    std::filesystem::path beside = file;
    beside += ".new";
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) return false;
    std::filesystem::rename(beside, file, error);
    return !error;
}

}  // namespace lockstep::shell
