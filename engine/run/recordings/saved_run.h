// A run that was kept in a .lks file, opened again: for the command line and for the window.
#pragma once

#include "run/run.h"

#include <filesystem>

namespace lockstep::run {

// profile: whose rules are applied. catalog: may be null; knows which kernel it was. A Fault where the file
// is damaged or from a newer version, or there is no such profile.
Expected<Run> openSaved(const std::filesystem::path& file, const std::string& profile,
                        const catalog::Catalog* catalog);

}  // namespace lockstep::run
