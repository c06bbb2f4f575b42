// Everything that the palette can find by name.
#pragma once

#include "app/state/action.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

struct PaletteEntry {
    std::string id;       // stable, kept in the recent list: "view.banks"
    std::string text;     // in the current language
    std::string english;  // additional search terms, in every language
    std::string note;     // beside it: a kernel's name, an experiment's parameters; also searched
    std::string keys;
    Action action;
    bool isMeant = false;  // full match of the query: comes first
};

// Commands, views, kernels, parameters of the current one, recent experiments, tasks, themes, languages,
// devices. For a parameter, the values that lectures use and the one in the query: "width 6".
std::vector<PaletteEntry> paletteEntries(const State& state, std::string_view query = {});

// Matches of the query, best first; equals, and without a query all, by recent use.
std::vector<const PaletteEntry*> matching(const std::vector<PaletteEntry>& entries, std::string_view query,
                                          const std::vector<std::string>& recentIds);

}  // namespace lockstep::app
