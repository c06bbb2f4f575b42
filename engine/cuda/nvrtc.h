// CUDA C++ to PTX with NVRTC, which is opened at run time and never linked.
#pragma once

#include "base/expected.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cuda {

struct CompileOptions {
    std::string architecture = "compute_90";
    std::vector<std::string>
        entries;  // kernels wanted, as written in C++: "mm_tiled<16>"; non-template kernels come unasked
    std::vector<std::string> defines;  // NAME or NAME=VALUE
    std::vector<std::filesystem::path>
        includeFolders;  // beside the file's own folder and the toolkit's, found by themselves
    bool asWritten =
        false;  // --Ofast-compile=mid: loops stay loops, so that the PTX follows the source line by line
};

struct CompiledPtx {
    std::string text;  // with line information; files named as `name` and the includes were
    std::vector<std::pair<std::string, std::string>>
        entries;           // as written -> name in the PTX, in the order asked for
    std::string compiler;  // "NVRTC 13.0.88"
    std::string flags;     // those that shape the code, as given
};

// `name` is the file's, in messages and in the line table. What NVRTC complains about is a Fault with file
// and line.
Expected<CompiledPtx> compile(const std::string& source, const std::string& name,
                              const CompileOptions& options = {});

// What there is to compile with, for `doctor`: the library's path and version; a Fault that says how to get
// one.
struct NvrtcInfo {
    std::string library;
    int major = 0, minor = 0;
    std::vector<std::filesystem::path> includeFolders;
};
Expected<NvrtcInfo> findNvrtc();

}  // namespace lockstep::cuda
