// The options that every command which runs a kernel shares, and what they become.
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
    // What the command calls them, for its messages: --block may be the block to look at.
    std::string blockOption = "--block", focusOption = "--focus";
    bool isEntryInWord = false;  // FILE.cu:KERNEL instead of --entry
    std::vector<std::string> defines, arguments, includes, references;
    u32 sharedBytes = 0, threads = 0, findings = 1000, repeat = 1;
    u64 seed = 1;
    f64 limitSeconds = 60;
    bool asWritten = false;
    u32 device = 0;
    bool readsMachineCode = false;  // somebody wants to see what the compiler made of it
    std::string machineCode = "auto";
    bool keepsPart = false;  // of a run that is canceled; else it is a Fault
    bool measures = false;   // times and counters are wanted: auto then means the GPU, where there is one
};

// What to run, as one word.
void addKernel(const Command& command, RunOptions& options, const Words& what);
void addFileOptions(const Command& command,
                    RunOptions& options);  // --entry, --grid, --arg ...: of a kernel of the user's own
void addEntryOption(const Command& command, RunOptions& options);
// Those without --entry; `blockNames`: where --block is the block to look at, --block-size alone.
void addLaunchOptions(const Command& command, RunOptions& options, const std::string& blockNames);
inline constexpr const char *kBlockNames = "--block,--block-size", *kBlockSizeAlone = "--block-size";
void addReferenceOption(const Command& command, RunOptions& options);  // of addLaunchOptions, too
void addExecutionOptions(const Command& command,
                         RunOptions& options);  // --set, --profile, --limit ...: of whatever runs a kernel
void addRunOptions(const Command& command,
                   RunOptions& options);  // those, and on which backend it runs and what is measured

void addDeviceOption(const Command& command, u32& device);
void addMachineCodeOption(const Command& command, RunOptions& options);

// The kernel that `options.what` names, compiled or read, with its buffers filled.
Expected<run::Experiment> openExperiment(const RunOptions& options, Session& session);
Expected<run::Options> runOptionsOf(const RunOptions& options, const run::Experiment& experiment,
                                    Session& session, Progress& progress);

// Runs with progress on a terminal; Ctrl+C stops the run within a moment and keeps what there is.
// What the user should know of how it was run goes to standard error.
Expected<run::Run> runExperiment(run::Experiment experiment, const RunOptions& options, Session& session);

// Where it is wanted: the run's machine code, if the toolkit is there.
void readMachineCode(run::Run& run, const RunOptions& options, Session& session,
                     const cuda::Patience& patience = {});

// "FILE.cu", "FILE.cu:KERNEL" and the same of a .ptx.
struct OwnFile {
    std::string file, entry;
};
std::optional<OwnFile> ownFileIn(const std::string& word);
// The kernel of the catalog that is called so. The Fault knows what else the word may be: a folder, a file.
Expected<std::pair<const catalog::Family*, const catalog::Variant*>> lookUp(const catalog::Catalog& catalog,
                                                                            const std::string& word);

// Splits "name=value"; a Fault names the option that lacks its '='.
Expected<std::vector<std::pair<std::string, std::string>>> settingsOf(
    const std::vector<std::string>& settings);

}  // namespace lockstep::cli
