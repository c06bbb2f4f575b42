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
    // Kernels wanted, as written in C++: "mm_tiled<16>". Those that are no templates come unasked.
    std::vector<std::string> entries = {};
    std::vector<std::string> defines = {};  // NAME or NAME=VALUE
    // Beside the file's own folder and the toolkit's, which are found by themselves.
    std::vector<std::filesystem::path> includeFolders = {};
    // --Ofast-compile=mid: loops stay loops, so that the PTX follows the source line by line.
    bool asWritten = false;
    // Headers by the name that an #include gives, before those in folders.
    std::vector<std::pair<std::string, std::string>> headers = {};
    bool deviceByDefault = false;  // functions without an execution space are the device's
    std::string included = {};     // the name of a header that comes before the text
};

struct CompiledPtx {
    std::string text;  // with line information; the file is called by the name it was given
    // As written and by its name in the PTX, in the order asked for.
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<std::string> kernels;  // every entry of the text by its PTX name, in order
    std::string compiler;              // "NVRTC 13.0.88"
    std::string flags;                 // those that shape the code, as given
};

// `name` is the file's, in messages and in the line table. A complaint of NVRTC's is a Fault with file and
// line.
Expected<CompiledPtx> compile(const std::string& source, const std::string& name,
                              const CompileOptions& options = {});

// What there is to compile with, for `doctor`; a Fault that says how to get it.
struct NvrtcInfo {
    std::string library;
    int major = 0, minor = 0;
    std::vector<std::filesystem::path> includeFolders;
};
Expected<NvrtcInfo> findNvrtc();

}  // namespace lockstep::cuda
