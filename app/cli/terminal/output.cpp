#include "app/cli/terminal/output.h"

#include <cstdio>

namespace lockstep::cli {

Expected<void> writeFile(const std::string& file, std::string_view bytes) {
    return writeWholeFile(file, std::as_bytes(std::span(bytes)));
}

Expected<void> writeJson(const Json& json, const std::string& file) {
    const std::string text = json.written() + "\n";
    if (file != "-") return writeFile(file, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

}  // namespace lockstep::cli
