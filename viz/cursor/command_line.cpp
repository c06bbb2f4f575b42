#include "viz/cursor/command_line.h"

#include "explain/phases/time_axis.h"
#include "run/sweep/sweep_metrics.h"
#include "viz/compare/comparison.h"
#include "viz/view_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

// As a shell reads it back.
std::string shellWord(std::string_view word) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

bool isOfCatalogue(const run::Run& run) { return run.catalog && run.catalog->family && run.catalog->variant; }
bool isNamed(const run::Run& run, std::string_view file) { return !file.empty() || isOfCatalogue(run); }

// Of a recording of a shipped kernel, too, its name in the catalog: that works on every machine.
std::string nameOf(const run::Run& run, std::string_view file) {
    return isOfCatalogue(run) ? run.catalog->family->name + "/" + run.catalog->variant->name
                              : shellWord(file);
}

struct Setting {
    std::string name, value;
};

std::vector<Setting> settingsOf(const run::Run& run) {
    std::vector<Setting> settings;
    if (!isOfCatalogue(run)) return settings;
    for (const std::string& name : run.catalog->variant->parameters)
        if (const auto value = run.catalog->values.find(name); value != run.catalog->values.end())
            settings.push_back({name, run.catalog->family->findParameter(name)->shown(value->second)});
    return settings;
}

std::string besideText(const CommandLineInput& in) {
    std::string text = " --with " + nameOf(*in.compared, in.comparedFile);
    const std::vector<Setting> own = settingsOf(in.run);
    for (const Setting& setting : settingsOf(*in.compared)) {
        const auto same = std::ranges::find(own, setting.name, &Setting::name);
        if (same == own.end() || same->value != setting.value)
            text += " --with-set " + shellWord(setting.name + "=" + setting.value);
    }
    const CompareOptions choice = optionsAs<CompareOptions>(in.options);
    text += fmt::format(" --each {}", choice.view);
    return choice.tie == Tie::Step ? text + " --tie step" : text;
}

}  // namespace

std::string commandLine(const CommandLineInput& in) {
    if (!isNamed(in.run, in.file)) return {};
    std::string text = "lockstep " + nameOf(in.run, in.file);
    for (const std::string& word : in.launch)
        text += " " + shellWord(word);
    for (const Setting& setting : settingsOf(in.run))
        text += " --set " + shellWord(setting.name + "=" + setting.value);
    if (in.profile != model::defaultProfile().name) text += " --profile " + shellWord(in.profile);
    text += fmt::format(" --view {}", in.view);
    const ViewRow* view = findView(in.view);
    const bool showsBoth = view && view->showsBoth;
    if (showsBoth && in.compared && isNamed(*in.compared, in.comparedFile)) text += besideText(in);
    if (const SourceTab tab = optionsAs<SourceOptions>(in.options).tab; tab != SourceTab::Cuda)
        text += fmt::format(" --tab {}", nameOf(tab));
    if (optionsAs<TimesOptions>(in.options).isModeled) text += " --time modeled";
    const ChartOptions chart = optionsAs<ChartOptions>(in.options);
    if (chart.isCost)
        text += " --metric cost" +
                (chart.processors ? fmt::format(" --processors {}", chart.processors) : std::string());
    else if (chart.metric > 0 && chart.metric <= run::sweepMetrics().size())
        text += " --metric " + run::sweepMetrics()[chart.metric - 1u].name;
    const IssueOptions issue = optionsAs<IssueOptions>(in.options);
    if (issue.zoom != IssueZoom{}) text += fmt::format(" --zoom {}", nameOf(issue.zoom));
    if (issue.subcore) text += fmt::format(" --sub-core {}", issue.subcore - 1);
    const Dim3 block = in.cursor.block;
    if (in.cursor.launch.value > 0) text += fmt::format(" --launch {}", in.cursor.launch.value);
    text += fmt::format(" --block {},{}", block.x, block.y) + (block.z ? fmt::format(",{}", block.z) : "");
    text += fmt::format(" --warp {} --lane {} --step {}", in.cursor.warp.value, in.cursor.lane.value,
                        in.cursor.step + 1);
    const bool isHere = view && view->followsRange && in.range && in.range->launch == in.cursor.launch &&
                        in.range->block == in.cursor.block;
    const std::optional<explain::StepSpan> chosen =
        isHere ? explain::stepsWithin(in.run.recording.trace, *in.range, in.cursor.warp) : std::nullopt;
    return chosen && !chosen->empty() ? text + fmt::format(" --range {}..{}", chosen->begin + 1, chosen->end)
                                      : text;
}

}  // namespace lockstep::viz
