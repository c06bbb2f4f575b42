// A user's own kernel: parses its launch options into a request, and lists the kernels of a file.
#pragma once

#include "run/own/launch_proposal.h"
#include "run/run.h"

#include <stop_token>
#include <string>
#include <vector>

namespace lockstep::run {

// "16", "16,2" or "16,2,1", every part at least `least`; `option` names it in messages.
Expected<Dim3> dimensions(const std::string& text, const std::string& option, u32 least);

// The launch as written on the command line and in the window's dialog.
struct LaunchText {
    std::string grid, block;
    u32 dynamicSharedBytes = 0;
    std::vector<std::string> defines, arguments, includeFolders, references = {};
    std::vector<std::string> further = {};  // launches behind this one, each as --then takes it
};
// Checks what can be checked before anything is compiled.
Expected<FileRequest> requestOf(const std::filesystem::path& file, const std::string& entry,
                                const LaunchText& launch);
// Whether the device accepts the launch. A Fault begins with the responsible option.
Expected<void> checkLaunch(const ptx::Module& module, const Launch& launch, const simt::DeviceLimits& limits);

// Defaults of a proposed launch: as many threads as elements in a buffer that is not specified yet.
inline constexpr u32 kProposedElements = 1024, kProposedBlock = 128;

// A kernel in a file, and for each of its parameters an argument that fits and runs: buffers of 1024 random
// elements, integers 1024. Types come from the signature if the name has it, else from the width in the PTX.
struct KernelInFile {
    std::string entry;      // as --entry takes it
    std::string signature;  // "saxpy(int, float, float const*, float*)"; only the name if no more is known
    std::vector<std::string> arguments;
    std::vector<std::string> names;  // parameter names in the source; empty unless it gives all of them
    std::string body = {};           // its body, if the source is known
    std::vector<ProposedLaunch> launches = {};  // by the file's own host code
};
struct FileContents {
    std::vector<KernelInFile> kernels;
    std::vector<Fault> notes;  // skipped parts of the file: one sentence each
};
// Of a .ptx, or of a .cu once compiled, without its host code. For a template: the instances that the file
// names or launches, and `entry`.
Expected<FileContents> contentsOf(const std::filesystem::path& file, const std::vector<std::string>& defines,
                                  const std::string& entry = {},
                                  const std::vector<std::filesystem::path>& includeFolders = {},
                                  const std::stop_token& stop = {});
// The same of this text in place of what the file has. stop: as of cuda::CompileOptions.
Expected<FileContents> contentsOfText(const std::filesystem::path& file, std::string text,
                                      const std::vector<std::string>& defines, const std::string& entry = {},
                                      const std::vector<std::filesystem::path>& includeFolders = {},
                                      const std::stop_token& stop = {});

// Fills in what the user omitted from the file's own launches, and reports what came from which line. Fault:
// several kernels to choose from, or a launch that depends on non-constants.
Expected<std::vector<Fault>> completeFromFile(const std::filesystem::path& file, std::string& entry,
                                              LaunchText& launch, bool isSharedGiven);

}  // namespace lockstep::run
