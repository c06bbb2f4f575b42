// Writes a file whole or not at all: whoever reads it finds the old content or the new, never a part.
#pragma once

#include "base/expected.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace lockstep {

// Before long work: is there a folder for this file, and no folder in its place?
Expected<void> canBeWritten(const std::filesystem::path& file);

// A link is followed. What is no file (a pipe, a terminal, /dev/stdout) is written to as it is, never
// replaced.
Expected<void> writeWholeFile(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace lockstep
