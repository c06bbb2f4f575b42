#include "app/cli/output.h"

#include "app/cli/help_text.h"

#include <cstdio>

namespace lockstep::cli {

void addJsonOption(CLI::App& command, std::string& file, const Words& what) {
    command.add_option("--json", file, helpText(command, english("{0} (-: standard output)"), what))
        ->type_name("FILE");
}

Expected<void> writeFile(const std::string& file, std::string_view bytes) {
    return writeWholeFile(file, std::as_bytes(std::span(bytes)));
}

Expected<void> writeJson(const Json& json, const std::string& file) {
    // Names from a user's file may hold bytes that are no UTF-8: they are replaced, not refused.
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (file != "-") return writeFile(file, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

}  // namespace lockstep::cli
