// Writes a file atomically: readers find the old or the new contents, never a part.
#pragma once

#include "base/expected.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace lockstep {

// Check before long work: the file's folder exists, and the path is not itself a folder.
Expected<void> canBeWritten(const std::filesystem::path& file);

// Follows links. What is not a regular file (a pipe, a terminal, /dev/stdout) is written to directly, never
// replaced.
Expected<void> writeWholeFile(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace lockstep
