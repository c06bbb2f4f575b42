// .lks files: a Recording, versioned, checksummed, compressed with zstd, written to a temporary file and
// renamed.
#pragma once

#include "base/expected.h"
#include "trace/trace.h"

#include <filesystem>
#include <span>

namespace lockstep::trace {

Expected<void> save(const Recording& recording, const std::filesystem::path& file);
// A Fault for a file that is damaged, of another format or from a newer version; no input can crash this.
Expected<Recording> load(const std::filesystem::path& file);

// The same in memory, for tests and fuzzing.
std::vector<std::byte> pack(const Recording& recording);
Expected<Recording> unpack(std::span<const std::byte> bytes, const std::string& name);

}  // namespace lockstep::trace
