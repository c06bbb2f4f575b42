// Compiles CUDA C++ to PTX with NVRTC, which is loaded at run time and never linked.
#pragma once

#include "base/expected.h"
#include "cuda/compiler/text_cache.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cuda {

struct CompileOptions {
    std::string architecture = "compute_90";
    // Kernels to instantiate, as written in C++: "mm_tiled<16>". Non-templates are always included.
    std::vector<std::string> entries = {};
    std::vector<std::string> defines = {};  // NAME or NAME=VALUE
    // In addition to the file's own folder and the toolkit's, which are found automatically.
    std::vector<std::filesystem::path> includeFolders = {};
    // --Ofast-compile=mid: loops stay loops, so that the PTX follows the source line by line.
    bool asWritten = false;
    // Headers by #include name; take precedence over those in folders.
    std::vector<std::pair<std::string, std::string>> headers = {};
    bool deviceByDefault = false;  // functions without an execution space are __device__
    std::string included = {};     // name of a header included before the text
    std::stop_token stop = {};     // ends it early, with a Fault, where the compiler can (since CUDA 12.9)
};

struct CompiledPtx {
    std::string text;  // with line information; the file has the name it was given
    // Each name as written and its PTX name, in the requested order.
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<std::string> kernels;  // PTX names of all entries in the text, in order
    std::string compiler;              // "NVRTC 13.0.88"
    std::string flags;                 // options that affect the code, as given
    std::vector<Fault> warnings = {};  // with file and line, in the compiler's order
};

// `name`: of the file, in messages and in the line table. A compile error is a Fault with file and line.
// The result is kept in the user's cache for the next start: headers as those of cub take most of a second.
Expected<CompiledPtx> compile(const std::string& source, const std::string& name,
                              const CompileOptions& options = {});
// cache: where results are looked up and kept; none: always by the compiler.
Expected<CompiledPtx> compile(const std::string& source, const std::string& name,
                              const CompileOptions& options, const TextCache* cache);

// The available compiler, for `doctor`; else a Fault that says how to get it.
struct NvrtcInfo {
    std::string library;
    int major = 0, minor = 0;
    std::vector<std::filesystem::path> includeFolders;
};
Expected<NvrtcInfo> findNvrtc();

}  // namespace lockstep::cuda
