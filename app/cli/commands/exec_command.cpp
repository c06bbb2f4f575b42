// lockstep exec: a whole CUDA program on the emulator.
#include "app/cli/commands/commands.h"
#include "app/cli/commands/draw_program.h"
#include "app/cli/commands/save_launches.h"
#include "app/cli/options/parser.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"

#if LOCKSTEP_EXEC
#include "app/cli/commands/serve_launches.h"
#include "app/cli/json/program_json.h"
#include "app/cli/pages/program_summary.h"
#include "operations/sentences.h"
#include "program/execute.h"
#endif

#include <cmath>
#include <csignal>
#include <memory>

namespace lockstep::cli {
namespace {

struct Arguments {
    std::vector<std::string> files, savedLaunches;
    std::string profile, json, timeline, followed;
    ViewOptions look;
    f64 limitSeconds = 60, processorSeconds = 60, wallSeconds = 600;
    u32 memoryMiB = 4096, threads = 0, findings = 1000;
    std::optional<u32> served;  // a file descriptor
    bool isQuiet = false, isOpen = false;
};

#if LOCKSTEP_EXEC

constexpr u64 kMostKept = u64{1} << 30;  // of what launches find in memory, for --serve

std::chrono::nanoseconds nanoseconds(f64 seconds) { return std::chrono::nanoseconds(s64(seconds * 1e9)); }
std::chrono::seconds wholeSeconds(f64 seconds) {
    return std::chrono::seconds(std::max<s64>(1, s64(std::ceil(seconds))));
}

// Beside the program in a build, under lib/lockstep once installed.
std::filesystem::path runtimeLibrary(const std::string& program) {
    std::error_code error;
    std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) own = program;
    const std::filesystem::path folder = own.parent_path();
    for (const std::filesystem::path& file :
         {folder / "liblockstep_cudart.a", folder / ".." / "lib" / "lockstep" / "liblockstep_cudart.a"})
        if (std::filesystem::exists(file, error)) return file.lexically_normal();
    return {};
}

// A wrong program is told apart from one that only returned something else.
int statusOf(const program::ProgramRecord& record) {
    if (record.end == program::End::Cancelled) return kCancelled;
    if (record.end == program::End::Crashed) return 128 + record.status;
    if (record.end != program::End::Exited) return kTimeIsUp;
    if (record.status) return record.status;
    for (const program::ProgramFinding& finding : record.findings)
        if (!finding.isRemark) return kKernelIsWrong;
    return kDone;
}

// Of a launch by itself.
run::Options runOptions(const Arguments& arguments) {
    run::Options options;
    options.backend = "emulator";
    options.profile = arguments.profile;
    options.emulator.threads = arguments.threads;
    options.emulator.limit = nanoseconds(arguments.limitSeconds);
    options.emulator.mostFindings = arguments.findings;
    options.wantsHints = false;
    return options;
}

// --follow and --timeline.
Expected<void> showOperations(const operations::Operations& all, const Arguments& arguments,
                              Session& session) {
    std::optional<u32> followed;
    if (!arguments.followed.empty()) {
        followed = operations::bufferNamed(arguments.followed, all);
        if (!followed)
            return fail(FaultKind::Usage,
                        Message(english("--follow {0}: no allocation of the program has this name or line"),
                                arguments.followed));
        printFollowed(all, *followed, session.language());
    }
    if (arguments.timeline.empty()) return {};
    return drawProgram(all, arguments.files.front(), followed, arguments.timeline, arguments.look, session);
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<model::Profile> profile = run::profileNamed(arguments.profile);
    if (!profile) return Unexpected{profile.error()};
    program::ExecuteRequest request;
    request.compile.files = arguments.files;
    request.compile.options = session.foreign.compiler;
    request.compile.headers = (*resources)->assets() / "cuda" / "include";
    request.compile.library = runtimeLibrary(session.program());
    if (request.compile.library.empty())
        return fail(FaultKind::NotFound,
                    english("the library that programs are linked with, liblockstep_cudart.a, is neither "
                            "beside lockstep nor in lib/lockstep"));
    Progress progress;
    // Whatever ends it, the temporary folder goes. nohup leaves SIGHUP ignored.
    std::signal(SIGPIPE, SIG_IGN);
    const auto atHangup = std::signal(SIGHUP, SIG_DFL);
    const InterruptCancels interrupt(progress, {SIGINT, SIGTERM, SIGQUIT, SIGHUP});
    if (atHangup == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    request.compile.cancelled = &progress.cancelled;
    request.arguments = session.foreign.program;
    request.server = {.profile = *profile,
                      .memoryBytes = u64{arguments.memoryMiB} << 20,
                      .limit = nanoseconds(arguments.limitSeconds),
                      .threads = arguments.threads,
                      .mostFindings = arguments.findings,
                      .counts = !arguments.json.empty(),
                      .progress = &progress};
    const Expected<std::map<u64, std::string>> toSave = launchesToSave(arguments.savedLaunches);
    if (!toSave) return Unexpected{toSave.error()};
    for (const auto& [number, file] : *toSave)
        request.server.keep.only.insert(number);
    if (!toSave->empty()) request.server.keep.mostBytes = 2 * request.server.memoryBytes;
    std::unique_ptr<LaunchServer> server;
    if (arguments.served) {
        Expected<std::unique_ptr<LaunchServer>> begun = LaunchServer::begin(int(*arguments.served), progress);
        if (!begun) return Unexpected{begun.error()};
        server = std::move(*begun);
        request.server.launches = &server->launches();
        request.server.keep.mostBytes = kMostKept;
    }
    request.limits.processorTime = wholeSeconds(arguments.processorSeconds);
    request.limits.wallTime = wholeSeconds(arguments.wallSeconds);
    request.limits.memoryBytes = (u64{arguments.memoryMiB} << 21) + (u64{1} << 30);
    request.limits.sandbox = !arguments.isOpen;
    request.compiled = [&server](const program::Compiled& compiled) {
        std::fputs(compiled.warnings.c_str(), stderr);
        if (server) server->started();
    };
    if (!arguments.json.empty() && arguments.json != "-")
        if (const Expected<void> writable = canBeWritten(arguments.json); !writable)
            return Unexpected{writable.error()};
    if (!arguments.timeline.empty())
        if (const Expected<void> fits = checkPicture(arguments.timeline, arguments.look); !fits)
            return Unexpected{fits.error()};
    const Expected<program::ProgramRecord> record = program::execute(std::move(request));
    if (server && !record) return server->failed(record.error()), kUsageError;
    if (!record) return Unexpected{record.error()};
    std::fflush(stdout);
    if (server) return server->serve(*record, runOptions(arguments)), statusOf(*record);
    if (!arguments.isQuiet) printProgramSummary(*record, session.language());
    if (!arguments.json.empty())
        if (const Expected<void> written = writeJson(programJson(*record), arguments.json); !written)
            return Unexpected{written.error()};
    if (const Expected<void> shown = showOperations(record->operations, arguments, session); !shown)
        return Unexpected{shown.error()};
    if (const Expected<void> saved = saveLaunches(*record, *toSave, runOptions(arguments)); !saved)
        return Unexpected{saved.error()};
    return statusOf(*record);
}

#else

Expected<int> execute(const Arguments&, Session&) {
    return fail(FaultKind::Unsupported,
                english("lockstep exec is for Linux: it needs its processes and its limits"));
}

#endif

}  // namespace

Action addExec(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command
        .add("files", arguments->files,
             english("the program's .cu and .cpp files, then options of the compiler (-I, -D, -O, -std, -l "
                     "...), then -- and the "
                     "program's arguments"))
        .type("FILE")
        .required();
    command
        .add("--profile", arguments->profile,
             english("device whose properties and limits the program finds (default cc90)"))
        .type("NAME");
    command.addJson(arguments->json,
                    english("write launches, findings and failed calls as JSON to this file"));
    command
        .add("--timeline", arguments->timeline,
             english("draw the program's launches, copies and waits, a row for each stream, into this .svg "
                     "or .png"))
        .type("FILE");
    command
        .add("--follow", arguments->followed,
             english("say what became of an allocation, by its variable's name or its line; framed in the "
                     "timeline"))
        .type("NAME|LINE");
    addLookOptions(command, arguments->look, "1280x240");
    command
        .add("--save-launch", arguments->savedLaunches,
             english("keep a launch, by its number from 1, in a recording that opens as that of any kernel "
                     "(repeatable)"))
        .type("NUMBER=FILE.lks")
        .repeatable();
    command
        .add("--limit", arguments->limitSeconds,
             english("seconds of the emulator, for all launches together"))
        .takesSeconds()
        .showsDefault();
    command
        .add("--processor-time", arguments->processorSeconds,
             english("seconds of processor time of the host code"))
        .takesSeconds()
        .showsDefault();
    command.add("--wall-time", arguments->wallSeconds, english("seconds after which the program is stopped"))
        .takesSeconds()
        .showsDefault();
    command
        .add("--memory", arguments->memoryMiB,
             english("MiB of device memory; the program itself may take 1 GiB and twice as much"))
        .takesWhole(1, 1 << 20)
        .showsDefault();
    command
        .add("--threads", arguments->threads, english("threads of the emulator (default: one for each core)"))
        .takesWhole(0, 1024);
    command.add("--findings", arguments->findings, english("most findings of a launch"))
        .takesWhole(1)
        .showsDefault();
    command.add("--no-sandbox", arguments->isOpen, english("do not use bubblewrap, where it is installed"));
    command
        .add("--serve", arguments->served,
             english("what the window runs programs with: tell how it fares on this file descriptor, then "
                     "open launches that are asked for on standard input"))
        .type("DESCRIPTOR");
    command.add("--quiet", arguments->isQuiet, english("no summary: only what the program prints"));
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
