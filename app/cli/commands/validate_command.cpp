// lockstep validate: kernels on the emulator and on this machine's GPU, side by side: traces, results,
// counters.
#include "app/cli/commands/commands.h"
#include "app/cli/options/run_options.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "base/text/counted.h"
#include "cuda/worker/worker.h"
#include "model/profiles/profile.h"
#include "run/gpu/driver_text.h"
#include "run/machine/read_machine_code.h"
#include "run/validate.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>

namespace lockstep::cli {
namespace {

using run::Validation;
using run::Verdict;

struct Arguments {
    RunOptions run;  // of a file of the user's own
    std::vector<std::string> kernels;
    std::string json;
};

// A hanging kernel is stopped after this, unless --limit says otherwise.
constexpr f64 kUsualLimit = 20;

struct Subject {
    std::string name;
    RunOptions options;
};

Expected<std::vector<Subject>> subjectsOf(const Arguments& arguments, Session& session) {
    std::vector<Subject> subjects;
    const auto add = [&](const std::string& what) {
        subjects.push_back({what, arguments.run});
        subjects.back().options.what = what;
    };
    for (const std::string& what : arguments.kernels)
        add(what);
    if (!subjects.empty()) return subjects;
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    for (const catalog::Family& family : (*catalog)->families())
        for (const catalog::Variant& variant : family.variants)
            add(family.name + "/" + variant.name);
    return subjects;
}

// In JSON.
const char* keyOf(Verdict verdict) {
    constexpr const char* kNames[] = {"agrees", "explained", "differs"};
    return kNames[std::size_t(verdict)];
}

Words nameOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Agrees: return english("verdict", "agrees");
        case Verdict::Explained: return english("verdict", "explained");
        case Verdict::Differs: return english("verdict", "differs");
    }
    return {};
}

Json sentences(const std::vector<Message>& texts) {
    Json list = Json::array();
    for (const Message& text : texts)
        list.push_back({{"sentence", text.english()}, {"sentence_zh", text.in(Language::Chinese)}});
    return list;
}

Json jsonOf(const Validation& v) {
    Json trace = nullptr;
    if (v.trace)
        trace = {{"blocks", v.trace->blocks},       {"steps", v.trace->steps},
                 {"accesses", v.trace->accesses},   {"paths", v.trace->paths},
                 {"addresses", v.trace->addresses}, {"values", v.trace->values},
                 {"groups", v.trace->groups},       {"regrouped", v.trace->regrouped},
                 {"raced", v.trace->raced},         {"truncated", v.trace->truncated}};
    Json counters = Json::array();
    for (const run::CounterCheck& check : v.counters)
        counters.push_back({{"metric", check.tolerance->metric},
                            {"model", check.model},
                            {"measured", check.measured},
                            {"readings", check.readings},
                            {"relative_tolerance", check.tolerance->relative},
                            {"absolute_tolerance", check.tolerance->absolute},
                            {"added", check.tolerance->added},
                            {"agrees", check.agrees}});
    const Json largest = std::isnan(v.largestDifference) ? Json("nan") : Json(v.largestDifference);
    Json cycles = {{"measured", v.cycles.measured ? Json(*v.cycles.measured) : Json(nullptr)},
                   {"modeled", nullptr},
                   {"why_no_time", nullptr}};
    if (v.cycles.modeled && *v.cycles.modeled)
        cycles["modeled"] = (*v.cycles.modeled)->activeCycles;
    else if (v.cycles.modeled)
        cycles["why_no_time"] = describe(v.cycles.modeled->error());
    return {{"kernel", v.name},
            {"verdict", keyOf(v.verdict())},
            {"trace", trace},
            {"results", {{"differing", v.differingElements}, {"largest", largest}}},
            {"counters", counters},
            {"cycles", cycles},
            {"explanations", sentences(v.explanations)},
            {"differences", sentences(v.differences)}};
}

// By how much of the measured cycles the modeled ones are off: -0.05.
std::optional<f64> cyclesOff(const Validation& v) {
    if (!v.cycles.measured || *v.cycles.measured <= 0 || !v.cycles.modeled || !*v.cycles.modeled) return {};
    return f64((*v.cycles.modeled)->activeCycles) / *v.cycles.measured - 1;
}

void printCycles(const std::vector<f64>& off, Language language) {
    if (off.empty()) return;
    f64 sum = 0, worst = 0;
    for (const f64 one : off) {
        sum += std::abs(one);
        if (std::abs(one) > std::abs(worst)) worst = one;
    }
    printLine(
        language,
        english("cycles of {0} {0:kernel|kernels}: the model is off by {1}% on average, at worst by {2}%"),
        off.size(), fmt::format("{:.1f}", 100 * sum / f64(off.size())), fmt::format("{:+.0f}", 100 * worst));
}

void printRow(const Validation& v, Language language) {
    const std::string trace = !v.trace ? "-"
                              : v.trace->isSame()
                                  ? say(language, english("{0} {0:step|steps}"), v.trace->steps)
                                  : say(language, english("verdict", "differs"));
    const auto wrong = std::ranges::count(v.counters, false, &run::CounterCheck::agrees);
    const std::string counters = !v.counted ? "-"
                                            : say(language, english("{0} of {1}"),
                                                  v.counters.size() - std::size_t(wrong), v.counters.size());
    const std::string results = v.differingElements == 0
                                    ? say(language, english("same bits"))
                                    : say(language, english("{0} differ"), v.differingElements);
    const std::optional<f64> off = cyclesOff(v);
    printOut("{:<34} {:<10} {:>14} {:>14} {:>10} {:>11} {:>11} {:>6}\n", v.name,
             say(language, nameOf(v.verdict())), trace, results, counters,
             v.cycles.measured ? grouped(u64(*v.cycles.measured)) : "-",
             off ? grouped((*v.cycles.modeled)->activeCycles) : "-",
             off ? fmt::format("{:+.0f}%", 100 * *off) : "");
    for (const run::CounterCheck& check : v.counters) {
        if (!check.agrees || !check.isRepeated())
            continue;  // if it still differs, the sentence below says so
        const auto [least, most] = std::ranges::minmax(check.readings);
        printOut("    {}\n",
                 say(language,
                     english("({0}: the model says {1}, the hardware {2}, the {3} of {4} readings from {5} "
                             "to {6})"),
                     check.tolerance->metric, u64(check.model), u64(check.measured), check.standing(),
                     check.readings.size(), u64(least), u64(most)));
    }
    for (const Message& text : v.differences)
        printOut("    {}\n", text.in(language));
    for (const Message& text : v.explanations)
        printOut("    {}\n", say(language, english("({0})"), text));
    std::fflush(stdout);
}

// An unknown kernel, or a block outside its grid, is reported before the first kernel runs.
Expected<void> checkNamed(const std::vector<Subject>& subjects, Session& session) {
    Progress none;
    for (const Subject& subject : subjects) {
        const Expected<run::Experiment> experiment = openExperiment(subject.options, session);
        if (!experiment) return Unexpected{experiment.error()};
        if (const Expected<run::Options> options = runOptionsOf(subject.options, *experiment, session, none);
            !options)
            return Unexpected{options.error()};
    }
    return {};
}

// For a file, the name includes its kernel.
std::string nameOf(const Subject& subject, const run::Experiment& experiment) {
    return experiment.catalog ? subject.name : subject.name + ": " + experiment.entry;
}

void printHead(const cuda::Device& device, const cuda::DriverInfo& driver, Language language) {
    printLine(language, english("{0}, compute capability {1}, CUDA {2}"), device.name,
              fmt::format("{}.{}", device.major, device.minor),
              run::driverText({driver.version, driver.release}));
    printOut("{:<34} {:<10} {:>14} {:>14} {:>10} {:>11} {:>11}\n", say(language, english("column", "kernel")),
             "", say(language, english("column", "trace")), say(language, english("column", "results")),
             say(language, english("column", "counters")), say(language, english("column", "cycles")),
             say(language, english("column", "modeled")));
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    const Expected<std::vector<Subject>> subjects = subjectsOf(arguments, session);
    if (!subjects) return Unexpected{subjects.error()};
    if (!arguments.kernels.empty())
        if (const Expected<void> checked = checkNamed(*subjects, session); !checked)
            return Unexpected{checked.error()};
    cuda::Worker& worker = session.gpuWorker();
    const Expected<cuda::DriverInfo> driver = worker.devices();
    if (!driver) return Unexpected{needsGpu("validate", driver.error())};
    const u32 number = arguments.run.device;
    if (number >= driver->devices.size())
        return fail(FaultKind::Usage,
                    Message(english("--device {0}: there is no such GPU; this machine's are numbered from 0 "
                                    "to {1} (lockstep doctor lists them)"),
                            number, driver->devices.size() - 1));
    const cuda::Device& device = driver->devices[number];
    const auto limit = std::chrono::nanoseconds(s64(arguments.run.limitSeconds * 1e9));
    Progress* underWay = nullptr;
    const run::RunJob runJob = [&](const cuda::Job& job) {
        return worker.run(job, {.limit = limit, .progress = underWay, .stage = {}});
    };

    const Language language = session.language();
    const bool prints = arguments.json != "-";
    if (prints) printHead(device, *driver, language);
    Json rows = Json::array();
    u32 agreeing = 0, explained = 0;
    std::vector<f64> off;
    const run::TimeOf timeOf = [&](const run::Run& run) -> Expected<run::TimedRun> {
        if (const Expected<void> possible = run::canBeTimed(run); !possible)
            return Unexpected{possible.error()};
        const Expected<const run::Resources*> resources = session.resources();
        if (!resources) return Unexpected{resources.error()};
        const auto code = run::shippedOrRead(**resources, session.disassembler(), run);
        if (!code) return Unexpected{code.error()};
        run::TimingOptions options;
        options.progress = underWay;
        return run::timeRun(run, **code, options);
    };
    for (const Subject& subject : *subjects) {
        Expected<run::Experiment> experiment = openExperiment(subject.options, session);
        if (!experiment) return Unexpected{experiment.error()};
        Progress progress;
        const InterruptCancels interrupt(progress, {SIGINT});
        underWay = &progress;
        Expected<run::Options> options = runOptionsOf(subject.options, *experiment, session, progress);
        if (!options) return Unexpected{options.error()};
        if (options->profile.empty())
            options->profile = model::nearestProfile(u32(device.major), u32(device.minor)).name;
        const std::string name = nameOf(subject, *experiment);
        const Expected<Validation> validation = [&] {
            const RunProgressLine line(
                language, progress,
                say(language, english("{0} of {1}: {2}"), rows.size() + 1, subjects->size(), name));
            return run::validate(name, *experiment, std::move(*options), runJob, &session.disassembler(),
                                 timeOf);
        }();
        if (progress.cancelled) {
            session.tell(english("canceled at {0}, {1} of {2}; what is printed above holds"), name,
                         rows.size() + 1, subjects->size());
            return kCancelled;
        }
        if (!validation) return Unexpected{validation.error()};
        agreeing += validation->verdict() == Verdict::Agrees;
        explained += validation->verdict() == Verdict::Explained;
        if (prints) printRow(*validation, language);
        if (const std::optional<f64> one = cyclesOff(*validation)) off.push_back(*one);
        rows.push_back(jsonOf(*validation));
    }
    const std::size_t differing = subjects->size() - agreeing - explained;
    if (prints)
        printLine(language, english("{0} kernels: {1} agree, {2} are explained, {3} differ"),
                  subjects->size(), agreeing, explained, differing);
    if (prints) printCycles(off, language);
    if (!arguments.json.empty()) {
        const Json json{{"device", device.name},
                        {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                        {"driver", driver->version},
                        {"driver_release", driver->release},
                        {"agree", agreeing},
                        {"explained", explained},
                        {"differ", differing},
                        {"kernels", rows}};
        if (const Expected<void> written = writeJson(json, arguments.json); !written)
            return Unexpected{written.error()};
    }
    return differing ? kKernelIsWrong : kDone;
}

}  // namespace

Action addValidate(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command
        .add("kernels", arguments->kernels,
             english("FAMILY/VARIANT, or a FILE.cu or FILE.ptx with --entry, --grid, --block and --arg "
                     "(default: the whole catalog)"))
        .type("");
    addFileOptions(command, arguments->run);
    arguments->run.limitSeconds = kUsualLimit;
    addExecutionOptions(command, arguments->run);
    command.addJson(arguments->json, english("write everything as JSON to this file"));
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
