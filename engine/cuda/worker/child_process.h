// A program of someone else's, run to its end: what it printed and how it ended, or a Fault if that took too
// long or was canceled.
#pragma once

#include "base/expected.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::cuda {

struct ChildResult {
    int exitStatus = 0;  // 128 + the signal's number where one ended it
    std::string output;  // standard output and standard error, as they came
};

struct ChildLimits {
    std::chrono::milliseconds longest{20'000};
    std::size_t mostBytes = std::size_t{64} << 20;  // of output; more is a Fault
    const std::atomic<bool>* cancelled = nullptr;   // may be null
};

// `program` is a path. The child reads nothing from us, and has ended when this returns.
Expected<ChildResult> runChild(const std::filesystem::path& program, std::vector<std::string> arguments,
                               const ChildLimits& limits);

}  // namespace lockstep::cuda
