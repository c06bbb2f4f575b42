// The recent experiments and commands, kept between starts beside the preferences.
#pragma once

#include "app/state/state.h"
#include "viz/cursor/cursor.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::shell {

struct Recent {
    std::vector<app::Choice> experiments;                   // the latest first
    std::vector<std::string> commands;                      // of the palette, by id
    std::map<std::string, std::string> programArguments{};  // by the program's file
    std::map<std::string, std::string> programCompile{};    // likewise: further files and options
    std::optional<viz::Cursor> place{};  // in the first of them, where the window was closed on it

    bool operator==(const Recent&) const = default;
};

// The valid entries of the file: invalid ones are skipped, a damaged file has none. Does not check whether
// the catalog still has a kernel.
Recent readRecent(const std::filesystem::path& file);
bool writeRecent(const std::filesystem::path& file, const Recent& recent);

}  // namespace lockstep::shell
