#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace lockstep::cli {

Expected<void> writeFile(const std::string& file, std::string_view bytes) {
    const std::string temporary = file + ".part";
    std::FILE* out = std::fopen(temporary.c_str(), "wb");
    if (!out) return fail(FaultKind::System, std::string("cannot be written: ") + std::strerror(errno), {.file = file});
    const bool wrote = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
    const bool closed = std::fclose(out) == 0;
    std::error_code error;
    if (wrote && closed) std::filesystem::rename(temporary, file, error);
    if (wrote && closed && !error) return {};
    std::filesystem::remove(temporary, error);
    return fail(FaultKind::System, "could not be written whole; is the disk full?", {.file = file});
}

Expected<void> writeJson(const Json& json, const std::string& file) {
    // Names from a user's file may hold bytes that are no UTF-8: they are replaced, not refused.
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (file != "-") return writeFile(file, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) != 0) return fail(FaultKind::System, "standard output could not be written");
    return {};
}

}  // namespace lockstep::cli
