// The launches in a .cu file, as command-line options.
#pragma once

#include "base/fault.h"

#include <string>
#include <vector>

namespace lockstep::source {
struct Launch;
}

namespace lockstep::run {

// A launch in the file's host code. Unknown parts are empty, and `unknown` says what they depend on.
struct ProposedLaunch {
    std::string entry;
    std::string file;
    u32 line = 0;
    std::string title;  // "mm<16><<<(4, 4), (16, 16)>>>"
    std::string grid, block, shared = "0";
    std::vector<std::string> arguments;
    std::vector<Fault> unknown;  // one sentence each, with the launch's location

    bool isWhole() const { return unknown.empty(); }
    std::string asOptions() const;  // "--grid 4,4 --block 16,16 --arg i32:64"
};

// `types` are the kernel's parameters as demangled (empty: not known), `bytes` their sizes.
ProposedLaunch proposalOf(const source::Launch& launch, const std::vector<std::string>& types,
                          const std::vector<u64>& bytes);

}  // namespace lockstep::run
