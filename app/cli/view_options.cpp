#include "app/cli/view_options.h"

#include <charconv>

#include "trace/lks.h"
#include "viz/navigation.h"

namespace lockstep::cli {
namespace {

template <class Rows, class Name>
std::string listed(const Rows& rows, Name name) {
    std::string names;
    for (const auto& row : rows) names += (names.empty() ? "" : ", ") + std::string(name(row));
    return names;
}

Expected<u32> within(u32 value, u32 first, u32 last, const char* option, const char* what) {
    if (value >= first && value <= last) return value;
    return fail(FaultKind::Usage, std::string(option) + " " + std::to_string(value) + ": " + what + " " + std::to_string(first) +
                                      " to " + std::to_string(last));
}

}  // namespace

void addViewOptions(CLI::App& command, ViewOptions& options, const std::string& defaultSize) {
    options.size = defaultSize;
    command.add_option("what", options.run.what, "FAMILY/VARIANT or FILE.lks");
    addRunOptions(command, options.run);
    command.add_option("--block", options.block, "the block to look at: X[,Y[,Z]], from 0");
    command.add_option("--warp", options.warp, "the warp of that block, from 0");
    command.add_option("--lane", options.lane, "the lane of that warp, 0 to 31");
    command.add_option("--step", options.step, "issued instruction of that warp, from 1");
    command.add_option("--phase", options.phase, "barriers passed: the first step of that phase, from 0");
    command.add_option("--size", options.size, "logical pixels: WIDTHxHEIGHT")->each([&](const std::string&) { options.given.size = true; });
    command.add_option("--scale", options.scale, "pixels of the file for each logical pixel")->check(CLI::Range(0.5f, 8.0f));
    command.add_option("--theme", options.theme, "dark, light or projector")->each([&](const std::string&) { options.given.theme = true; });
    command.add_option("--lang", options.language, "en or zh-CN")->each([&](const std::string&) { options.given.language = true; });
}

Expected<run::Run> openRun(const ViewOptions& options, Session& session) {
    if (options.run.what.ends_with(".lks")) {
        if (!options.run.settings.empty())
            return fail(FaultKind::Usage, "--set goes with FAMILY/VARIANT; " + options.run.what + " is a recording and stays as it was recorded");
        Expected<trace::Recording> recording = trace::load(options.run.what);
        if (!recording) return Unexpected{recording.error()};
        const Expected<const catalog::Catalog*> catalog = session.catalog();
        return run::reopen(std::move(*recording), options.run.profile, catalog ? *catalog : nullptr);
    }
    Expected<run::Experiment> experiment = openExperiment(options.run, session);
    if (!experiment) return Unexpected{experiment.error()};
    return runExperiment(std::move(*experiment), options.run, session);
}

Expected<viz::Cursor> cursorOf(const ViewOptions& options, const run::Run& run, const viz::ViewRow* view) {
    viz::Cursor cursor = viz::initialCursor(run);
    if (!options.block.empty()) {
        const Expected<Dim3> block = dimensions(options.block, "--block", 0);
        if (!block) return Unexpected{block.error()};
        if (!run.recording.trace.find(cursor.launch, *block))
            return fail(FaultKind::Usage, "--block " + options.block + " was not recorded; record it with --focus " + options.block);
        cursor = {.launch = cursor.launch, .block = *block, .warp = {}, .lane = {}, .step = 0};
    }
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!block) return cursor;
    if (options.warp) {
        const Expected<u32> warp = within(*options.warp, 0, u32(block->warps.size()) - 1, "--warp", "the block has warps");
        if (!warp) return Unexpected{warp.error()};
        cursor.warp = Warp{*warp};
        cursor.step = 0;
    }
    if (options.lane) {
        const Expected<u32> lane = within(*options.lane, 0, kWarpSize - 1, "--lane", "lanes are numbered from");
        if (!lane) return Unexpected{lane.error()};
        cursor.lane = Lane{*lane};
    }
    const trace::WarpTrace& warp = block->warps[cursor.warp.value];
    if (options.phase) {
        const Expected<u32> phase = within(*options.phase, 0, u32(warp.barrierSteps.size()), "--phase", "this warp has phases");
        if (!phase) return Unexpected{phase.error()};
        cursor = viz::startOfPhase(run, cursor, *phase);
    }
    if (options.step) {
        const Expected<u32> step = within(*options.step, 1, std::max(u32(warp.steps.size()), 1u), "--step", "this warp issued steps");
        if (!step) return Unexpected{step.error()};
        cursor.step = *step - 1;
    }
    if (view && view->ofSharedMemory && !options.step && !options.phase) cursor = viz::worstBankConflict(run, cursor);
    return cursor;
}

Expected<const viz::Theme*> themeOf(const ViewOptions& options) {
    if (const viz::Theme* theme = viz::findTheme(options.theme)) return theme;
    return fail(FaultKind::Usage, "--theme " + options.theme + ": the themes are " +
                                      listed(viz::themes(), [](const viz::Theme& theme) { return theme.name; }));
}

Expected<Language> languageOf(const ViewOptions& options) {
    if (options.language == "en") return Language::English;
    if (options.language == "zh-CN" || options.language == "zh") return Language::Chinese;
    return fail(FaultKind::Usage, "--lang " + options.language + ": the languages are en and zh-CN");
}

Expected<viz::Size> sizeOf(const std::string& text) {
    u32 width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto [x, first] = std::from_chars(text.data(), end, width);
    if (first == std::errc{} && x != end && *x == 'x') {
        const auto [rest, second] = std::from_chars(x + 1, end, height);
        if (second == std::errc{} && rest == end && width >= 160 && height >= 120 && width <= 8192 && height <= 8192)
            return viz::Size{f32(width), f32(height)};
    }
    return fail(FaultKind::Usage, "--size " + text + ": write WIDTHxHEIGHT, from 160x120 to 8192x8192, for example 1440x900");
}

std::filesystem::path fontFolder(const run::Resources& resources) {
    std::error_code ignored;
    if (const auto installed = resources.root / "fonts"; std::filesystem::is_directory(installed, ignored)) return installed;
    return LOCKSTEP_FONT_FOLDER;
}

}  // namespace lockstep::cli
