// The file in which the window keeps the progress of lessons between starts.
#pragma once

#include "lessons/progress.h"

#include <filesystem>
#include <vector>

namespace lockstep::shell {

// Fault: there is no such file, or it has no progress in it.
Expected<lessons::ParsedProgress> progressIn(const std::filesystem::path& file);

struct KeptProgress {
    lessons::Progress progress;
    std::filesystem::path setAside{};  // where a damaged file was kept; empty: it was not damaged
    std::vector<Fault> leftOut{};      // its damaged lines, with their places in that file
};
// Of a file with damaged lines the good ones stay, and all of it is kept beside it.
KeptProgress readProgress(const std::filesystem::path& file);

// With what another window has written there in the meantime; what is damaged there is kept beside it. False
// if it cannot be written.
bool writeProgress(const std::filesystem::path& file, lessons::Progress progress);

}  // namespace lockstep::shell
