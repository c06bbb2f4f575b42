// Output of results: JSON to a file or to standard output.
#pragma once

#include "app/cli/json/json.h"
#include "base/files/whole_file.h"
#include "base/text/words.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace lockstep::cli {

// Formats to standard output. Write errors are detected at the end, in one place, where fmt::print would
// throw.
template <class... Arguments>
void printOut(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

// One sentence, or row, to standard output.
template <class... Values> void printLine(Language language, const Words& words, const Values&... values) {
    printOut("{}\n", say(language, words, values...));
}

// "-" is standard output. Files are written completely or not at all.
Expected<void> writeText(const std::string& text, const std::string& file);
Expected<void> writeJson(const Json& json, const std::string& file);
Expected<void> writeFile(const std::string& file, std::string_view bytes);

}  // namespace lockstep::cli
