// The functions of libnvrtc that we call, and the search paths for the library and the toolkit's headers.
#pragma once

#include "base/expected.h"
#include "cuda/dynamic_library.h"

#include <filesystem>
#include <vector>

namespace lockstep::cuda {

// As in nvrtc.h of the CUDA toolkit, which we neither have nor need: "NVRTC" documentation, "User Interface".
using NvrtcProgram = struct NvrtcProgramOpaque*;
using NvrtcResult = int;
inline constexpr NvrtcResult kNvrtcSuccess = 0;

struct NvrtcLibrary {
    NvrtcLibrary(DynamicLibrary b, DynamicLibrary l) : builtins(std::move(b)), library(std::move(l)) {}

    DynamicLibrary builtins, library;
    std::string path;
    std::vector<std::filesystem::path> includeFolders;  // of its toolkit; those that exist

    using Result = NvrtcResult;
    using Program = NvrtcProgram;
    const char* (*getErrorString)(Result) = nullptr;
    Result (*version)(int* major, int* minor) = nullptr;
    Result (*createProgram)(Program*, const char* source, const char* name, int headers,
                            const char* const* texts, const char* const* names) = nullptr;
    Result (*destroyProgram)(Program*) = nullptr;
    Result (*compileProgram)(Program, int options, const char* const* texts) = nullptr;
    Result (*addNameExpression)(Program, const char*) = nullptr;
    Result (*getLoweredName)(Program, const char*, const char**) = nullptr;
    Result (*getPtxSize)(Program, std::size_t*) = nullptr;
    Result (*getPtx)(Program, char*) = nullptr;
    Result (*getLogSize)(Program, std::size_t*) = nullptr;
    Result (*getLog)(Program, char*) = nullptr;
    // Older ones have it not. The callback is given the payload; it returns 1 to cancel, else 0.
    Result (*setFlowCallback)(Program, int (*callback)(void*, void*), void* payload) = nullptr;
};

// Opened once and kept; while there is none, each call searches. Searched in $LOCKSTEP_NVRTC (the library or
// its folder), the folder that scripts/get-nvrtc fills, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, and the
// system's library folders.
Expected<const NvrtcLibrary*> nvrtcLibrary();

}  // namespace lockstep::cuda
