// What the window remembers from one start to the next: theme, language, size, task, views that are enlarged,
// devices side by side, what runs the kernels. A line each in a file that may be edited by hand.
#pragma once

#include "base/text/text.h"
#include "viz/scene/scene.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::shell {

// What the file does not say, or says in a way that makes no sense, is left to the program.
struct Preferences {
    std::optional<std::string> theme;
    std::optional<Language> language;
    std::optional<viz::Size> size;         // logical pixels
    std::vector<std::string> devices{};    // names of profiles that stand side by side
    std::optional<std::string> backend{};  // auto, emulator or gpu
    std::optional<u32> device{};
    std::optional<std::string> task{};
    std::map<std::string, std::string> enlarged{};  // by task: the view that has the whole width
    bool knowsHowToBegin = false;                   // the hint of the first visit has been made use of
    std::optional<bool> underlineTerms{};           // of the glossary

    // They make the same file.
    bool operator==(const Preferences& other) const;
};

Preferences readPreferences(const std::filesystem::path& file);
bool writePreferences(const std::filesystem::path& file, const Preferences& preferences);

// `kept`, with what has changed from `before` to `now`: what was changed to and fro is preferred, too,
// whatever is kept of it.
Preferences withChanges(Preferences kept, const Preferences& before, const Preferences& now);

}  // namespace lockstep::shell
