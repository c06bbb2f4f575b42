#include "app/cli/run_options.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "model/profile.h"
#include "model/words.h"
#include "run/own_reference.h"
#include "run/read_machine_code.h"
#include "trace/lks.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>

namespace lockstep::cli {
namespace {

bool isFile(const std::string& what) { return what.ends_with(".cu") || what.ends_with(".ptx"); }

// Of the parser: true for what it should refuse, with the sentence that says why.
std::string isPositive(const std::string& text) {
    f64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = error == std::errc{} && end == text.data() + text.size();
    return isNumber && value > 0 && value <= 1e9 ? "" : "write a number of seconds above 0, for example 60";
}

std::string isWhole(const std::string& text) {
    u64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size()
               ? ""
               : "write a whole number from 0 to 2^64 - 1";
}

Expected<run::FileRequest> fileRequest(const RunOptions& options, Session& session) {
    if (!options.settings.empty())
        return fail(FaultKind::Usage,
                    "--set goes with a kernel of the catalog; a kernel of your own takes --arg and --define");
    run::LaunchText launch{.grid = options.grid,
                           .block = options.block,
                           .dynamicSharedBytes = options.sharedBytes,
                           .defines = options.defines,
                           .arguments = options.arguments,
                           .includeFolders = options.includes,
                           .references = options.references};
    std::string entry = options.entry;
    const Expected<std::vector<Fault>> taken =
        run::completeFromFile(options.what, entry, launch, options.sharedBytes > 0);
    if (!taken) return Unexpected{taken.error()};
    for (const Fault& note : *taken)
        session.tell(describe(note));
    Expected<run::FileRequest> request = run::requestOf(options.what, entry, launch);
    if (!request) return request;
    request->asWritten = options.asWritten;
    request->seed = options.seed;
    return request;
}

Expected<std::vector<Dim3>> focusBlocks(const std::string& text, Dim3 grid) {
    std::vector<Dim3> blocks;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        const Expected<Dim3> block = run::dimensions(text.substr(at, end - at), "--focus", 0);
        if (!block) return Unexpected{block.error()};
        if (block->x >= grid.x || block->y >= grid.y || block->z >= grid.z)
            return fail(FaultKind::Usage, "--focus: there is no block " + model::coordinates(*block, grid) +
                                              "; the grid has " + model::extentsText(grid) +
                                              (grid.count() == 1 ? " block" : " blocks") +
                                              ", numbered from 0");
        blocks.push_back(*block);
        at = end + 1;
    }
    return blocks;
}

}  // namespace

Expected<std::vector<std::pair<std::string, std::string>>> settingsOf(
    const std::vector<std::string>& settings) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(FaultKind::Usage,
                        "--set " + setting + ": write it as name=value, for example --set width=64");
        pairs.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return pairs;
}

void addFileOptions(CLI::App& command, RunOptions& options) {
    command.add_option("--block", options.block, "threads of a block: X[,Y[,Z]]");
    addLaunchOptions(command, options);
}

void addLaunchOptions(CLI::App& command, RunOptions& options) {
    command.add_option("--entry", options.entry,
                       "the kernel's name, or a template instance: \"mm_tiled<16>\"");
    command.add_option("--grid", options.grid, "blocks: X[,Y[,Z]]");
    command.add_option("--shared", options.sharedBytes, "dynamic shared memory in bytes");
    command.add_option("--define", options.defines, "a macro for the compiler: N=V")->take_all();
    command
        .add_option("--arg", options.arguments,
                    "an argument, in parameter order: f32[4096]=random|zero|iota|const:2.5|FILE.npy, i32:96, "
                    "f32:1.5, hex:0a00...")
        ->take_all();
    command.add_option("--include", options.includes, "a folder with headers")->take_all();
    command.add_flag("--as-written", options.asWritten,
                     "compile so that PTX follows the source line by line (not unrolled)");
    addReferenceOption(command, options);
}

void addReferenceOption(CLI::App& command, RunOptions& options) {
    command
        .add_option("--reference", options.references,
                    "what the result is checked against (repeatable): NAME:BUFFER=INDEX,..., "
                    "kernel:NAME[,grid=X,Y,block=X,Y], kernel:FILE.cu:NAME or INDEX=FILE.npy; " +
                        run::referencesHelp())
        ->take_all();
}

void addExecutionOptions(CLI::App& command, RunOptions& options) {
    command.add_option("--set", options.settings, "a parameter of the family: name=value")->take_all();
    command.add_option("--device", options.device, "which GPU, from 0, as lockstep doctor lists them");
    command.add_option("--profile", options.profile,
                       "the device whose rules are applied: cc10 ... cc120, or a FILE.toml (default: the "
                       "GPU's own, else cc90)");
    command.add_option("--focus", options.focus, "blocks whose every event is kept: all, or X,Y[;X,Y...]");
    command.add_option("--threads", options.threads, "threads of this machine to use (0: all)")
        ->check(CLI::Range(0u, 1024u));
    command.add_option("--limit", options.limitSeconds, "seconds after which the run is stopped")
        ->check(CLI::Validator(isPositive, "SECONDS"))
        ->capture_default_str();
    command.add_option("--order", options.order, "auto, or sequential: blocks one after another")
        ->check(CLI::IsMember({"auto", "sequential"}));
    command.add_option("--findings", options.findings, "most findings to list")
        ->check(CLI::Range(1u, 1000000u));
    command.add_option("--seed", options.seed, "seed of random contents")
        ->check(CLI::Validator(isWhole, "UINT"));
}

void addMachineCodeOption(CLI::App& command, RunOptions& options) {
    command
        .add_option(
            "--machine-code", options.machineCode,
            "auto (read it where the CUDA toolkit is installed), or off: what the compiler does is modeled")
        ->check(CLI::IsMember({"auto", "off"}));
}

void readMachineCode(run::Run& run, const RunOptions& options, Session& session,
                     const cuda::Patience& patience) {
    if (options.readsMachineCode && options.machineCode == "auto" && run.recording.complete)
        run::readMachineCode(session.disassembler(), run, patience);
}

void addRunOptions(CLI::App& command, RunOptions& options) {
    command.add_option("--backend", options.backend, "auto (the GPU if there is one), emulator or gpu");
    command
        .add_option("--l2", options.l2,
                    "warm or cold: the second-level cache when a timed run on the GPU begins")
        ->check(CLI::IsMember({"warm", "cold"}));
    command.add_option("--recording", options.recording,
                       "measurements of your own, a FILE.json of lockstep record, before those that ship");
    addExecutionOptions(command, options);
}

Expected<run::Experiment> openExperiment(const RunOptions& options, Session& session) {
    if (options.what.empty())
        return fail(FaultKind::Usage,
                    "say what to run: FAMILY/VARIANT (lockstep list shows them), FILE.cu or FILE.ptx");
    if (options.what.ends_with(".lks"))
        return fail(
            FaultKind::Usage,
            options.what +
                " is a recording, which has run already; look at it with `lockstep show` or `lockstep " +
                options.what + "`");
    if (isFile(options.what)) {
        const Expected<run::FileRequest> request = fileRequest(options, session);
        if (!request) return Unexpected{request.error()};
        return run::open(*request);
    }
    if (!options.grid.empty() || !options.block.empty() || !options.arguments.empty() ||
        !options.entry.empty())
        return fail(FaultKind::Usage,
                    "--entry, --grid, --block and --arg go with a FILE.cu or FILE.ptx; a kernel of the "
                    "catalog takes --set");
    if (!options.references.empty())
        return fail(FaultKind::Usage,
                    "--reference goes with a FILE.cu, FILE.ptx or FILE.lks; a kernel of the catalog has its "
                    "own reference");
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const auto found = (*catalog)->lookUp(options.what);
    if (!found) return Unexpected{found.error()};
    const auto settings = settingsOf(options.settings);
    if (!settings) return Unexpected{settings.error()};
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, *settings);
    if (!values) return Unexpected{values.error()};
    return run::open(**session.resources(), *found->first, *found->second, *values, options.seed);
}

Expected<run::Options> runOptionsOf(const RunOptions& options, const run::Experiment& experiment,
                                    Session& session, Progress& progress) {
    const run::Caches caches = options.caches == "on"    ? run::Caches::On
                               : options.caches == "off" ? run::Caches::Off
                                                         : run::Caches::Auto;
    run::Options result{.backend = options.backend,
                        .profile = options.profile,
                        .emulator = {},
                        .caches = caches,
                        .gpu = {},
                        .repeat = options.repeat};
    if (options.measures || options.backend == "gpu") result.gpu.worker = &session.gpuWorker();
    result.gpu.device = options.device;
    result.gpu.coldCache = options.l2 == "cold";
    if (!options.measures) result.gpu.timedExecutions = 0;
    result.gpu.count = options.measures;
    simt::Options& emulator = result.emulator;
    emulator.threads = options.threads;
    emulator.sequential = options.order == "sequential";
    emulator.limit = std::chrono::nanoseconds(s64(options.limitSeconds * 1e9));
    emulator.mostFindings = options.findings;
    emulator.progress = &progress;
    if (options.focus == "all") {
        emulator.focusAll = true;
    } else if (!options.focus.empty()) {
        Expected<std::vector<Dim3>> focus = focusBlocks(options.focus, experiment.launches.front().grid);
        if (!focus) return Unexpected{focus.error()};
        emulator.focus = std::move(*focus);
    }
    return result;
}

Expected<run::Run> runExperiment(run::Experiment experiment, const RunOptions& options, Session& session) {
    Progress progress;
    const cuda::Patience patience{.cancelled = &progress.cancelled,
                                  .until = std::chrono::steady_clock::now() +
                                           std::chrono::nanoseconds(s64(options.limitSeconds * 1e9))};
    const Expected<run::Options> runOptions = runOptionsOf(options, experiment, session, progress);
    if (!runOptions) return Unexpected{runOptions.error()};
    const InterruptCancels interrupt(progress, {SIGINT});
    Expected<run::Run> run = [&] {
        const ProgressLine line(progress);
        return run::run(std::move(experiment), *runOptions);
    }();
    if (!run) return run;
    if (!run->measured && run->catalog && options.measures) {
        const auto recordings = session.recordings(options.recording);
        if (!recordings) return Unexpected{recordings.error()};
        run::attachRecorded(*run, **recordings);
    }
    readMachineCode(*run, options, session, patience);
    return run;
}

}  // namespace lockstep::cli
