// Folders to begin with, for what a teacher writes: a lesson, an exercise.
#pragma once

#include "app/cli/session.h"
#include "base/fault.h"

#include <filesystem>
#include <string_view>

namespace lockstep::cli {

// Copies a folder of the program's assets to one that is not there yet. Fault: it is there, or cannot be
// written.
Expected<void> writeTemplate(Session& session, std::string_view name, const std::filesystem::path& folder);

}  // namespace lockstep::cli
