// The options shared by every command that runs a kernel, and their values.
#pragma once

#include "app/cli/options/parser.h"
#include "app/cli/session.h"
#include "run/own/own_kernel.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

struct RunOptions {
    // What: FAMILY/VARIANT with settings, or a file with its geometry.
    std::string what;
    std::vector<std::string> settings;  // "width=64"
    std::string entry, grid, block, backend = "auto", profile, focus, order = "auto", caches = "auto",
                                    l2 = "warm", recording;
    std::string sample = "off";  // --sample: a number of blocks; kNoNumber: it was given without one
    static constexpr const char* kNoNumber = "";
    // Their names in this command, for messages: --block may be the block to inspect.
    std::string blockOption = "--block", focusOption = "--focus";
    bool isEntryInWord = false;  // FILE.cu:KERNEL instead of --entry
    std::vector<std::string> defines, arguments, includes, references, further;
    u32 sharedBytes = 0, threads = 0, findings = 1000, repeat = 1;
    u64 seed = 1;
    f64 limitSeconds = 60;
    bool asWritten = false, isCooperative = false;
    u32 device = 0;
    bool readsMachineCode = false;  // machine code is requested
    std::string machineCode = "auto";
    bool keepsPart = false;  // of a canceled run; else that is a Fault
    bool measures = false;   // times and counters are requested: auto then means the GPU, if there is one
};

// What to run, as one word.
void addKernel(const Command& command, RunOptions& options, const Words& what);
void addFileOptions(const Command& command,
                    RunOptions& options);  // --entry, --grid, --arg ...: of a user's own kernel
void addEntryOption(const Command& command, RunOptions& options);
// Those without --entry; `blockNames`: only --block-size, if --block is the block to inspect.
void addLaunchOptions(const Command& command, RunOptions& options, const std::string& blockNames);
inline constexpr const char *kBlockNames = "--block,--block-size", *kBlockSizeAlone = "--block-size";
void addReferenceOption(const Command& command, RunOptions& options);  // of addLaunchOptions, too
void addExecutionOptions(const Command& command,
                         RunOptions& options);  // --set, --profile, --limit ...: for any run
void addRunOptions(const Command& command,
                   RunOptions& options);  // those, plus the backend and what is measured

void addDeviceOption(const Command& command, u32& device);
void addCachesOption(const Command& command, RunOptions& options);
void addMachineCodeOption(const Command& command, RunOptions& options);

// The kernel named by `options.what`, compiled or read, with its buffers filled.
Expected<run::Experiment> openExperiment(const RunOptions& options, Session& session);
Expected<run::Options> runOptionsOf(const RunOptions& options, const run::Experiment& experiment,
                                    Session& session, Progress& progress);

// Runs with progress on a terminal; Ctrl+C stops the run promptly and keeps partial results. Notes on how it
// was run go to standard error.
Expected<run::Run> runExperiment(run::Experiment experiment, const RunOptions& options, Session& session);

// The same for one of many: `progress` is canceled by the caller's interrupt, and `of` says which of them it
// is.
Expected<run::Run> runExperiment(run::Experiment experiment, const RunOptions& options, Session& session,
                                 Progress& progress, const std::string& of);

// If requested: the run's machine code, if the toolkit is installed.
void readMachineCode(run::Run& run, const RunOptions& options, Session& session,
                     const cuda::Patience& patience = {});

// "FILE.cu", "FILE.cu:KERNEL", and the same for a .ptx.
struct OwnFile {
    std::string file, entry;
};
std::optional<OwnFile> ownFileIn(const std::string& word);
// The catalog kernel of this name. The Fault recognizes other meanings of the word: a folder, a file.
Expected<std::pair<const catalog::Family*, const catalog::Variant*>> lookUp(const catalog::Catalog& catalog,
                                                                            const std::string& word);

// Splits "name=value"; Fault: an option without '='.
Expected<std::vector<std::pair<std::string, std::string>>> settingsOf(
    const std::vector<std::string>& settings);

}  // namespace lockstep::cli
