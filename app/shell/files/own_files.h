// Files of the user's own: which one, through the desktop's dialog, and what kernels it has.
#pragma once

#include "app/state/action.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace lockstep::shell {

// KernelsFound, with the values of last time where they still fit; CouldNot where the file cannot be read or
// compiled.
app::Action kernelsFor(const app::OwnKernel& before);

// Whether this desktop has a dialog for choosing files.
bool hasFileDialog();
// Waits until a file is chosen, for as long as no stop is requested. None: no choice was made.
std::optional<std::string> askForFile(Language language, const std::stop_token& stop);

// The same for where a picture is written; what is there is replaced only if the user said so.
std::optional<std::string> askWhereToSave(Language language, const app::ExportSettings& settings,
                                          const std::stop_token& stop);

// Opens a file with the program that the desktop has for it. False where there is none.
bool openInDesktop(const std::filesystem::path& file);

}  // namespace lockstep::shell
