#include "app/cli/options/run_options.h"

#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/progress_line.h"
#include "base/text/counted.h"
#include "explain/sentences/words.h"
#include "model/profiles/profile.h"
#include "run/machine/read_machine_code.h"
#include "run/own/own_reference.h"
#include "run/sample/sample_choice.h"
#include "trace/lks/lks.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <utility>

namespace lockstep::cli {
namespace {

bool isFile(const std::string& what) { return what.ends_with(".cu") || what.ends_with(".ptx"); }

void replaceWord(std::string& text, std::string_view word, std::string_view by) {
    const auto goesOn = [](char c) { return c == '-' || std::isalnum(static_cast<unsigned char>(c)); };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const std::size_t end = at + word.size();
        const bool isWhole = end == text.size() || !goesOn(text[end]);
        if (isWhole) text.replace(at, word.size(), by);
        at += isWhole ? by.size() : word.size();
    }
}

// Messages about a launch name options as `lockstep run` does; here in the words of this command.
Fault inWordsOf(const RunOptions& options, Fault fault, Language language) {
    std::string text = fault.message.in(language);
    if (options.blockOption != "--block") replaceWord(text, "--block", options.blockOption);
    if (options.isEntryInWord)
        replaceWord(text, say(language, english("with --entry")),
                    say(language, english("as FILE.cu:KERNEL")));
    fault.message = Message::plain(std::move(text));
    if (fault.kind == FaultKind::TooLarge)
        fault.message = Message(
            english("{0}; run some of its blocks with --sample, or choose a smaller size"), fault.message);
    return fault;
}

// "--set width=3 matmul/tiled": a list of values also takes what follows it, including the kernel.
void takeKernelFrom(std::vector<std::string>& values, bool isWithEquals, std::string& what) {
    if (!what.empty() || values.size() < 2) return;
    const std::string& last = values.back();
    const bool isKernel = isFile(last) || last.ends_with(".lks") || isWithEquals;
    if (!isKernel || last.find('=') != std::string::npos) return;
    what = last;
    values.pop_back();
}

Expected<run::FileRequest> fileRequest(const RunOptions& options, Session& session) {
    if (!options.settings.empty())
        return fail(
            FaultKind::Usage,
            english(
                "--set goes with a kernel of the catalog; a kernel of your own takes --arg and --define"));
    run::LaunchText launch{.grid = options.grid,
                           .block = options.block,
                           .dynamicSharedBytes = options.sharedBytes,
                           .defines = options.defines,
                           .arguments = options.arguments,
                           .includeFolders = options.includes,
                           .references = options.references,
                           .further = options.further};
    std::string entry = options.entry;
    const Expected<std::vector<Fault>> taken =
        run::completeFromFile(options.what, entry, launch, options.sharedBytes > 0);
    if (!taken) return Unexpected{inWordsOf(options, taken.error(), session.language())};
    for (const Fault& note : *taken)
        session.tell(describe(inWordsOf(options, note, session.language()), session.language()));
    Expected<run::FileRequest> request = run::requestOf(options.what, entry, launch);
    if (!request) return Unexpected{inWordsOf(options, request.error(), session.language())};
    request->asWritten = options.asWritten;
    request->seed = options.seed;
    return request;
}

// 0: all blocks.
Expected<u64> sampleBlocksOf(const RunOptions& options) {
    if (options.sample == "off") return 0;
    if (options.sample == RunOptions::kNoNumber) return run::kSampleBlocks;
    u64 blocks = 0;
    const char *first = options.sample.data(), *last = first + options.sample.size();
    const auto [end, error] = std::from_chars(first, last, blocks);
    if (error != std::errc() || end != last || blocks == 0 || blocks > run::kMostSampleBlocks)
        return fail(
            FaultKind::Usage,
            Message(
                english("--sample {0}: write how many blocks to run, 1 to {1}, or leave the number out for "
                        "{2}"),
                options.sample, grouped(run::kMostSampleBlocks), run::kSampleBlocks));
    return blocks;
}

Expected<std::vector<Dim3>> focusBlocks(const std::string& text, const std::string& option, Dim3 grid) {
    std::vector<Dim3> blocks;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        const Expected<Dim3> block = run::dimensions(text.substr(at, end - at), option, 0);
        if (!block)
            return fail(
                FaultKind::Usage,
                Message(english("{0} {1}: write all, or blocks from 0 as X,Y[;X,Y...]"), option, text));
        if (block->x >= grid.x || block->y >= grid.y || block->z >= grid.z)
            return fail(
                FaultKind::Usage,
                Message(english("{0} {1}: there is no block {2}; the grid has {3}{4}, numbered from 0"),
                        option, text, explain::coordinates(*block, grid), explain::extentsText(grid),
                        grid.count() == 1 ? Message(english(" block")) : Message(english(" blocks"))));
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
            return fail(
                FaultKind::Usage,
                Message(english("--set {0}: write it as name=value, for example --set width=64"), setting));
        std::string name = setting.substr(0, equals);
        const auto same = std::ranges::find(pairs, name, &std::pair<std::string, std::string>::first);
        if (same != pairs.end() && same->second != setting.substr(equals + 1))
            return fail(FaultKind::Usage,
                        Message(english("--set {0}: {1} is already set to {2}; say one of them"), setting,
                                name, same->second));
        pairs.emplace_back(std::move(name), setting.substr(equals + 1));
    }
    return pairs;
}

void addKernel(const Command& command, RunOptions& options, const Words& what) {
    command.add("kernel", options.what, what).type("");
    command.whenRead([&options] {
        takeKernelFrom(options.settings, true, options.what);
        // "--sample matmul/tiled": the number may be left out, and this is none.
        if (options.what.empty() && options.sample != "off" &&
            options.sample.find_first_of("/.") != std::string::npos)
            options.what = std::exchange(options.sample, RunOptions::kNoNumber);
        for (auto* values :
             {&options.defines, &options.arguments, &options.includes, &options.references, &options.further})
            takeKernelFrom(*values, false, options.what);
    });
}

void addFileOptions(const Command& command, RunOptions& options) {
    addEntryOption(command, options);
    addLaunchOptions(command, options, kBlockNames);
}

void addEntryOption(const Command& command, RunOptions& options) {
    command
        .add("--entry", options.entry,
             english("of a file: the kernel's name, or a template instantiation: \"mm_tiled<16>\""))
        .type("NAME");
}

void addLaunchOptions(const Command& command, RunOptions& options, const std::string& blockNames) {
    options.blockOption = blockNames.substr(0, blockNames.find(','));
    command.add("--grid", options.grid, english("of a file: how many blocks the grid has")).type("X[,Y[,Z]]");
    command.add(blockNames, options.block, english("of a file: how many threads a block has"))
        .type("X[,Y[,Z]]");
    command
        .add("--shared", options.sharedBytes, english("of a file: bytes of dynamic shared memory of a block"))
        .takesWhole();
    command.add(
        "--cooperative", options.isCooperative,
        english("launch as cudaLaunchCooperativeKernel() does, so that grid.sync() works (emulator)"));
    command.add("--define", options.defines, english("of a file: a macro for the compiler (repeatable)"))
        .type("NAME[=VALUE]")
        .repeatable();
    command
        .add("--arg", options.arguments,
             english("of a file: an argument, in the order of the parameters (repeatable): "
                     "f32[4096]=random|zero|iota|const:2.5|FILE.npy, f32[64][48]=... with rows and columns, "
                     "i32:96, f32:1.5, hex:0a00..."))
        .type("ARGUMENT")
        .repeatable();
    command
        .add("--then", options.further,
             english("of a file: a further launch on the same buffers, in CUDA's form (repeatable): "
                     "'add<<<4, 256>>>(buffer:1, f32[4]=zero, i32:1000)'; buffer:N is one of the launches "
                     "before, counted from 0"))
        .type("LAUNCH")
        .repeatable();
    command.add("--include", options.includes, english("of a file: a folder with headers (repeatable)"))
        .type("FOLDER")
        .repeatable();
    command.add(
        "--as-written", options.asWritten,
        english("of a file: compile so that PTX follows the source line by line (loops are not unrolled)"));
    addReferenceOption(command, options);
}

std::optional<OwnFile> ownFileIn(const std::string& word) {
    if (isFile(word)) return OwnFile{word, {}};
    for (const std::string_view ending : {".cu:", ".ptx:"})
        if (const std::size_t at = word.rfind(ending); at != std::string::npos)
            return OwnFile{word.substr(0, at + ending.size() - 1), word.substr(at + ending.size())};
    return std::nullopt;
}

Expected<std::pair<const catalog::Family*, const catalog::Variant*>> lookUp(const catalog::Catalog& catalog,
                                                                            const std::string& word) {
    auto found = catalog.lookUp(word);
    if (found || found.error().kind == FaultKind::Usage) return found;
    std::error_code ignored;
    if (std::filesystem::is_directory(word, ignored))
        return fail(FaultKind::Usage,
                    english("is a folder; name a FILE.cu, FILE.ptx or FILE.lks in it, or a kernel of the "
                            "catalog as FAMILY/VARIANT (lockstep list shows them)"),
                    {.file = word});
    if (std::filesystem::exists(word, ignored) || word.starts_with('/') || word.starts_with('.'))
        return fail(FaultKind::Usage,
                    english("is no kernel: name a file that ends in .cu, .ptx or .lks, or a kernel of the "
                            "catalog as FAMILY/VARIANT (lockstep list shows them)"),
                    {.file = word});
    return found;
}

void addReferenceOption(const Command& command, RunOptions& options) {
    command
        .add("--reference", options.references,
             english("of a file or recording: what the result is checked against "
                     "(repeatable): NAME:BUFFER=INDEX,..., "
                     "kernel:NAME[,grid=X,Y,block=X,Y], kernel:FILE.cu:NAME or "
                     "INDEX=FILE.npy; {0}"),
             run::referencesHelp())
        .type("REFERENCE")
        .repeatable();
}

void addExecutionOptions(const Command& command, RunOptions& options) {
    command.add("--set", options.settings, english("a parameter of the family (repeatable)"))
        .type("NAME=VALUE")
        .repeatable();
    addDeviceOption(command, options.device);
    command
        .add("--profile", options.profile,
             english("the device whose rules are applied: cc10 ... cc120, or a FILE.toml (default: the GPU's "
                     "own, else cc90)"))
        .type("NAME");
    command
        .add("--focus", options.focus, english("blocks that are recorded step by step: all, or X,Y[;X,Y...]"))
        .type("BLOCKS");
    command.add("--threads", options.threads, english("threads of this machine to use (0: all)"))
        .takesWhole(0, 1024);
    command.add("--limit", options.limitSeconds, english("seconds after which the run is stopped"))
        .takesSeconds()
        .showsDefault();
    command.add("--order", options.order, english("sequential: blocks one after another"))
        .takesOneOf({"auto", "sequential"});
    command.add("--findings", options.findings, english("findings to list at most (default: 1000)"))
        .takesWhole(1, 1000000);
    command
        .add("--seed", options.seed,
             english("seed of random contents, and of a sample's blocks (default: 1)"))
        .takesWhole(0, std::numeric_limits<u64>::max());
}

void addDeviceOption(const Command& command, u32& device) {
    command.add("--device", device, english("which GPU, from 0, as lockstep doctor lists them")).takesWhole();
}

void addCachesOption(const Command& command, RunOptions& options) {
    command
        .add("--caches", options.caches,
             english("simulate L1, L2 and device memory (default: up to 100 million requests)"))
        .takesOneOf({"on", "off"});
}

void addMachineCodeOption(const Command& command, RunOptions& options) {
    command
        .add("--machine-code", options.machineCode,
             english("auto: read it where the CUDA toolkit is installed; "
                     "off: what the compiler does is modeled"))
        .takesOneOf({"auto", "off"});
}

void readMachineCode(run::Run& run, const RunOptions& options, Session& session,
                     const cuda::Patience& patience) {
    if (!options.readsMachineCode || options.machineCode != "auto" || !run.recording.complete) return;
    const ProgressLine line(session.language(), say(session.language(), english("reading the machine code")));
    run::readMachineCode(session.disassembler(), run, patience);
}

void addRunOptions(const Command& command, RunOptions& options) {
    command
        .add("--backend", options.backend, english("where the kernel runs; auto: on the GPU if there is one"))
        .takesOneOf({"auto", "emulator", "gpu"});
    command.add("--l2", options.l2, english("the L2 cache when a timed run on the GPU begins"))
        .takesOneOf({"warm", "cold"});
    command
        .add("--recording", options.recording,
             english("measurements of your own, a FILE.json of lockstep record, before those that ship"))
        .type("FILE");
    command
        .add("--sample", options.sample,
             english("of a grid that is too large: run only about this many of its blocks (default: {0}), at "
                     "corners, edges, inside and at random"),
             run::kSampleBlocks)
        .type("[BLOCKS]")
        .mayHaveNoValue();
    addExecutionOptions(command, options);
}

Expected<run::Experiment> openExperiment(const RunOptions& options, Session& session) {
    if (options.what.empty())
        return fail(
            FaultKind::Usage,
            english("say what to run: FAMILY/VARIANT (lockstep list shows them), FILE.cu or FILE.ptx"));
    if (options.what.ends_with(".lks"))
        return fail(FaultKind::Usage, Message(english("{0} is a recording, which has run already; look at it "
                                                      "with `lockstep show` or `lockstep {0}`"),
                                              options.what));
    if (isFile(options.what)) {
        const ProgressLine line(session.language(),
                                say(session.language(), english("compiling {0}"), options.what));
        const Expected<run::FileRequest> request = fileRequest(options, session);
        if (!request) return Unexpected{request.error()};
        Expected<run::Experiment> experiment = run::open(*request);
        if (!experiment) return Unexpected{inWordsOf(options, experiment.error(), session.language())};
        return experiment;
    }
    if (!options.grid.empty() || !options.block.empty() || !options.arguments.empty() ||
        !options.further.empty() || !options.entry.empty())
        return fail(FaultKind::Usage,
                    Message(english("--entry, --grid, {0}, --arg and --then go with a FILE.cu or "
                                    "FILE.ptx; a kernel of the catalog takes --set"),
                            options.blockOption));
    if (!options.references.empty())
        return fail(FaultKind::Usage, english("--reference goes with a FILE.cu, FILE.ptx or FILE.lks; a "
                                              "kernel of the catalog has its own reference"));
    const Expected<const catalog::Catalog*> catalog = session.catalogWith(options.what);
    if (!catalog) return Unexpected{catalog.error()};
    const auto found = lookUp(**catalog, options.what);
    if (!found) return Unexpected{found.error()};
    const auto settings = settingsOf(options.settings);
    if (!settings) return Unexpected{settings.error()};
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, *settings);
    if (!values) return Unexpected{values.error()};
    const ProgressLine line(session.language(),
                            say(session.language(), english("preparing {0}"), options.what));
    return run::open(**session.resources(), *found->first, *found->second, *values, options.seed);
}

Expected<run::Options> runOptionsOf(const RunOptions& options, const run::Experiment& experiment,
                                    Session& session, Progress& progress) {
    const Expected<u64> sampleBlocks = sampleBlocksOf(options);
    if (!sampleBlocks) return Unexpected{sampleBlocks.error()};
    const run::Caches caches = options.caches == "on"    ? run::Caches::On
                               : options.caches == "off" ? run::Caches::Off
                                                         : run::Caches::Auto;
    run::Options result{.backend = options.backend,
                        .profile = options.profile,
                        .emulator = {},
                        .caches = caches,
                        .gpu = {},
                        .sampleBlocks = *sampleBlocks,
                        .repeat = options.repeat};
    if (options.measures || options.backend == "gpu") result.gpu.worker = &session.gpuWorker();
    result.gpu.device = options.device;
    result.gpu.coldCache = options.l2 == "cold";
    if (!options.measures) result.gpu.timedExecutions = 0;
    result.gpu.count = options.measures;
    simt::Options& emulator = result.emulator;
    emulator.threads = options.threads;
    emulator.sequential = options.order == "sequential";
    emulator.cooperative = options.isCooperative;
    emulator.limit = std::chrono::nanoseconds(s64(options.limitSeconds * 1e9));
    emulator.mostFindings = options.findings;
    emulator.progress = &progress;
    if (options.focus == "all") {
        emulator.focusAll = true;
    } else if (!options.focus.empty()) {
        Expected<std::vector<Dim3>> focus =
            focusBlocks(options.focus, options.focusOption, experiment.launches.front().grid);
        if (!focus) return Unexpected{focus.error()};
        emulator.focus = std::move(*focus);
    }
    return result;
}

Expected<run::Run> runExperiment(run::Experiment experiment, const RunOptions& options, Session& session) {
    Progress progress;
    const InterruptCancels interrupt(progress, {SIGINT});
    return runExperiment(std::move(experiment), options, session, progress, {});
}

Expected<run::Run> runExperiment(run::Experiment experiment, const RunOptions& options, Session& session,
                                 Progress& progress, const std::string& of) {
    const cuda::Patience patience{.cancelled = &progress.cancelled,
                                  .until = std::chrono::steady_clock::now() +
                                           std::chrono::nanoseconds(s64(options.limitSeconds * 1e9))};
    const Expected<run::Options> runOptions = runOptionsOf(options, experiment, session, progress);
    if (!runOptions) return Unexpected{runOptions.error()};
    Expected<run::Run> run = [&] {
        const RunProgressLine line(session.language(), progress, of);
        return run::run(std::move(experiment), *runOptions);
    }();
    if (progress.cancelled && !options.keepsPart) return Unexpected{cancelledFault()};
    if (progress.cancelled) session.tell(english("canceled: what had run by then is kept"));
    if (!run) return Unexpected{inWordsOf(options, run.error(), session.language())};
    if (!run->measured && run->catalog && options.measures)
        if (const Expected<void> attached = session.attachRecorded(*run, options.recording); !attached)
            return Unexpected{attached.error()};
    readMachineCode(*run, options, session, patience);
    return run;
}

}  // namespace lockstep::cli
