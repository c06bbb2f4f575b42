// Text of the editor that has not been saved, kept beside the recent experiments, so that it survives
// whatever ends the program. Each window has a file of its own; the next one takes over those whose window is
// gone.
#pragma once

#include "app/state/editor_state.h"

#include <filesystem>
#include <vector>

namespace lockstep::shell {

class UnsavedFile {
public:
    // beside: the file of recent experiments; empty: nothing is kept.
    explicit UnsavedFile(const std::filesystem::path& beside);

    // What windows that are gone have left. It stays in their files until it is kept here.
    std::vector<app::EditedText> left();
    // Writes what is unsaved, if that has changed; no file where nothing is.
    void keep(const std::vector<app::EditedText>& texts);

private:
    std::filesystem::path file_;
    std::vector<std::filesystem::path> taken_;  // whose text is ours now
    std::vector<app::EditedText> kept_;
};

}  // namespace lockstep::shell
