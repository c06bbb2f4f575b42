// A user's own files: chooses one with the desktop's dialog, and lists its kernels.
#pragma once

#include "app/state/action.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace lockstep::shell {

// KernelsFound, with last time's values if they still apply; CouldNot if the file cannot be read or compiled.
// `text`: of the file, where it is not what was saved.
app::Action kernelsFor(const app::OwnKernel& before, const app::SharedText& text = nullptr,
                       const std::stop_token& stop = {});

// Whether it is a .cu with a main().
bool isProgram(const std::string& file, const app::SharedText& text = nullptr);
// A path in this folder (empty: the current one) that no file has yet: "reduce-launch2.lks",
// "reduce-launch2-2.lks".
std::string newFile(const std::string& folder, const std::string& name, const std::string& extension);

// Whether this desktop has a dialog for choosing files.
bool hasFileDialog();
// Waits until a file is chosen or a stop is requested. None: no choice was made.
std::optional<std::string> askForFile(Language language, const std::stop_token& stop);

// The same for writing a picture; an existing file is replaced only if the user confirmed.
std::optional<std::string> askWhereToSave(Language language, const app::ExportSettings& settings,
                                          const std::stop_token& stop);

// Opens a file with the desktop's default program. False if there is none.
bool openInDesktop(const std::filesystem::path& file);

}  // namespace lockstep::shell
