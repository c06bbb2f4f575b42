// Parses the command line, runs the chosen command and turns faults into one sentence and an exit status.
#include "app/cli/program.h"

#include "app/cli/cli.h"
#include "app/cli/interrupt.h"
#include "app/cli/parse_mistake.h"
#include "app/cli/user_language.h"
#include "base/nearest.h"
#include "cuda/worker_process.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace lockstep::cli {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// Not one of the commands: the program says it to itself only.
constexpr const char* kGpuWorker = "gpu-worker";

bool isCommand(std::string_view word) {
    return std::ranges::any_of(commands(), [&](const CommandRow& row) { return word == row.name; });
}

// `lockstep`, `lockstep matmul/tiled` and `lockstep run.lks` open the window: the word for it is left out.
std::vector<std::string> withCommand(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words[0] == "help") {  // lockstep help run
        words.erase(words.begin());
        words.resize(std::min<std::size_t>(words.size(), 1));
        words.emplace_back("--help");
    }
    static constexpr std::array kGlobal{"--help", "-h", "--version"};
    if (words.empty() || !(isCommand(words[0]) || std::ranges::find(kGlobal, words[0]) != kGlobal.end()))
        words.insert(words.begin(), "window");
    return words;
}

// `lockstep compre` asks for no kernel, for that has a slash, nor for a file: it is a command mistyped.
Message mistakenCommand(const std::vector<std::string>& words, Session& session) {
    if (words.size() < 2 || words[0] != "window" || words[1].starts_with('-')) return {};
    const std::string& word = words[1];
    if (word.find_first_of("/.") != std::string::npos) return {};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (catalog && (*catalog)->find(word)) return {};
    std::vector<std::string> names;
    for (const CommandRow& row : commands())
        names.emplace_back(row.name);
    return Message(english("there is no command '{0}'{1} (lockstep --help lists them; a kernel is written "
                           "FAMILY/VARIANT)"),
                   word, didYouMean(word, names));
}

// Where this program lies. What it was called by says so only with a path: not where PATH led to it.
std::filesystem::path ownPath(const std::string& called) {
    std::error_code error;
    std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path(called) : own;
}

}  // namespace

Expected<const run::Resources*> Session::resources() {
    if (!resources_) {
        Expected<run::Resources> found =
            run::findResources(ownPath(program_), environment("LOCKSTEP_RESOURCES"));
        if (!found) return Unexpected{found.error()};
        resources_ = std::move(*found);
    }
    return &*resources_;
}

Expected<const catalog::Catalog*> Session::catalog() {
    if (!catalog_) {
        const Expected<const run::Resources*> where = resources();
        if (!where) return Unexpected{where.error()};
        Expected<catalog::Catalog> read = catalog::Catalog::read((*where)->kernels());
        if (!read) return Unexpected{read.error()};
        catalog_ = std::move(*read);
    }
    return &*catalog_;
}

cuda::Worker& Session::gpuWorker() {
    if (!gpuWorker_) {
        gpuWorker_.emplace(cuda::WorkerCommand{ownPath(program_).string(), {kGpuWorker}});
    }
    return *gpuWorker_;
}

Expected<const std::vector<run::HardwareRecording>*> Session::recordings(const std::string& ownFile) {
    if (!recordings_) {
        const Expected<const run::Resources*> where = resources();
        if (!where) return Unexpected{where.error()};
        Expected<std::vector<run::HardwareRecording>> shipped = run::shippedRecordings(**where);
        if (!shipped) return Unexpected{shipped.error()};
        if (!ownFile.empty()) {
            Expected<run::HardwareRecording> own = run::readRecording(ownFile);
            if (!own) return Unexpected{own.error()};
            shipped->insert(shipped->begin(), std::move(*own));
        }
        recordings_ = std::move(*shipped);
    }
    return &*recordings_;
}

Expected<std::shared_ptr<const std::vector<viz::RecordedMachine>>> Session::machines() {
    const auto measured = recordings();
    if (!measured) return Unexpected{measured.error()};
    const Expected<const catalog::Catalog*> known = catalog();
    if (!known) return Unexpected{known.error()};
    return std::make_shared<const std::vector<viz::RecordedMachine>>(
        viz::recordedMachines(**measured, **known));
}

void Session::tell(const std::string& sentence) {
    if (told_.insert(sentence).second) std::fprintf(stderr, "lockstep: %s\n", sentence.c_str());
}

Fault cancelledFault() {
    return fail(FaultKind::Cancelled, english("canceled; nothing was written")).value();
}

Fault needsGpu(const std::string& command, Fault why) {
    why.message = Message(english("lockstep {0} needs a GPU: {1} (lockstep doctor has the details)"), command,
                          why.message);
    return why;
}

std::vector<CommandRow> commands() {
    return {
        {"window", english("open the window (the default)"),
         "lockstep matmul/tiled-bounds --set width=3 --set tile=2", addWindow},
        {"list", english("families, variants and their parameters, or the kernels of a file"),
         "lockstep list", addList},
        {"run", english("run a kernel of the catalog or of your own"),
         "lockstep run matmul/tiled --set width=256 --json -", addRun},
        {"access", english("what one warp's access costs"),
         "lockstep access --space shared --op load --width 4 --expr \"tid*2\"", addAccess},
        {"show", english("one view as a picture or an animation"),
         "lockstep show matmul/tiled --view banks --step 60 --out banks.svg", addShow},
        {"shot", english("the whole window as a picture or an animation"),
         "lockstep shot matmul/tiled --step 40 --out window.png", addShot},
        {"compare", english("what changes from one kernel, or one size, to another"),
         "lockstep compare matmul/naive matmul/tiled --set width=256", addCompare},
        {"record", english("measure the catalog on this machine's GPU and keep what was measured"),
         "lockstep record matmul/tiled --sizes width=256,1024 --out .", addRecord},
        {"doctor", english("what this machine has, and how to get the rest"), "lockstep doctor", addDoctor},
        {"validate", english("compare emulator, model and this machine's GPU, kernel by kernel"),
         "lockstep validate matmul/tiled scan/blelloch", addValidate},
        {"texts", english("every sentence that is shown for a kernel, to be reviewed"),
         "lockstep texts matmul/tiled --lang both", addTexts},
        {"completion", english("completion for your shell"), "source <(lockstep completion bash)",
         addCompletion},
    };
}

int runProgram(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == kGpuWorker) return cuda::serveAsWorker();
    const Language language =
        userLanguage(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), environment);
    Session session(argc > 0 ? argv[0] : "lockstep", language);
    Parser parser(language, "lockstep " LOCKSTEP_VERSION);
    std::vector<Action> actions;
    for (const CommandRow& row : commands())
        actions.push_back(row.add(parser.add(row.name, row.summary, row.example), session));

    const std::vector<std::string> words = withCommand(argc, argv);
    if (const Message mistake = mistakenCommand(words, session); !mistake.empty()) {
        std::fprintf(stderr, "lockstep: %s\n", mistake.in(language).c_str());
        return kUsageError;
    }
    const Parsed parsed = parser.parse(words);
    if (parsed.status) return std::fflush(stdout) != 0 || !std::cout.flush() ? kUsageError : *parsed.status;
    if (parsed.error) {
        session.tell(english("{0} (lockstep {1} --help has all options)"), mistakeIn(*parsed.error),
                     parsed.error->command.name());
        return kUsageError;
    }
    if (!parsed.command) return kDone;

    tellOfInterrupts(language);
    tellOfLimits(language);
    Expected<int> status = actions[*parsed.command]();
    if (status && (std::fflush(stdout) != 0 || std::ferror(stdout)))
        status = fail(FaultKind::System,
                      english("standard output could not be written to its end; is the disk full?"));
    if (status) return *status;
    std::fprintf(stderr, "lockstep: %s\n", describe(status.error(), language).c_str());
    return status.error().kind == FaultKind::Cancelled ? kCancelled : kUsageError;
}

}  // namespace lockstep::cli
