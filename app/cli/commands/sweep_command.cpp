// lockstep sweep: runs variants of a family at many values of a parameter, and draws what is counted or
// measured as a chart.
#include "app/cli/commands/commands.h"
#include "app/cli/commands/sweep_points.h"
#include "app/cli/json/sweep_json.h"
#include "app/cli/options/run_options.h"
#include "app/cli/options/view_options.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "base/nearest.h"
#include "cuda/driver_library.h"
#include "run/sweep/modeled_times.h"
#include "viz/painters/raster/raster.h"
#include "viz/painters/svg/svg.h"
#include "viz/scene/captioned.h"
#include "viz/scene/fonts.h"
#include "viz/views/sweep_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <limits>
#include <memory>

namespace lockstep::cli {
namespace {

constexpr viz::Size kLeastSize{480, 240};
constexpr f32 kLeastCaptioned = 200;
// No limit: whether a size is too large is decided by its instructions, not by the clock.
constexpr f64 kNoLimitSeconds = 1e9;

struct Arguments {
    ViewOptions view;  // its run options, and how the picture looks
    std::vector<std::string> kernels, outs;
    std::string json, metric, x = "auto", y = "auto";
};

enum class Kind : u8 { Picture, Json, Csv };

Expected<Kind> kindOf(const std::string& file) {
    struct Ending {
        std::string_view ending;
        Kind kind;
    };
    for (const Ending& one : {Ending{".svg", Kind::Picture}, Ending{".png", Kind::Picture},
                              Ending{".json", Kind::Json}, Ending{".csv", Kind::Csv}})
        if (file.ends_with(one.ending)) return one.kind;
    return fail(FaultKind::Usage,
                Message(english("--out {0}: name a file that ends in .svg, .png, .json or .csv"), file));
}

// "--set width=64,256 matmul/naive matmul/tiled": a list of settings also takes the kernels that follow it.
void takeKernels(Arguments& arguments) {
    const auto isKernel = [](const std::string& word) { return word.find('=') == std::string::npos; };
    for (std::vector<std::string>* words : {&arguments.view.run.settings, &arguments.outs}) {
        const auto isOut = [](const std::string& word) { return word.find('.') != std::string::npos; };
        for (auto word = words->begin(); word != words->end();)
            if (words == &arguments.outs ? !isOut(*word) : isKernel(*word)) {
                arguments.kernels.push_back(*word);
                word = words->erase(word);
            } else {
                ++word;
            }
    }
}

viz::AxisScaling scalingOf(const std::string& word) {
    return word == "log"      ? viz::AxisScaling::Log
           : word == "linear" ? viz::AxisScaling::Linear
                              : viz::AxisScaling::Auto;
}

// Short names; counters have ncu's.
std::string metricNames() {
    std::string names;
    for (const run::SweepMetric& metric : run::sweepMetrics())
        if (metric.name.find("__") == std::string::npos) names += (names.empty() ? "" : ", ") + metric.name;
    return names;
}

// What runs the points.
struct Device {
    bool isGpu = false;
    std::string name;  // the GPU, or the profile whose rules the emulator's model applies
};

Expected<Device> deviceOf(const RunOptions& options, Session& session) {
    const Expected<model::Profile> profile = run::profileNamed(options.profile);
    if (!profile) return Unexpected{profile.error()};
    const Device emulator{false, profile->name};
    if (options.backend == "emulator" || options.sample != "off") return emulator;
    if (options.backend == "auto" && !cuda::isDriverInstalled()) return emulator;
    const Expected<cuda::DriverInfo> info = session.gpuWorker().devices();
    if (!info && options.backend == "gpu") return Unexpected{needsGpu("sweep", info.error())};
    if (!info || options.device >= info->devices.size()) return emulator;
    return Device{true, info->devices[options.device].name};
}

class Sweeping {
public:
    // toModel: of the tasks those whose time the cycle model is asked for.
    Sweeping(const run::SweepPlan& plan, const RunOptions& options, const Device& device, Session& session,
             std::vector<run::SweepTask> toModel)
        : plan_(plan),
          options_(options),
          device_(device),
          session_(session),
          toModel_(std::move(toModel)),
          sweep_(run::emptySweep(plan)) {}

    // What recordings have, and modeled times: nothing else is run, but values that are not possible are
    // said.
    void withoutCounts(std::span<const run::RecordedMachine> machines) {
        for (const run::SweepTask& task : run::tasksOf(plan_))
            if (!isToModel(task)) (void)valuesOf(task);
        run(machines, toModel_);
    }

    // Runs every point, until it is canceled.
    void run(std::span<const run::RecordedMachine> machines) { run(machines, run::tasksOf(plan_)); }

    const run::Sweep& sweep() const { return sweep_; }
    bool isCanceled() const { return isCanceled_; }
    bool hasFailed() const { return hasFailed_; }

private:
    void run(std::span<const run::RecordedMachine> machines, const std::vector<run::SweepTask>& tasks) {
        Progress progress;
        const InterruptCancels interrupt(progress, {SIGINT}, InterruptCancels::SecondTime::Quits);
        for (std::size_t i = 0; i < tasks.size() && !isCanceled_; ++i) {
            progress.done = progress.total = 0;
            const std::string of = pointOf(i + 1, tasks.size(), plan_, tasks[i], session_.language());
            runPoint(tasks[i], progress, of);
            isCanceled_ = progress.cancelled;
            if (isCanceled_)
                session_.tell(english("canceled at {0} of {1}: the points before it are kept"), i + 1,
                              tasks.size());
        }
        run::addRecorded(sweep_, plan_, machines);
    }

    bool isToModel(const run::SweepTask& task) const {
        return std::ranges::any_of(toModel_, [&](const run::SweepTask& other) {
            return other.variant == task.variant && other.setting == task.setting &&
                   other.value == task.value;
        });
    }

    std::optional<catalog::Values> valuesOf(const run::SweepTask& task) {
        Expected<catalog::Values> values = run::valuesOf(plan_, task);
        if (values) return std::move(*values);
        failed(task, values.error(), describe(values.error(), session_.language()));
        return std::nullopt;
    }

    void runPoint(const run::SweepTask& task, Progress& progress, const std::string& of) {
        const std::optional<catalog::Values> values = valuesOf(task);
        if (!values) return;
        const Expected<run::Run> run = cli::runPoint(plan_, task, *values, options_, session_, progress, of);
        if (progress.cancelled) return;
        const auto say = [&](const Fault& fault) {
            return pointName(plan_, task) + ": " + describe(fault, session_.language());
        };
        if (!run) return failed(task, run.error(), say(run.error()));
        run::addRun(sweep_, task, *run);
        const bool isMeasured = run->measured && run->measured->recording.empty();
        if (!isToModel(task) || isMeasured) return;
        const Expected<void> modeled = modelPoint(sweep_, task, *run, session_, progress, of);
        if (!modeled) session_.tell(say(modeled.error()));
    }

    void failed(const run::SweepTask& task, const Fault& fault, const std::string& sentence) {
        hasFailed_ = true;
        session_.tell(sentence);
        run::addError(sweep_, task, device_.isGpu ? run::SweepSource::Gpu : run::SweepSource::Emulator,
                      device_.name, fault);
    }

    const run::SweepPlan& plan_;
    const RunOptions& options_;
    const Device& device_;
    Session& session_;
    const std::vector<run::SweepTask> toModel_;
    run::Sweep sweep_;
    bool isCanceled_ = false, hasFailed_ = false;
};

// One line for each point, below a line for each series.
void printTable(const run::Sweep& sweep, const viz::SweepLook& look, Language language) {
    printOut("{}\n", viz::metricTitle(*look.metric, language));
    for (const viz::ChartSeries& series : viz::chartOf(sweep, look, language).series)
        for (const viz::ChartPoint& point : series.points)
            // The parameters that all have in common are those of the command.
            printOut("{}\n", std::string_view(point.hover).substr(0, point.hover.find('\n')));
}

Expected<void> writePicture(const Arguments& arguments, const std::string& out, const run::Sweep& sweep,
                            const viz::SweepLook& look, const viz::Fonts& fonts) {
    const Expected<const viz::Theme*> theme = themeOf(arguments.view);
    const Expected<Language> language = languageOf(arguments.view);
    const Expected<viz::Size> size = sizeOf(arguments.view.size, kLeastSize);
    if (!theme) return Unexpected{theme.error()};
    if (!language) return Unexpected{language.error()};
    if (!size) return Unexpected{size.error()};
    const run::Run none;
    const viz::ViewInput in{.run = none,
                            .cursor = {},
                            .profile = model::defaultProfile(),
                            .size = *size,
                            .language = *language,
                            .metrics = fonts};
    const viz::Scene scene = viz::buildCaptioned(
        [&](const viz::ViewInput& of) { return viz::sweepScene(of, sweep, look); }, kLeastCaptioned, in);
    if (out.ends_with(".svg")) return writeFile(out, viz::toSvg(scene, **theme));
    return viz::writePng(viz::RasterPainter(fonts).paint(scene, **theme, arguments.view.scale), out);
}

// What can be said to be wrong before anything is run.
Expected<void> check(const Arguments& arguments) {
    if (const Expected<const viz::Theme*> theme = themeOf(arguments.view); !theme)
        return Unexpected{theme.error()};
    if (const Expected<Language> language = languageOf(arguments.view); !language)
        return Unexpected{language.error()};
    const Expected<viz::Size> size = sizeOf(arguments.view.size, kLeastSize);
    if (!size) return Unexpected{size.error()};
    for (const std::string& out : arguments.outs) {
        const Expected<Kind> kind = kindOf(out);
        if (!kind) return Unexpected{kind.error()};
        if (*kind == Kind::Picture)
            if (Expected<void> pixels = checkPixels(arguments.view, *size, out); !pixels) return pixels;
        if (Expected<void> place = canBeWritten(out); !place) return place;
    }
    if (!arguments.json.empty() && arguments.json != "-") return canBeWritten(arguments.json);
    return {};
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    if (const Expected<void> valid = check(arguments); !valid) return Unexpected{valid.error()};
    const Expected<const run::SweepMetric*> metric = metricNamed(arguments.metric);
    if (!metric) return Unexpected{metric.error()};
    const auto settings = settingsOf(arguments.view.run.settings);
    if (!settings) return Unexpected{settings.error()};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const Expected<run::SweepPlan> plan = run::planSweep(**catalog, arguments.kernels, *settings);
    if (!plan) return Unexpected{plan.error()};
    const Expected<Device> device = deviceOf(arguments.view.run, session);
    if (!device) return Unexpected{device.error()};
    if (const auto recordings = session.recordings(arguments.view.run.recording); !recordings)
        return Unexpected{recordings.error()};
    const auto machines = session.machines();
    if (!machines) return Unexpected{machines.error()};

    const auto isPicture = [](const std::string& out) { return *kindOf(out) == Kind::Picture; };
    const bool prints = arguments.outs.empty() && arguments.json.empty();
    const bool draws = std::ranges::any_of(arguments.outs, isPicture);
    const bool writesAll = !arguments.json.empty() || !std::ranges::all_of(arguments.outs, isPicture);
    run::Sweep recorded = run::emptySweep(*plan);
    run::addRecorded(recorded, *plan, **machines);
    // Without a GPU, times are those of recordings, whatever the emulator would count.
    const bool isModeled = arguments.view.time == "modeled";
    const bool showsTime =
        *metric ? (*metric)->isMeasured
                : isModeled || run::defaultMetric(recorded, plan->values.size()).name == "time";
    const bool needsRuns = device->isGpu || writesAll || !showsTime;

    std::vector<run::SweepTask> toModel;
    if (isModeled)
        toModel = run::tasksToModel(*plan, recorded,
                                    run::modeledDevice(*run::profileNamed(arguments.view.run.profile)));
    Sweeping sweeping(*plan, arguments.view.run, *device, session, std::move(toModel));
    if (needsRuns)
        sweeping.run(**machines);
    else
        sweeping.withoutCounts(**machines);
    const run::Sweep& sweep = sweeping.sweep();
    const viz::SweepLook look{.metric = *metric     ? *metric
                                        : isModeled ? run::findSweepMetric("time")
                                                    : &run::defaultMetric(sweep, plan->values.size()),
                              .x = scalingOf(arguments.x),
                              .y = scalingOf(arguments.y)};
    if (!needsRuns && sweep.has(look.metric->key) && !run::hasModeled(sweep))
        session.tell(
            english("there is no GPU to run on: these times were recorded; for what the emulator "
                    "counts, choose another --metric, for example sectors_per_request"));
    if (!arguments.json.empty())
        if (const Expected<void> written = writeJson(sweepJson(sweep, *look.metric), arguments.json);
            !written)
            return Unexpected{written.error()};
    const bool hasPoints = sweep.has(look.metric->key);
    if ((draws || prints) && !hasPoints)
        session.tell(look.metric->isMeasured && !device->isGpu && !isModeled
                         ? Message(english("there is no {0} to show: it needs a GPU, a recording that has "
                                           "these sizes, or --time modeled"),
                                   look.metric->title)
                               .in(session.language())
                         : Message(english("there is no {0} to show: no point has it"), look.metric->title)
                               .in(session.language()));
    std::optional<viz::Fonts> fonts;
    if (draws && hasPoints) {
        Expected<viz::Fonts> loaded = viz::Fonts::load(fontFolder(**session.resources()));
        if (!loaded) return Unexpected{loaded.error()};
        fonts = std::move(*loaded);
    }
    for (const std::string& out : arguments.outs) {
        const Kind kind = *kindOf(out);
        if (kind == Kind::Picture && !hasPoints) continue;
        const Expected<void> written = kind == Kind::Json ? writeJson(sweepJson(sweep, *look.metric), out)
                                       : kind == Kind::Csv
                                           ? writeFile(out, sweepCsv(sweep))
                                           : writePicture(arguments, out, sweep, look, *fonts);
        if (!written) return Unexpected{written.error()};
    }
    if (prints && hasPoints) printTable(sweep, look, session.language());
    if (sweeping.isCanceled()) return kCancelled;
    return sweeping.hasFailed() || !((draws || prints) ? hasPoints : true) ? kKernelIsWrong : kDone;
}

}  // namespace

Action addSweep(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    RunOptions& run = arguments->view.run;
    run.measures = run.readsMachineCode = true;
    run.limitSeconds = kNoLimitSeconds;
    command
        .add("kernels", arguments->kernels,
             english("FAMILY (all its variants that have the parameter), or FAMILY/VARIANT ..."))
        .type("");
    command.whenRead([arguments] { takeKernels(*arguments); });
    addRunOptions(command, run);
    command.option("--set").describe(
        english("a parameter of the family (repeatable); one of them with several values: "
                "width=64:4096:x2, stride=0:32:+4 or width=64,100,1000; a second one with a list makes a "
                "series of each of its values"));
    command.option("--limit").describe(english("seconds after which a point is stopped (default: none)"));
    command
        .add("--metric", arguments->metric,
             english("what the chart shows: {0}, or a counter by ncu's name, as lockstep run lists them "
                     "(default: time where there is a GPU or a recording)"),
             metricNames())
        .type("NAME");
    command.add("--x-axis", arguments->x, english("the parameter's axis (default: as the values are spread)"))
        .takesOneOf({"linear", "log"});
    command.add("--y-axis", arguments->y, english("the metric's axis (default: as its values are spread)"))
        .takesOneOf({"linear", "log"});
    addTimeOption(command, arguments->view);
    addMachineCodeOption(command, run);
    addCachesOption(command, run);
    command
        .add("--out", arguments->outs,
             english("the chart, FILE.svg or FILE.png, or all figures, FILE.json or FILE.csv (repeatable); "
                     "without it the points are printed"))
        .type("FILE")
        .repeatable();
    command.addJson(arguments->json, english("write everything as JSON to this file"));
    addLookOptions(command, arguments->view, "960x600");
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
