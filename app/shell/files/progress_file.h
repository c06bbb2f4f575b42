// The file in which the window keeps the progress of lessons between starts.
#pragma once

#include "lessons/progress.h"

#include <filesystem>

namespace lockstep::shell {

// Fault: there is no such file, or it is damaged.
Expected<lessons::Progress> progressIn(const std::filesystem::path& file);

struct KeptProgress {
    lessons::Progress progress;
    std::filesystem::path setAside{};  // where a damaged file was moved; empty: it was not damaged
};
KeptProgress readProgress(const std::filesystem::path& file);

// With what another window has written there in the meantime. False if it cannot be written.
bool writeProgress(const std::filesystem::path& file, lessons::Progress progress);

}  // namespace lockstep::shell
