// Reopens a run stored in a .lks file, for the command line and the window.
#pragma once

#include "run/run.h"

#include <filesystem>

namespace lockstep::run {

// profile: whose rules are applied. catalog: to identify the kernel; may be null. Fault: the file is damaged
// or from a newer version, or there is no such profile.
Expected<Run> openSaved(const std::filesystem::path& file, const std::string& profile,
                        const catalog::Catalog* catalog);

}  // namespace lockstep::run
