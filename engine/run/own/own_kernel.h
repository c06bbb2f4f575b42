// A kernel of the user's own: from the words in which its launch is written to a request, and what a file
// offers.
#pragma once

#include "run/own/launch_proposal.h"
#include "run/run.h"

#include <string>
#include <vector>

namespace lockstep::run {

// "16", "16,2" or "16,2,1", every part at least `least`; `option` names it in messages.
Expected<Dim3> dimensions(const std::string& text, const std::string& option, u32 least);

// The launch as the command line and the window's dialog write it.
struct LaunchText {
    std::string grid, block;
    u32 dynamicSharedBytes = 0;
    std::vector<std::string> defines, arguments, includeFolders, references = {};
};
// Checks what can be checked before anything is compiled.
Expected<FileRequest> requestOf(const std::filesystem::path& file, const std::string& entry,
                                const LaunchText& launch);
// Whether the device takes the launch. A Fault begins with the option that is to blame.
Expected<void> checkLaunch(const ptx::Module& module, const Launch& launch, const simt::DeviceLimits& limits);

// What a launch is proposed with: as many threads as there are elements in a buffer that nobody has described
// yet.
inline constexpr u32 kProposedElements = 1024, kProposedBlock = 128;

// A kernel in a file, and for each of its parameters an argument that fits and runs: buffers of 1024 random
// elements, whole numbers 1024. Types are those of the signature where the name tells it, else as wide as the
// PTX says.
struct KernelInFile {
    std::string entry;  // as --entry takes it
    std::string
        signature;  // "saxpy(int, float, float const*, float*)"; the name alone where no more is known
    std::vector<std::string> arguments;
    std::vector<std::string>
        names;  // of the parameters, as the source has them; empty where it does not tell all of them
    std::string body = {};                      // its text between the braces, as far as the source is known
    std::vector<ProposedLaunch> launches = {};  // by the file's own host code
};
struct FileContents {
    std::vector<KernelInFile> kernels;
    std::vector<Fault> notes;  // what of the file was skipped: a sentence each
};
// Of a .ptx, or of a .cu once it is compiled, without its host code. Of a template there are the instances
// that the file itself names or launches, and `entry`.
Expected<FileContents> contentsOf(const std::filesystem::path& file, const std::vector<std::string>& defines,
                                  const std::string& entry = {},
                                  const std::vector<std::filesystem::path>& includeFolders = {});

// Fills in what the user left out, as far as the file's own launches say it, and tells what was taken from
// which line. A Fault where there are several kernels to choose from, or where a launch hangs on what is no
// constant.
Expected<std::vector<Fault>> completeFromFile(const std::filesystem::path& file, std::string& entry,
                                              LaunchText& launch, bool isSharedGiven);

}  // namespace lockstep::run
