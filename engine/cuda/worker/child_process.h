// Runs an external program to its end: its output and exit status, or a Fault if it took too long or was
// canceled.
#pragma once

#include "base/expected.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cuda {

struct ChildResult {
    int exitStatus = 0;  // 128 + the signal number if killed by one
    std::string output;  // standard output and standard error, interleaved
};

struct ChildLimits {
    std::chrono::milliseconds longest{20'000};
    std::size_t mostBytes = std::size_t{64} << 20;         // of output; more is a Fault
    const std::atomic<bool>* cancelled = nullptr;          // may be null
    std::function<void(std::string_view line)> said = {};  // each line of output as it comes; may be empty
    bool endsItsChildren = false;                          // what it has started ends with it
};

// `program` is a path. The child gets no input, and has exited when this returns.
Expected<ChildResult> runChild(const std::filesystem::path& program, std::vector<std::string> arguments,
                               const ChildLimits& limits);

}  // namespace lockstep::cuda
