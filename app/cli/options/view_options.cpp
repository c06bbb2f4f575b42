#include "app/cli/options/view_options.h"

#include "app/cli/options/user_language.h"
#include "app/cli/terminal/progress_line.h"
#include "base/nearest.h"
#include "base/text/counted.h"
#include "explain/cursor/navigation.h"
#include "explain/phases/time_axis.h"
#include "run/find_hints.h"
#include "run/own/own_reference.h"
#include "run/recordings/saved_run.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/opening.h"
#include "viz/view_names.h"
#include "viz/view_options.h"
#include "viz/views/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep::cli {
namespace {

template <class Rows, class Name> std::string listed(const Rows& rows, Name name) {
    std::string names;
    for (const auto& row : rows)
        names += (names.empty() ? "" : ", ") + std::string(name(row));
    return names;
}

Expected<u32> within(u32 value, u32 first, u32 last, const char* option, const Words& what) {
    if (value >= first && value <= last) return value;
    return fail(FaultKind::Usage,
                Message(english("{0} {1}: {2}"), option, value, Message(what, first, last)));
}

}  // namespace

void addViewOptions(const Command& command, ViewOptions& options, const std::string& defaultSize) {
    addKernel(command, options.run, english("FAMILY/VARIANT, FILE.lks, FILE.cu or FILE.ptx"));
    addRunOptions(command, options.run);
    command.add("--launch", options.launch, english("which of the kernel's launches, from 0")).takesWhole();
    command.option("--profile")
        .describe(english(
            "the device whose rules are applied: cc10 ... cc120, or a FILE.toml; up to three with commas "
            "between them stand side by side in the views sectors and playground"));
    command.option("--backend").whenGiven([&] { options.given.backend = true; });
    command.add("--block", options.block, english("the block to look at, from 0")).type("X[,Y[,Z]]");
    command.add("--warp", options.warp, english("the warp of that block, from 0")).takesWhole();
    command.add("--lane", options.lane, english("the lane of that warp, 0 to 31")).takesWhole();
    command.add("--step", options.step, english("the step: an instruction that warp issued, from 1"))
        .takesWhole();
    command
        .add("--phase", options.phase,
             english("the first step of a barrier interval: barriers passed, from 0"))
        .takesWhole();
    command
        .add("--range", options.range,
             english("steps of that warp selected on the timeline, from 1, with the sums of what they cost"))
        .type("FIRST..LAST");
    command
        .add("--tab", options.tab,
             english("of --view source: which code; machine: machine code, where "
                     "the CUDA toolkit is installed"))
        .type("cuda|ptx|machine");
    command
        .add("--stage", options.stage,
             english("of --view stage: how it is drawn, instead of the way that shows the kernel best: {0}"),
             listed(viz::stageNames(), [](std::string_view name) { return name; }))
        .type("STAGE");
    command
        .add("--metric", options.metric,
             english(
                 "of --view chart: what it shows, as lockstep sweep takes it, or cost: what a sum costs with "
                 "one processor for each element and with n / log n (Brent's theorem)"))
        .type("METRIC|cost");
    command
        .add(
            "--zoom", options.zoom,
            english("of --view issue: the cycles around the cursor, the whole launch, single cycles, or what "
                    "hides latency: fewer warps, and Little's law (default: around)"))
        .type("around|launch|cycles|hiding");
    command
        .add("--sub-core", options.subcore,
             english("of --view issue: the sub-core (default: the one of the cursor's warp)"))
        .takesWhole(0, 3);
    command
        .add("--schedules", options.schedules,
             english("of --view orders: how many orders of warps, blocks and lanes are tried (default: {0})"),
             grouped(viz::kOrdersShown))
        .takesWhole(1, 1'000'000);
    command
        .add("--processors", options.processors,
             english("of --metric cost: the number of processors, instead of n / log n"))
        .takesWhole();
    addTimeOption(command, options);
    addLookOptions(command, options, defaultSize);
}

void addLookOptions(const Command& command, ViewOptions& options, const std::string& defaultSize) {
    options.size = defaultSize;
    command
        .add("--size", options.size, english("of the picture, in logical pixels (default: {0})"), defaultSize)
        .type("WIDTHxHEIGHT")
        .whenGiven([&] { options.given.size = true; });
    command.add("--scale", options.scale, english("pixels of the file for each logical pixel (default: 2)"))
        .takesNumber(0.5, 8);
    command.add("--theme", options.theme, english("colors of the picture"))
        .type("dark|light|projector")
        .whenGiven([&] { options.given.theme = true; });
    command.add("--lang", options.language, english("language of the picture"))
        .type("en|zh-CN")
        .whenGiven([&] { options.given.language = true; });
}

void addTimeOption(const Command& command, ViewOptions& options) {
    command
        .add("--time", options.time,
             english(
                 "recorded: times that a GPU took; modeled: also, where there is none, the time of a model "
                 "that executes the machine code, with its error (takes seconds for each point)"))
        .takesOneOf({"recorded", "modeled"});
}

Expected<const run::SweepMetric*> metricNamed(const std::string& name) {
    if (name.empty()) return nullptr;
    if (const run::SweepMetric* metric = run::findSweepMetric(name)) return metric;
    std::vector<std::string> names;
    for (const run::SweepMetric& metric : run::sweepMetrics())
        names.push_back(metric.name);
    return fail(
        FaultKind::Usage,
        Message(english("--metric {0}: there is no such metric{1} (lockstep sweep --help has the names)"),
                name, didYouMean(name, names)));
}

std::string viewNames() {
    return listed(viz::views(), [](const viz::ViewRow& row) { return row.name; });
}

Expected<const viz::ViewRow*> viewNamed(const std::string& name) {
    if (const viz::ViewRow* row = viz::findView(name)) return row;
    return fail(FaultKind::Usage, Message(english("--view {0}: the views are {1}{2}"), name, viewNames(),
                                          didYouMean(name, viz::namesOfViews())));
}

Expected<void> focusOnTheBlock(ViewOptions& options) {
    if (options.block.empty()) return {};
    if (const Expected<Dim3> block = run::dimensions(options.block, "--block", 0); !block)
        return Unexpected{block.error()};
    if (!options.run.focus.empty()) return {};
    options.run.focus = options.block;
    options.run.focusOption = "--block";
    return {};
}

Expected<viz::ViewState> viewState(const ViewOptions& options, std::string_view view) {
    const auto same = [](std::string_view name) { return name; };
    if (!options.tab.empty()) {
        if (view != "source") return fail(FaultKind::Usage, english("--tab goes with --view source"));
        const auto tab = std::ranges::find(viz::kSourceTabs, options.tab);
        if (tab == viz::kSourceTabs.end())
            return fail(FaultKind::Usage, Message(english("--tab {0}: the tabs are {1}"), options.tab,
                                                  listed(viz::kSourceTabs, same)));
        return viz::ViewState{.options = viz::SourceOptions{viz::SourceTab(tab - viz::kSourceTabs.begin())}};
    }
    if (options.processors != 0 && options.metric != "cost")
        return fail(FaultKind::Usage, english("--processors goes with --metric cost"));
    if (!options.metric.empty()) {
        if (view != "chart") return fail(FaultKind::Usage, english("--metric goes with --view chart"));
        viz::ChartOptions chart;
        chart.isCost = options.metric == "cost";
        chart.processors = options.processors;
        if (!chart.isCost) {
            const Expected<const run::SweepMetric*> metric = metricNamed(options.metric);
            if (!metric) return Unexpected{metric.error()};
            chart.metric = u16(*metric - run::sweepMetrics().data() + 1);
        }
        return viz::ViewState{.options = chart};
    }
    if (!options.zoom.empty() || options.subcore) {
        if (view != "issue")
            return fail(FaultKind::Usage, english("--zoom and --sub-core go with --view issue"));
        viz::IssueOptions issue;
        const auto zoom = std::ranges::find(viz::kIssueZooms, options.zoom);
        if (zoom == viz::kIssueZooms.end() && !options.zoom.empty())
            return fail(FaultKind::Usage, Message(english("--zoom {0}: choose one of {1}"), options.zoom,
                                                  listed(viz::kIssueZooms, same)));
        if (!options.zoom.empty()) issue.zoom = viz::IssueZoom(zoom - viz::kIssueZooms.begin());
        if (options.subcore) issue.subcore = u8(*options.subcore + 1);
        return viz::ViewState{.options = issue};
    }
    if (options.time == "modeled") {
        if (view == "times") return viz::ViewState{.options = viz::TimesOptions{.isModeled = true}};
        if (view != "chart" && view != "findings")
            return fail(FaultKind::Usage,
                        english("--time modeled goes with --view chart, times and findings"));
    }
    if (options.stage.empty()) return viz::ViewState{};
    if (view != "stage" && !view.empty())
        return fail(FaultKind::Usage, english("--stage goes with --view stage"));
    const std::optional<u8> stage = viz::findStage(options.stage);
    if (!stage)
        return fail(FaultKind::Usage, Message(english("--stage {0}: the stages are {1}"), options.stage,
                                              listed(viz::stageNames(), same)));
    return viz::ViewState{.options = viz::StageOptions{*stage}};
}

Expected<run::Run> openRun(const ViewOptions& options, Session& session) {
    if (options.run.what.ends_with(".lks")) {
        if (!options.run.grid.empty() || !options.run.block.empty() || !options.run.arguments.empty() ||
            !options.run.further.empty() || !options.run.entry.empty())
            return fail(
                FaultKind::Usage,
                Message(english("--entry, --grid, {0}, --arg and --then go with a FILE.cu or FILE.ptx; {1} "
                                "is a recording and stays as it was recorded"),
                        options.run.blockOption, options.run.what));
        if (!options.run.settings.empty())
            return fail(
                FaultKind::Usage,
                Message(
                    english(
                        "--set goes with FAMILY/VARIANT; {0} is a recording and stays as it was recorded"),
                    options.run.what));
        const Expected<const catalog::Catalog*> catalog = session.catalog();
        const Language language = session.language();
        std::optional<ProgressLine> line(std::in_place, language,
                                         say(language, english("reading {0}"), options.run.what));
        Expected<run::Run> run =
            run::openSaved(options.run.what, options.run.profile, catalog ? *catalog : nullptr);
        if (!run) return run;
        if (const Expected<void> checked = run::checkAgainst(options.run.references, *run); !checked)
            return Unexpected{checked.error()};
        line.reset();
        readMachineCode(*run, options.run, session);
        return run;
    }
    Expected<run::Experiment> experiment = openExperiment(options.run, session);
    if (!experiment) return Unexpected{experiment.error()};
    std::vector<run::VariantAccess> variants;
    if (experiment->catalog && run::isToldByAccesses(*experiment->catalog->family))
        if (const auto& resources = session.resources()) {
            const ProgressLine line(
                session.language(),
                say(session.language(), english("running the other variants at a small size")));
            variants = run::accessesOfVariants(**resources, *experiment->catalog->family,
                                               experiment->catalog->values);
        }
    Expected<run::Run> run = runExperiment(std::move(*experiment), options.run, session);
    if (!run) return run;
    run->variants = std::move(variants);
    if (const auto& resources = session.resources(); run->catalog && resources)
        run::findFixes(**resources, *run);
    return run;
}

namespace {

std::vector<std::string_view> comparedViews() {
    std::vector<std::string_view> names;
    for (const viz::ViewRow& view : viz::views())
        if (view.inCompare) names.push_back(view.name);
    return names;
}

}  // namespace

void addComparedOptions(const Command& command, ComparedOptions& options) {
    command
        .add("--with", options.what,
             english("of --view compare: the other kernel, FAMILY/VARIANT, FILE.lks or FILE.cu:KERNEL; takes "
                     "--set as far as it has the parameter"))
        .type("KERNEL");
    command
        .add("--with-set", options.settings,
             english("of --view compare: a parameter of the other side alone (repeatable)"))
        .type("NAME=VALUE")
        .repeatable();
    command
        .add("--each", options.each, english("of --view compare: the view of each side, {0}"),
             listed(comparedViews(), [](std::string_view name) { return name; }))
        .type("VIEW");
    command
        .add("--tie", options.tie,
             english("of --view compare: sync the cursors by phase (barrier interval) or by step"))
        .takesOneOf({"phase", "step"});
}

Expected<viz::ViewState> compareState(const ComparedOptions& options) {
    const viz::ViewRow* view = viz::findView(options.each);
    if (!view || !view->inCompare)
        return fail(FaultKind::Usage,
                    Message(english("--each {0}: both can be shown as {1}"), options.each,
                            listed(comparedViews(), [](std::string_view name) { return name; })));
    return viz::ViewState{.options = viz::CompareOptions{
                              view->name, options.tie == "step" ? viz::Tie::Step : viz::Tie::Phase, {}}};
}

Expected<RunOptions> comparedRunOptions(const ComparedOptions& beside, const RunOptions& first,
                                        Session& session) {
    RunOptions second = first;
    if (!beside.what.empty()) second.what = beside.what;
    second.settings = beside.settings;
    second.focus.clear();
    if (const std::optional<OwnFile> own = ownFileIn(second.what)) {
        if (!beside.settings.empty())
            return fail(FaultKind::Usage,
                        english("--with-set goes with FAMILY/VARIANT; a FILE.cu has --arg and --define"));
        second.what = own->file;
        if (!beside.what.empty()) second.entry = own->entry;
        if (!ownFileIn(first.what)) second.references.clear();
        return second;
    }
    second.entry.clear(), second.grid.clear(), second.block.clear(), second.arguments.clear();
    second.further.clear();
    if (second.what.ends_with(".lks")) {
        if (beside.settings.empty()) return second;
        return fail(
            FaultKind::Usage,
            Message(
                english(
                    "--with-set goes with FAMILY/VARIANT; {0} is a recording and stays as it was recorded"),
                second.what));
    }
    second.references.clear();  // a kernel of the catalog has its own
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const auto found = lookUp(**catalog, second.what);
    if (!found) return Unexpected{found.error()};
    const auto nameIn = [](const std::string& setting) { return setting.substr(0, setting.find('=')); };
    for (const std::string& setting : first.settings) {
        const bool isTaken =
            std::ranges::find(found->second->parameters, nameIn(setting)) != found->second->parameters.end();
        if (isTaken && std::ranges::find(beside.settings, nameIn(setting), nameIn) == beside.settings.end())
            second.settings.push_back(setting);
    }
    return second;
}

Expected<run::Run> openCompared(const ComparedOptions& beside, const ViewOptions& first,
                                const viz::Cursor& cursor, Session& session) {
    ViewOptions second = first;
    Expected<RunOptions> options = comparedRunOptions(beside, first.run, session);
    if (!options) return Unexpected{options.error()};
    second.run = std::move(*options);
    if (second.run.what.ends_with(".lks")) return openRun(second, session);
    Expected<run::Experiment> experiment = openExperiment(second.run, session);
    if (!experiment) return Unexpected{experiment.error()};
    const Dim3 grid = experiment->launches.front().grid, at = cursor.block;
    if (at.x < grid.x && at.y < grid.y && at.z < grid.z)
        second.run.focus = fmt::format("{},{},{}", at.x, at.y, at.z);
    return runExperiment(std::move(*experiment), second.run, session);
}

Expected<std::vector<model::Profile>> takeDevices(ViewOptions& options) {
    std::vector<model::Profile> devices;
    const std::string all = options.run.profile;
    if (all.find(',') == std::string::npos) return devices;
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find(',', at), all.size());
        options.run.profile = all.substr(at, end - at);
        if (options.run.profile.empty())
            return fail(
                FaultKind::Usage,
                Message(
                    english(
                        "--profile {0}: write names with commas between them, for example cc10,cc12,cc90"),
                    all));
        Expected<model::Profile> device = run::profileNamed(options.run.profile);
        if (!device) return Unexpected{device.error()};
        devices.push_back(std::move(*device));
        at = end + 1;
    }
    if (devices.size() > viz::kMostDevices)
        return fail(FaultKind::Usage,
                    Message(english("--profile {0}: at most three devices stand side by side"), all));
    return devices;
}

Expected<viz::Cursor> cursorOf(const ViewOptions& options, const run::Run& run, const viz::ViewRow* view) {
    viz::Cursor cursor = viz::initialCursor(run);
    if (options.launch) {
        const Expected<u32> launch = within(*options.launch, 0, u32(run.recording.launches.size()) - 1,
                                            "--launch", english("the run has launches {0} to {1}"));
        if (!launch) return Unexpected{launch.error()};
        cursor = explain::clamped(
            run, {.launch = LaunchId{*launch}, .block = cursor.block, .warp = {}, .lane = {}, .step = 0});
    }
    if (!options.block.empty()) {
        const Expected<Dim3> block = run::dimensions(options.block, "--block", 0);
        if (!block) return Unexpected{block.error()};
        if (!run.recording.trace.find(cursor.launch, *block))
            return fail(
                FaultKind::Usage,
                Message(english("--block {0} was not recorded; record it with --focus {0}"), options.block));
        cursor = {.launch = cursor.launch, .block = *block, .warp = {}, .lane = {}, .step = 0};
    }
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!block) return cursor;
    if (options.warp) {
        const Expected<u32> warp = within(*options.warp, 0, u32(block->warps.size()) - 1, "--warp",
                                          english("the block has warps {0} to {1}"));
        if (!warp) return Unexpected{warp.error()};
        cursor.warp = Warp{*warp};
        cursor.step = 0;
    }
    if (options.lane) {
        const Expected<u32> lane =
            within(*options.lane, 0, kWarpSize - 1, "--lane", english("lanes are numbered from {0} to {1}"));
        if (!lane) return Unexpected{lane.error()};
        cursor.lane = Lane{*lane};
    }
    const trace::WarpTrace& warp = block->warps[cursor.warp.value];
    if (options.phase) {
        const Expected<u32> phase = within(*options.phase, 0, u32(warp.barrierSteps.size()), "--phase",
                                           english("this warp has phases {0} to {1}"));
        if (!phase) return Unexpected{phase.error()};
        cursor = explain::startOfPhase(run, cursor, *phase);
    }
    if (options.step) {
        const Expected<u32> step = within(*options.step, 1, std::max(u32(warp.steps.size()), 1u), "--step",
                                          english("this warp issued steps {0} to {1}"));
        if (!step) return Unexpected{step.error()};
        cursor.step = *step - 1;
    }
    if (view && view->accessesOf == trace::Space::Shared && !options.step && !options.phase)
        cursor = explain::worstBankConflict(run, run.profile, cursor);
    return cursor;
}

Expected<std::pair<u32, u32>> stepsOf(const std::string& text, const char* option) {
    u32 first = 0, last = 0;
    const char* end = text.data() + text.size();
    const auto [begun, noFirst] = std::from_chars(text.data(), end, first);
    const std::size_t between = std::string_view(begun, end).starts_with("..")  ? 2
                                : std::string_view(begun, end).starts_with(":") ? 1
                                                                                : 0;
    if (noFirst == std::errc{} && between > 0) {
        const auto [rest, noLast] = std::from_chars(begun + between, end, last);
        if (noLast == std::errc{} && rest == end && first >= 1 && first <= last)
            return std::pair{first, last};
    }
    return fail(
        FaultKind::Usage,
        Message(
            english("{0} {1}: write the first and the last step of the warp, from 1, for example {0} 8..40"),
            option, text));
}

void addAnimationOptions(const Command& command, AnimationArguments& animation) {
    command
        .add("--steps", animation.steps,
             english("an animation of these steps of the warp, from 1 (default: those of --range)"))
        .type("FIRST:LAST");
    command.add("--speed", animation.speed, english("of the animation: steps a second (default: 2)"))
        .takesSpeed(0.1, 50);
    command.add("--reduced-motion", animation.reducedMotion,
                english("of the animation: states switch, nothing moves"));
}

Expected<std::optional<viz::AnimationFormat>> animationFormatOf(const std::string& out,
                                                                const AnimationArguments& animation,
                                                                const ViewOptions& options) {
    const bool gif = out.ends_with(".gif"), apng = out.ends_with(".apng");
    if (!gif && !apng && !out.ends_with(".svg") && !out.ends_with(".png"))
        return fail(
            FaultKind::Usage,
            Message(
                english("--out {0}: name a file that ends in .svg or .png, or with --steps in .gif or .apng"),
                out));
    const bool hasSteps = !animation.steps.empty() || !options.range.empty();
    if ((gif || apng) ? !hasSteps : !animation.steps.empty())
        return fail(FaultKind::Usage,
                    animation.steps.empty()
                        ? Message(english("--out {0}: an animation needs --steps FIRST:LAST"), out)
                        : Message(english("--steps makes an animation: name --out FILE.gif or FILE.apng")));
    if (gif) return viz::AnimationFormat::Gif;
    return apng ? std::optional(viz::AnimationFormat::Apng) : std::nullopt;
}

Expected<std::pair<u32, u32>> animationStepsOf(const AnimationArguments& animation,
                                               const ViewOptions& options, u32 stepsOfWarp) {
    const std::string& text = animation.steps.empty() ? options.range : animation.steps;
    const auto steps = stepsOf(text, "--steps");
    if (!steps) return Unexpected{steps.error()};
    if (steps->second > stepsOfWarp)
        return fail(FaultKind::Usage,
                    Message(english("--steps {0}: this warp issued {1} {1:step|steps}"), text, stepsOfWarp));
    return *steps;
}

Expected<std::optional<StepRange>> rangeOf(const ViewOptions& options, const run::Run& run,
                                           const viz::Cursor& cursor) {
    if (options.range.empty()) return std::nullopt;
    const auto steps = stepsOf(options.range, "--range");
    if (!steps) return Unexpected{steps.error()};
    const StepRange range{.launch = cursor.launch,
                          .block = cursor.block,
                          .warp = cursor.warp,
                          .first = steps->first - 1,
                          .last = steps->second - 1};
    if (explain::isRecorded(run.recording.trace, range)) return range;
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    return fail(FaultKind::Usage,
                Message(english("--range {0}: this warp issued {1} {1:step|steps}"), options.range,
                        block ? block->warps[cursor.warp.value].steps.size() : 0));
}

Expected<const viz::Theme*> themeOf(const ViewOptions& options) {
    if (const viz::Theme* theme = viz::findTheme(options.theme)) return theme;
    return fail(FaultKind::Usage,
                Message(english("--theme {0}: the themes are {1}"), options.theme,
                        listed(viz::themes(), [](const viz::Theme& theme) { return theme.name; })));
}

Expected<Language> languageOf(const ViewOptions& options) {
    if (const std::optional<Language> language = lockstep::languageOf(options.language)) return *language;
    return fail(FaultKind::Usage, unknownLanguage(options.language));
}

Expected<viz::Size> sizeOf(const std::string& text, viz::Size least) {
    u32 width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto [x, first] = std::from_chars(text.data(), end, width);
    if (first == std::errc{} && x != end && *x == 'x') {
        const auto [rest, second] = std::from_chars(x + 1, end, height);
        if (second == std::errc{} && rest == end && f32(width) >= least.width &&
            f32(height) >= least.height && width <= 8192 && height <= 8192)
            return viz::Size{f32(width), f32(height)};
    }
    return fail(
        FaultKind::Usage,
        Message(english("--size {0}: write WIDTHxHEIGHT, from {1}x{2} to 8192x8192, for example 1440x900"),
                text, least.width, least.height));
}

Expected<void> checkPixels(const ViewOptions& options, viz::Size size, const std::string& out) {
    constexpr f64 kMostPixels = 1u << 28;
    const f64 scale = options.scale, width = f64(size.width) * scale, height = f64(size.height) * scale;
    if (out.ends_with(".svg") || width * height <= kMostPixels) return {};
    return fail(FaultKind::Usage,
                Message(english("--size {0} with --scale {1} makes {2} x {3} pixels, too many; choose a "
                                "smaller --scale, or an .svg, which has none"),
                        options.size, scale, fmt::format("{:.0f}", width), fmt::format("{:.0f}", height)));
}

std::filesystem::path fontFolder(const run::Resources& resources) {
    std::error_code ignored;
    if (auto installed = resources.root / "fonts"; std::filesystem::is_directory(installed, ignored))
        return installed;
    return LOCKSTEP_FONT_FOLDER;
}

}  // namespace lockstep::cli
