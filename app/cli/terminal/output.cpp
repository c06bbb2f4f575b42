#include "app/cli/terminal/output.h"

#include <cstdio>

namespace lockstep::cli {

Expected<void> writeFile(const std::string& file, std::string_view bytes) {
    return writeWholeFile(file, std::as_bytes(std::span(bytes)));
}

Expected<void> writeText(const std::string& text, const std::string& file) {
    if (file != "-") return writeFile(file, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

Expected<void> writeJson(const Json& json, const std::string& file) {
    return writeText(json.written() + "\n", file);
}

}  // namespace lockstep::cli
