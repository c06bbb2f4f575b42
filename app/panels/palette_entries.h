// Everything that can be reached by name, as the palette lists it.
#pragma once

#include "app/state/action.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

struct PaletteEntry {
    std::string id;       // stable, kept in the list of those used last: "view.banks"
    std::string text;     // in the current language
    std::string english;  // what it is also found by, in every language
    std::string note;     // beside it: a kernel's name, an experiment's parameters; found by too
    std::string keys;
    Action action;
    bool isMeant = false;  // the query names it in full: it comes first
};

// Commands, views, kernels, parameters of the current one, recent experiments, tasks, themes, languages,
// devices. Of a parameter the values that lectures use, and the one that the query gives it: "width 6".
std::vector<PaletteEntry> paletteEntries(const State& state, std::string_view query = {});

// Those that fit the query, the best first; of equals, and without a query, the one used last.
std::vector<const PaletteEntry*> matching(const std::vector<PaletteEntry>& entries, std::string_view query,
                                          const std::vector<std::string>& recentIds);

}  // namespace lockstep::app
