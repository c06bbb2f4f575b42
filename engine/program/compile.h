// Makes an executable of a CUDA program: device code by clang's own back end for PTX, host code by clang,
// linked with our runtime library. Nothing of NVIDIA's is needed.
#pragma once

#include "base/expected.h"
#include "model/profiles/profile.h"
#include "program/record.h"

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace lockstep::program {

struct CompileRequest {
    std::vector<std::string> files;    // .cu, .cpp, .cc, .cxx, .c, .o, .a
    std::vector<std::string> options;  // -I, -D, -O, -std, -l ... as clang takes them
    std::filesystem::path headers;     // ours: assets/cuda/include
    std::filesystem::path library;     // liblockstep_cudart.a
    std::filesystem::path folder;      // an empty one, for all that is made
    u32 architecture = 80;             // of the device code: 70 is sm_70
    const std::atomic<bool>* cancelled = nullptr;
};

struct Compiled {
    std::filesystem::path program;
    std::string warnings;                 // of the compiler
    std::set<CodePlace> unusedResults{};  // calls whose returned error is not looked at
};

// Fault: clang is missing, or the compiler's own messages.
Expected<Compiled> compile(const CompileRequest& request);

// Takes the warnings of errors that are returned and not used out of the compiler's output.
std::string takeUnusedResults(const std::string& output, std::set<CodePlace>& places);

// The newest clang++ of at least version 14; empty: there is none. $LOCKSTEP_CLANG names another.
std::filesystem::path findClang();
Message whyNoClang();
// The architecture whose PTX both clang 14 and the emulator know and that the device runs.
u32 architectureFor(const model::Profile& profile);

}  // namespace lockstep::program
