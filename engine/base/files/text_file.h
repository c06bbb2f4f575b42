// Reads a text file named by the user; a Fault if it is a folder, missing, or an endless device.
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
