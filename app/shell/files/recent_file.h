// The experiments and commands used last, kept from one start to the next beside the preferences.
#pragma once

#include "app/state/state.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::shell {

struct Recent {
    std::vector<app::Choice> experiments;  // the latest first
    std::vector<std::string> commands;     // of the palette, by id

    bool operator==(const Recent&) const = default;
};

// What the file holds and can be believed: an entry that makes no sense is left out, a damaged file holds
// nothing. Whether the catalog still has a kernel is not asked here.
Recent readRecent(const std::filesystem::path& file);
bool writeRecent(const std::filesystem::path& file, const Recent& recent);

}  // namespace lockstep::shell
