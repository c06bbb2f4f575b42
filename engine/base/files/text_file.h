// Reads a text file that somebody names, whatever stands there in its place: a folder, nothing, a device
// without an end.
#pragma once

#include "base/expected.h"

#include <filesystem>
#include <string>

namespace lockstep {

inline constexpr u64 kMostTextBytes = u64{256} << 20;

// advice: what to do instead, as the rest of a sentence: "give the path of a .cu or .ptx file".
Expected<std::string> readTextFile(const std::filesystem::path& file, const Message& advice,
                                   u64 mostBytes = kMostTextBytes);

}  // namespace lockstep
