// Preferences that the window keeps between starts: theme, language, size, zoom, task, enlarged views,
// devices side by side, backend, the folder of exports. One line each in a file that may be edited by hand.
#pragma once

#include "base/text/text.h"
#include "viz/scene/scene.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::shell {

// Missing or invalid entries keep the program's defaults.
struct Preferences {
    std::optional<std::string> theme;
    std::optional<Language> language;
    std::optional<viz::Size> size;         // logical pixels
    std::vector<std::string> devices{};    // names of profiles side by side
    std::optional<std::string> backend{};  // auto, emulator or gpu
    std::optional<u32> device{};
    std::optional<std::string> task{};
    std::map<std::string, std::string> enlarged{};  // by task: the maximized view
    bool knowsHowToBegin = false;                   // the hint of the first visit has been used
    std::optional<bool> underlineTerms{};           // of the glossary
    std::optional<f32> zoom{};                      // of the interface
    std::string exportFolder{};                     // the one last written to; empty: none

    // Whether they make the same file.
    bool operator==(const Preferences& other) const;
};

Preferences readPreferences(const std::filesystem::path& file);
bool writePreferences(const std::filesystem::path& file, const Preferences& preferences);

// `kept`, updated with what has changed from `before` to `now`: a value changed and changed back counts as
// preferred, too.
Preferences withChanges(Preferences kept, const Preferences& before, const Preferences& now);

}  // namespace lockstep::shell
