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
    const std::string text = json.written() + "\n";
    if (file != "-") return writeFile(file, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
}

}  // namespace lockstep::cli
