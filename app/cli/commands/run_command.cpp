// lockstep run: runs a kernel, prints what it did and cost, and saves it on request.
#include "app/cli/commands/commands.h"
#include "app/cli/commands/try_orders.h"
#include "app/cli/json/run_json.h"
#include "app/cli/json/schedules_json.h"
#include "app/cli/options/run_options.h"
#include "app/cli/pages/run_summary.h"
#include "app/cli/pages/schedules_page.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "base/files/npy.h"
#include "base/text/counted.h"
#include "explain/hints/hint.h"
#include "run/find_hints.h"
#include "trace/lks/lks.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

namespace lockstep::cli {
namespace {

struct Arguments {
    RunOptions run;
    std::string json, save;
    std::vector<std::string> dumps;
    bool cpu = false;
    u32 schedules = 0;  // orders to try; 0: none
};

constexpr u32 kMostCpuRuns = 20;

// Times the family's loop on this machine's CPU.
Expected<catalog::CpuTiming> timeCpu(const catalog::Experiment& ran, u64 seed) {
    const Expected<catalog::Experiment> experiment =
        catalog::makeExperiment(*ran.family, *ran.variant, ran.values, seed);
    if (!experiment) return Unexpected{experiment.error()};
    std::optional<catalog::CpuTiming> timing = catalog::timeOnCpu(*experiment, kMostCpuRuns);
    if (!timing)
        return fail(FaultKind::Usage,
                    Message(english("--cpu: {0}/{1} has no loop for the CPU to time; leave it out"),
                            ran.family->name, ran.variant->name));
    return std::move(*timing);
}

// --dump INDEX=FILE.npy: the buffer of argument INDEX of the first launch, after the run.
struct Dump {
    u32 buffer;
    std::string file;
};

Expected<Dump> dumpOf(const std::string& text, const Launch& launch) {
    const std::size_t equals = text.find('=');
    u32 index = 0;
    bool digits = equals != std::string::npos && equals > 0 && equals <= 4 && equals + 1 < text.size();
    for (std::size_t i = 0; digits && i < equals; ++i) {
        digits = text[i] >= '0' && text[i] <= '9';
        index = index * 10 + u32(text[i] - '0');
    }
    if (!digits)
        return fail(
            FaultKind::Usage,
            Message(english("--dump {0}: write it as INDEX=FILE.npy, for example --dump 2=result.npy"),
                    text));
    if (index >= launch.arguments.size())
        return fail(FaultKind::Usage,
                    Message(english("--dump {0}: the kernel has {1} {1:argument|arguments}, numbered from 0"),
                            text, grouped(launch.arguments.size())));
    const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[index]);
    if (!buffer)
        return fail(FaultKind::Usage, Message(english("--dump {0}: argument {1} is no buffer"), text, index));
    return Dump{buffer->buffer, text.substr(equals + 1)};
}

// Two options must not write to one file.
Expected<void> eachOnce(const std::vector<std::string>& files) {
    std::set<std::filesystem::path> places;
    std::error_code ignored;
    for (const std::string& file : files)
        if (!file.empty() &&
            !places.insert(std::filesystem::absolute(file, ignored).lexically_normal()).second)
            return fail(FaultKind::Usage,
                        Message(english("two options write to {0}; give each a file of its own"), file));
    return {};
}

Expected<void> canBeReordered(const Arguments& arguments) {
    if (arguments.schedules == 0) return {};
    if (arguments.run.backend == "gpu")
        return fail(FaultKind::Usage, english("--schedules runs on the emulator, which alone can choose an "
                                              "order; leave out --backend gpu"));
    if (arguments.run.sample != "off")
        return fail(FaultKind::Usage, english("--schedules needs the whole grid; leave out --sample"));
    return {};
}

// --schedules: other orders of the same launches.
Expected<std::optional<run::OrderSearch>> searchOrders(const run::Run& run, const Arguments& arguments,
                                                       Session& session) {
    if (arguments.schedules == 0 || !run.recording.complete || !run.emulated)
        return std::optional<run::OrderSearch>();
    Expected<run::OrderSearch> search = tryOrders(run, arguments.run, arguments.schedules, session);
    if (!search) return Unexpected{search.error()};
    return std::optional(std::move(*search));
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    if (const Expected<void> can = canBeReordered(arguments); !can) return Unexpected{can.error()};
    Expected<run::Experiment> experiment = openExperiment(arguments.run, session);
    if (!experiment) return Unexpected{experiment.error()};
    for (Fault warning : experiment->warnings) {
        warning.message = Message(english("warning: {0}"), warning.message);
        session.tell(describe(warning, session.language()));
    }
    std::vector<Dump> dumps;
    std::vector<std::string> files{arguments.save, arguments.json == "-" ? "" : arguments.json};
    for (const std::string& text : arguments.dumps) {
        Expected<Dump> dump = dumpOf(text, experiment->launches.front());
        if (!dump) return Unexpected{dump.error()};
        files.push_back(dump->file);
        dumps.push_back(std::move(*dump));
    }
    if (const Expected<void> once = eachOnce(files); !once) return Unexpected{once.error()};
    for (const std::string& file : files)
        if (!file.empty())
            if (const Expected<void> place = canBeWritten(file); !place) return Unexpected{place.error()};

    if (arguments.cpu && !experiment->catalog)
        return fail(
            FaultKind::Usage,
            english(
                "--cpu goes with a kernel of the catalog, whose family says what the CPU has to compute"));
    RunOptions options = arguments.run;
    if (arguments.schedules) options.backend = "emulator";
    Expected<run::Run> run = runExperiment(std::move(*experiment), options, session);
    if (!run) return Unexpected{run.error()};
    const auto orders = searchOrders(*run, arguments, session);
    if (!orders) return Unexpected{orders.error()};
    const Language language = session.language();
    std::optional<ProgressLine> writing(std::in_place, language,
                                        say(language, english("writing the results")));
    for (const Dump& dump : dumps)
        if (const Expected<void> written = writeNpy(dump.file, run->recording.final[dump.buffer]); !written)
            return Unexpected{written.error()};
    if (!arguments.save.empty())
        if (const Expected<void> saved = trace::save(run->recording, arguments.save); !saved)
            return Unexpected{saved.error()};
    writing.reset();
    std::optional<catalog::CpuTiming> cpu;
    if (arguments.cpu && run->recording.complete) {
        const ProgressLine line(language, say(language, english("timing the loop on the CPU")));
        Expected<catalog::CpuTiming> timing = timeCpu(*run->catalog, arguments.run.seed);
        if (!timing) return Unexpected{timing.error()};
        cpu = std::move(*timing);
    }
    if (run->hints && !run->hints->all.empty()) {
        const ProgressLine line(language, say(language, english("looking for variants that cost less")));
        if (const auto resources = session.resources(); run->catalog && resources)
            run::findFixes(**resources, *run);
    }
    if (!arguments.json.empty()) {
        Json json = runJson(*run, cpu);
        if (*orders) json["schedules"] = schedulesJson(*run, **orders);
        if (const Expected<void> written = writeJson(json, arguments.json); !written)
            return Unexpected{written.error()};
    }
    if (arguments.json != "-") {
        printSummary(*run, cpu, language);
        if (*orders) printSchedules(*run, **orders, language);
    }

    // Or does not end, as where two locks are taken in different orders. What depends on the order of a
    // warp's lanes is wrong without a reference, too: sums of reals by atomics may differ rightly.
    const bool dependsOnLanes = std::ranges::any_of(
        run->recording.findings,
        [](const trace::Finding& finding) { return finding.kind == trace::FindingKind::WarpSynchronous; });
    const bool isWrongInSomeOrder =
        *orders && (*orders)->bad && std::ranges::any_of((*orders)->results, [&](const auto& result) {
            return !result.ended || !result.correct.value_or(!(result.changed && dependsOnLanes));
        });
    return run->correct().value_or(true) && run->recording.complete && !isWrongInSomeOrder ? kDone
                                                                                           : kKernelIsWrong;
}

}  // namespace

Action addRun(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    addKernel(command, arguments->run, english("FAMILY/VARIANT, FILE.cu or FILE.ptx"));
    arguments->run.keepsPart = true;
    arguments->run.measures = arguments->run.readsMachineCode = true;
    addRunOptions(command, arguments->run);
    addFileOptions(command, arguments->run);
    command
        .add("--repeat", arguments->run.repeat,
             english("run this often on fresh buffers, time by the median"))
        .takesWhole(1, 10000);
    command.addJson(arguments->json, english("write everything as JSON to this file"));
    command.add("--save", arguments->save, english("keep the recording in this .lks file")).type("FILE");
    command
        .add("--dump", arguments->dumps,
             english("write the buffer of an argument, counted from 0, after the run (repeatable)"))
        .type("INDEX=FILE.npy")
        .repeatable();
    command
        .add("--schedules", arguments->schedules,
             english("try this many orders of warps, blocks and lanes, and show one that changes the result "
                     "(--seed draws others)"))
        .takesWhole(1, 1'000'000);
    command.add("--cpu", arguments->cpu,
                english("time the family's plain loop on all cores of this machine, too"));
    addMachineCodeOption(command, arguments->run);
    addCachesOption(command, arguments->run);
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
