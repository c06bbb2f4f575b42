// The left column: which kernel, which sizes, which block; what came of it.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/first_run.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "model/finding_groups.h"
#include "model/words.h"
#include "viz/lookup.h"
#include "run/run.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;
using viz::say;

constexpr TextLook kHeading{.face = viz::Face::TextBold};
constexpr TextLook kSecond{.role = RoleKind::TextSecond};
constexpr TextLook kNote{.size = viz::type::kAxis, .role = RoleKind::TextThird};
constexpr s64 kLogarithmicFrom = 256;  // ranges this wide are too coarse for a straight slider

constexpr f32 kRuled = 1 + viz::space::kGrid;  // what a rule takes

void rule(PanelContext& context) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 y = at.y + viz::space::kGrid;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + ImGui::GetContentRegionAvail().x, y}, ink(context, RoleKind::Line));
    ImGui::Dummy({1, kRuled});
}

// What a control is for: closer to it than to the one above.
void closer() { ImGui::SetCursorPosY(ImGui::GetCursorPosY() - viz::space::kGrid); }
void controlTitle(PanelContext& context, std::string_view title) {
    label(context, title, kSecond);
}

void chooseFamilyAndVariant(PanelContext& context) {
    const State& state = context.state;
    const Language language = state.language;
    const std::span<const catalog::Family> families = state.catalog->families();
    std::vector<std::string> titles;
    int family = -1;
    for (const catalog::Family& f : families) {
        if (f.name == state.choice.family) family = int(titles.size());
        titles.push_back(f.title.in(language));
    }
    controlTitle(context, words::kFamily.in(language));
    if (ImGui::IsItemHovered()) helpOn(context, words::kFamilyHelp.in(language), "kernels.md");
    closer();
    if (const int chosen = dropDown(context, "##family", titles, family, {words::kFamilyHelp.in(language), "kernels.md"}); chosen >= 0)
        context.send(ChooseVariant{families[std::size_t(chosen)].name, families[std::size_t(chosen)].variants.front().name});

    if (family < 0) return;
    const catalog::Family& f = families[std::size_t(family)];
    titles.clear();
    std::vector<std::string> looks;
    int variant = -1;
    for (const catalog::Variant& v : f.variants) {
        if (v.name == state.choice.variant) variant = int(titles.size());
        titles.push_back(v.title.in(language));
        looks.push_back(v.look.in(language));
    }
    controlTitle(context, words::kVariant.in(language));
    if (ImGui::IsItemHovered()) helpOn(context, words::kVariantHelp.in(language), "kernels.md");
    closer();
    if (const int chosen = dropDown(context, "##variant", titles, variant, {words::kVariantHelp.in(language), "kernels.md"}, 0, looks); chosen >= 0)
        context.send(ChooseVariant{f.name, f.variants[std::size_t(chosen)].name});
}

// Of a file: its name, how it is launched, and the way to change that.
void drawOwnKernel(PanelContext& context, const OwnKernel& own) {
    const Language language = context.state.language;
    label(context, words::kOwnFile.in(language), kSecond);
    const f32 width = ImGui::GetContentRegionAvail().x;
    paragraph(context, own.file.substr(own.file.rfind('/') + 1) + (own.entry.empty() ? "" : ": " + own.entry), {.face = viz::Face::TextBold});
    if (ImGui::IsItemHovered()) tooltip(context, own.file);
    paragraph(context, "--grid " + own.grid + " --block " + own.block, {.size = viz::type::kCode, .face = viz::Face::Mono, .role = RoleKind::TextSecond});
    if (textButton(context, "launch", words::kOwnLaunch.in(language), {words::kOwnLaunchHelp.in(language), "window.md"}, width)) context.send(OpenFile{own.file});
    paragraph(context, words::kOwnWatched.in(language), kNote);
}

bool isSet(const State& state, const catalog::Variant& variant, const catalog::Parameter& parameter) {
    return std::ranges::find(variant.parameters, parameter.name) != variant.parameters.end() && state.choice.values.contains(parameter.name);
}

// inLine: a line each, the name and its field.
void setParameters(PanelContext& context, bool inLine) {
    const State& state = context.state;
    const catalog::Family* family = state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (!variant) return;
    for (const catalog::Parameter& parameter : family->parameters) {
        if (!isSet(state, *variant, parameter)) continue;
        const auto found = state.choice.values.find(parameter.name);
        const std::string& unit = parameter.unit.in(state.language);
        const std::string title = unit.empty() || unit == parameter.name ? parameter.name : state.language == Language::Chinese ? parameter.name + "（" + unit + "）" : parameter.name + " (" + unit + ")";
        const std::string range = parameter.isChoice() ? "" : say(state.language, words::kRange, parameter.min, parameter.max);
        if (inLine) ImGui::AlignTextToFramePadding(), label(context, title, kSecond);
        else labelPair(context, title, range, kSecond, {.role = RoleKind::TextThird});
        const Help help{parameter.help.in(state.language), "kernels.md"};
        if (ImGui::IsItemHovered()) helpOn(context, help.text, help.page);
        if (inLine) ImGui::SameLine();
        else closer();
        s64 value = found->second;
        if (parameter.isChoice()) {
            const std::string id = "##" + parameter.name;
            if (const int chosen = dropDown(context, id.c_str(), parameter.choices, int(value), help, inLine ? ImGui::GetContentRegionAvail().x : 0); chosen >= 0)
                context.send(SetParameter{parameter.name, chosen, false});
            continue;
        }
        if (inLine) {
            if (intField(context, parameter.name.c_str(), value, parameter.min, parameter.max, help)) context.send(SetParameter{parameter.name, value, false});
            continue;
        }
        bool dragging = false;
        if (intSlider(context, parameter.name.c_str(), value, parameter.min, parameter.max,
                      parameter.max - parameter.min >= kLogarithmicFrom, dragging, help))
            context.send(SetParameter{parameter.name, value, dragging});
        else if (state.dragging && ImGui::IsItemDeactivated())
            context.send(SetParameter{parameter.name, value, false});
    }
}

const viz::Words& wordsFor(run::Activity activity) {
    static constexpr const viz::Words* kWords[] = {&words::kRunning, &words::kGpuStarting, &words::kGpuCompiling, &words::kGpuRunning, &words::kGpuTiming, &words::kGpuCounting, &words::kGpuRecording};
    return *kWords[std::size_t(activity)];
}

void drawRunButton(PanelContext& context) {
    const Language language = context.state.language;
    const f32 width = ImGui::GetContentRegionAvail().x;
    const Job& job = context.state.job;
    if (!job.running) {
        const f32 compare = widthOf(context, words::kCompare.in(language)) + 28;
        if (textButton(context, "run", words::kRun.in(language), {words::kRunHelp.in(language), "emulator.md"}, width - compare - viz::space::kGap)) context.send(RunAgain{});
        ImGui::SameLine();
        if (textButton(context, "compare", words::kCompare.in(language), {words::kCompareWithHover.in(language), "pictures.md"}, compare)) context.send(CompareWithAnother{});
        return;
    }
    if (textButton(context, "cancel", words::kCancel.in(language), {words::kCancelRunHelp.in(language), "emulator.md"}, width)) context.send(CancelRun{});
    constexpr f64 kShownAfter = 0.5;  // short runs end before anything would flicker
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (job.seconds < kShownAfter || !job.progress) return ImGui::Dummy({width, 4});
    const u64 total = job.progress->total, done = job.progress->done;
    const f32 share = total ? f32(f64(done) / f64(total)) : 0;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + 4}, ink(context, RoleKind::Raised), 2);
    list.AddRectFilled(at, {at.x + width * share, at.y + 4}, ink(context, RoleKind::Text), 2);
    ImGui::Dummy({width, 4});
    const run::Activity activity = job.progress->activity;
    if (activity == run::Activity::Caches) return (void)label(context, say(language, words::kSimulatingCaches, u64(share * 100)), kNote);
    if (activity == run::Activity::Checking) return (void)label(context, words::kChecking.in(language), kNote);
    if (activity != run::Activity::Emulating) {
        const std::string_view what = wordsFor(activity).in(language);
        return (void)label(context, total ? say(language, words::kOnGpuPercent, what, u64(share * 100)) : say(language, words::kOnGpu, what), kNote);
    }
    const bool allRan = total && done >= total;
    label(context, allRan ? std::string(words::kChecking.in(language)) : say(language, words::kPercent, u64(share * 100)), kNote);
}

// The blocks that can be looked at: a small grid as it is, of a large one those in focus.
struct Choosable {
    std::vector<Dim3> blocks;
    u32 columns = 1;
    u32 rows() const { return u32((blocks.size() + columns - 1) / columns); }
};

Choosable choosableBlocks(const State& state) {
    constexpr u64 kSmallGrid = 16;
    const Dim3 grid = state.run->recording.launches[state.cursor.launch.value].grid;
    Choosable choosable{.blocks = {}, .columns = grid.count() <= kSmallGrid ? std::min(grid.x, 4u) : 2u};
    if (grid.count() <= kSmallGrid) {
        for (u64 i = 0; i < grid.count(); ++i) choosable.blocks.push_back(coordinatesOf(i, grid));
    } else {
        for (const trace::FocusBlock& block : state.run->recording.trace.blocks)
            if (block.launch == state.cursor.launch) choosable.blocks.push_back(block.block);
    }
    return choosable;
}

// "4 threads · 1 warp · 32 B shared"
std::string blockFacts(const State& state) {
    const Launch& launch = state.run->recording.launches[state.cursor.launch.value];
    const u64 threads = launch.block.count(), shared = run::sharedBytes(*state.run->module, launch);
    std::string facts = say(state.language, words::kThreads, threads) + " · " + say(state.language, words::kWarps, (threads + kWarpSize - 1) / kWarpSize);
    // A figure and its unit stay on one line.
    if (shared) facts += " · " + say(state.language, words::kSharedBytes, shared % 1024 == 0 ? fmt::format("{}\u00a0KB", shared / 1024) : fmt::format("{}\u00a0B", shared));
    return facts;
}

std::string gridText(Language language, Dim3 grid) {
    if (grid.y == 1 && grid.z == 1) return say(language, words::kGridLine, grid.x);
    return say(language, words::kGridExtents, model::extentsText(grid));
}

// The longest that has room, else the last.
std::string gridBeside(PanelContext& context, Dim3 grid, f32 room) {
    const Language language = context.state.language;
    std::vector<std::string> forms{gridText(language, grid)};
    if (grid.y > 1 || grid.z > 1) forms.push_back(model::extentsText(grid));
    else forms.push_back(grouped(grid.x));
    const auto fits = std::ranges::find_if(forms, [&](const std::string& text) { return widthOf(context, text) <= room; });
    return fits == forms.end() ? forms.back() : *fits;
}

constexpr f32 kBlockRow = kControlHeight + viz::space::kGrid;

void goToBlock(PanelContext& context, Dim3 block) {
    viz::Cursor to = context.state.cursor;
    to.block = block;
    context.send(MoveCursor{to});
}

void listBlocks(PanelContext& context, std::span<const Dim3> blocks, Dim3 grid) {
    std::vector<std::string> names;
    int now = -1;
    for (const Dim3 block : blocks) {
        if (block == context.state.cursor.block) now = int(names.size());
        names.push_back(viz::coordinates(block, grid));
    }
    const int chosen = dropDown(context, "##block", names, now, {words::kBlockHelp.in(context.state.language), "emulator.md"});
    if (chosen >= 0) goToBlock(context, blocks[std::size_t(chosen)]);
}

void chooseBlock(PanelContext& context, bool inList) {
    const viz::Cursor& cursor = context.state.cursor;
    const Launch& launch = context.state.run->recording.launches[cursor.launch.value];
    const std::string_view title = words::kBlockInFocus.in(context.state.language);
    const std::string grid = gridText(context.state.language, launch.grid);
    labelPair(context, title, gridBeside(context, launch.grid, ImGui::GetContentRegionAvail().x - widthOf(context, title) - viz::space::kGap), kSecond, {.role = RoleKind::TextThird});
    if (ImGui::IsItemHovered()) helpOn(context, grid + "\n" + blockFacts(context.state) + "\n" + std::string(words::kBlockHelp.in(context.state.language)), "emulator.md");

    const auto [blocks, columns] = choosableBlocks(context.state);
    if (inList) {
        listBlocks(context, blocks, launch.grid);
        paragraphWithin(context, blockFacts(context.state), kNote, ImGui::GetContentRegionAvail().y);
        return;
    }
    const f32 width = (ImGui::GetContentRegionAvail().x - f32(columns - 1) * viz::space::kGrid) / f32(columns);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGrid, viz::space::kGrid));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i % columns) ImGui::SameLine();
        const Dim3 block = blocks[i];
        const std::string text = viz::shortCoordinates(block, launch.grid);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (textButton(context, text.c_str(), text, {words::kBlockHelp.in(context.state.language), "emulator.md"}, width)) goToBlock(context, block);
        if (block == cursor.block)
            ImGui::GetWindowDrawList()->AddRect({at.x - 1.5f, at.y - 1.5f}, {at.x + width + 1.5f, at.y + kControlHeight + 1.5f},
                                                ink(context, RoleKind::Cursor), viz::radius::kControl, viz::line::kCursor);
    }
    ImGui::PopStyleVar();
    paragraph(context, blockFacts(context.state), kNote);
}

// What came of the run, a line each.
struct Verdict {
    Icon icon;
    RoleKind role;
    std::string text;
    std::string hover = {};
};
constexpr f32 kVerdictIndent = 22;

// A remark is no fault: it is said without alarm. Where the list was cut off, a fault of every kind is left in it.
Verdict findingsVerdict(const run::Run& run, Language language) {
    const model::FindingTally tally = model::tallyOf(run.recording.findings, *run.module);
    if (!tally.all()) return {Icon::Check, RoleKind::Text, std::string(words::kNoFindings.in(language))};
    const std::string text = model::inBrief(tally).in(language), whole = model::describe(tally).in(language);
    if (tally.problems) return {Icon::Warning, RoleKind::Finding, text, whole};
    return {Icon::Warning, RoleKind::TextSecond, say(language, words::kRemarks, text), whole};
}

// Of the buffers that hold the kernel's results.
u64 elementsOfResults(const run::Run& run) {
    u64 elements = 0;
    if (!run.catalog || !run.catalog->variant) return elements;
    for (const catalog::BufferTemplate& expected : run.catalog->variant->buffers) {
        const auto found = std::ranges::find(run.recording.final, expected.name, &Buffer::name);
        if (expected.output && found != run.recording.final.end()) elements += found->count();
    }
    return elements;
}

// The user's or the limit's end of a run is no fault of the kernel's; what was recorded of the block on show may be whole all the same.
Verdict stoppedVerdict(const State& state) {
    const Language language = state.language;
    const std::vector<trace::Finding>& findings = state.run->recording.findings;
    const auto stop = std::ranges::find_if(findings, model::isStop);
    if (stop == findings.end()) return {Icon::Warning, RoleKind::Finding, std::string(words::kStopped.in(language))};
    std::string text((stop->detail.empty() ? words::kStoppedByLimit : words::kStoppedByHand).in(language));
    const bool isWhole = std::ranges::none_of(findings, [&](const trace::Finding& finding) { return model::isStop(finding) && finding.launch == state.cursor.launch && finding.who.block == state.cursor.block; });
    const trace::FocusBlock* block = state.run->recording.trace.find(state.cursor.launch, state.cursor.block);
    if (isWhole && block && viz::stepsOfWarp(*state.run, state.cursor) > 0)
        text += (language == Language::Chinese ? "；" : "; ") + say(language, words::kBlockIsWhole, viz::coordinates(state.cursor.block, viz::launchOf(*state.run, state.cursor.launch).grid));
    return {Icon::Clock, RoleKind::TextSecond, std::move(text), std::string(words::kStoppedHover.in(language))};
}

// What the results were compared with; empty: the CPU's. It may be broken into lines behind each comma.
std::string referenceOf(const run::Run& run) {
    std::string text;
    if (run.recording.check)
        for (const char c : run.recording.check->reference) text += c == ',' ? std::string(", ") : std::string(1, c);
    return text;
}

// As many digits as a float has: "38.63662".
std::string resultText(f64 value) {
    constexpr f64 kMostWhole = 1e15;
    return std::abs(value) < kMostWhole && value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.7g}", value);
}

std::vector<Verdict> verdictsOf(const State& state) {
    const run::Run& run = *state.run;
    const Language language = state.language;
    std::vector<Verdict> verdicts;
    if (!run.recording.complete) verdicts.push_back(stoppedVerdict(state));
    const std::string reference = referenceOf(run);
    if (run.comparison && run.comparison->correct && !reference.empty()) {
        verdicts.push_back({Icon::Check, RoleKind::Text, say(language, words::kMatchesReference, reference)});
    } else if (run.comparison && run.comparison->correct) {
        verdicts.push_back({Icon::Check, RoleKind::Text, std::string(words::kMatchesCpu.in(language)), say(language, words::kElementsCompared, grouped(elementsOfResults(run)))});
    } else if (run.comparison) {
        std::string text = reference.empty() ? say(language, words::kWrongElements, grouped(run.comparison->wrongCount))
                                             : say(language, words::kWrongAgainst, grouped(run.comparison->wrongCount), reference);
        if (const auto& first = run.comparison->first)
            text += language == Language::Chinese ? "：" : ": ", text += say(language, words::kFirstWrong, first->buffer, first->index, resultText(first->got), resultText(first->want));
        verdicts.push_back({Icon::Cross, RoleKind::Finding, text});
    }
    // Of a run that was stopped there may have been more to find.
    if (run.recording.complete || model::countOf(run.recording.findings).all()) verdicts.push_back(findingsVerdict(run, language));
    if (run.measured && run.measured->timing) {
        const run::Measured& measured = *run.measured;
        const f64 median = measured.timing->kernel.median;
        const std::string time = fmt::format("{:.{}f}", median, median < 0.1 ? 5 : median < 10 ? 3 : 1);
        const u32 runs = measured.timing->kernel.runs;
        verdicts.push_back({Icon::Clock, RoleKind::TextSecond, say(language, measured.recording.empty() ? words::kTimeNow : words::kTimeRecorded, time, measured.device),
                            measured.recording.empty() ? say(language, words::kTimeNowHover, runs, measured.driver)
                                                       : say(language, words::kTimeRecordedHover, runs, measured.driver, measured.date, measured.device)});
    }
    return verdicts;
}

// Who made the trace that is looked at.
std::string traceOf(const State& state) {
    const run::Run& run = *state.run;
    const viz::Words& source = run.traceSource == "gpu" ? words::kGpu : run.traceSource == "recording" ? words::kTraceRecording : words::kTraceEmulator;
    return say(state.language, words::kTraceBy, source.in(state.language));
}
// And what there is to know of how it was run.
std::string traceHover(const State& state) {
    std::string text(words::kTraceHover.in(state.language));
    for (const Fault& note : state.run->notes) text += "\n" + describe(note, state.language);
    return text;
}

void drawResult(PanelContext& context) {
    labelPair(context, words::kResult.in(context.state.language), traceOf(context.state), kSecond, {.role = RoleKind::TextThird});
    if (ImGui::IsItemHovered()) helpOn(context, std::string(words::kResultHelp.in(context.state.language)) + "\n" + traceHover(context.state), "accuracy.md");
    for (const Verdict& verdict : verdictsOf(context.state)) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        drawIcon(*ImGui::GetWindowDrawList(), verdict.icon, {at.x + 7, at.y + 9}, ink(context, verdict.role));
        ImGui::Indent(kVerdictIndent);
        paragraph(context, verdict.text, {.role = verdict.role});
        if (!verdict.hover.empty() && ImGui::IsItemHovered()) tooltip(context, verdict.hover);
        ImGui::Unindent(kVerdictIndent);
    }
}

void drawStory(PanelContext& context) {
    const catalog::Family* family = context.state.catalog->find(context.state.choice.family);
    const catalog::Variant* variant = family ? family->find(context.state.choice.variant) : nullptr;
    if (!variant || variant->look.in(context.state.language).empty()) return;
    // What the column has no room for is said where the mouse rests on it.
    const std::string& look = variant->look.in(context.state.language);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const std::string heading(words::kWhatToLookAt.in(context.state.language));
    const f32 gap = ImGui::GetStyle().ItemSpacing.y, before = kRuled + gap + heightOf(context, heading, kSecond, room.x) + gap;
    if (room.y < before + heightOf(context, "0", kSecond, room.x)) return;  // never a heading without a line of what it heads
    rule(context);
    label(context, heading, kSecond);
    const bool hovered = ImGui::IsItemHovered();
    paragraphWithin(context, look, kSecond, ImGui::GetContentRegionAvail().y);
    if (hovered || ImGui::IsItemHovered()) tooltip(context, look);
}

// How the column, its story left out, is made not to scroll: the space between two items, the usual one if that fits; the blocks in a
// list instead of a button each; and parameters on a line each, without their sliders.
struct Fit {
    f32 gap = viz::space::kGap;
    bool blocksInList = false, parametersInLine = false;
};

void drawColumn(PanelContext& context, const Fit& fit) {
    label(context, words::kExperiment.in(context.state.language), kHeading);
    if (context.state.choice.own) drawOwnKernel(context, *context.state.choice.own);
    chooseFamilyAndVariant(context);
    setParameters(context, fit.parametersInLine);
    drawRunButton(context);
    if (!context.state.run) return;
    rule(context);
    drawResult(context);
    rule(context);
    chooseBlock(context, fit.blocksInList);
    drawStory(context);
}

Fit fitOf(PanelContext& context) {
    const State& state = context.state;
    const f32 width = ImGui::GetContentRegionAvail().x, room = ImGui::GetContentRegionAvail().y;
    const f32 text = heightOf(context, "0", {}, width), field = ImGui::GetFrameHeight();
    const f32 titled = text - viz::space::kGrid + field;
    f32 height = text + 2 * titled + kControlHeight;  // the heading, family and variant, Run
    f32 gaps = 6, rows = 1, parameters = 0;
    if (state.choice.own) height += 3 * text + kControlHeight + 2 * heightOf(context, "0", kNote, width), gaps += 5;
    const catalog::Family* family = state.catalog->find(state.choice.family);
    if (const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr)
        for (const catalog::Parameter& parameter : family->parameters)
            if (isSet(state, *variant, parameter)) height += titled, gaps += 2, ++parameters;
    if (state.run) {
        rows = f32(choosableBlocks(state).rows());
        height += kRuled + text + rows * kBlockRow + heightOf(context, blockFacts(state), kNote, width) + kRuled + text;
        gaps += 6;
        for (const Verdict& verdict : verdictsOf(state)) height += heightOf(context, verdict.text, {}, width - kVerdictIndent), gaps += 1;
    }
    constexpr f32 kTightest = 3;
    const bool blocksInList = rows > 1 && (room - height) / gaps < kTightest;
    if (blocksInList) height -= (rows - 1) * kBlockRow;
    const bool parametersInLine = parameters > 0 && (room - height) / gaps < kTightest;
    if (parametersInLine) height -= parameters * (titled - field), gaps -= parameters;
    return {std::floor(std::clamp((room - height) / gaps, kTightest, viz::space::kGap)), blocksInList, parametersInLine};
}

}  // namespace

std::vector<ColumnText> experimentTexts(const State& state) {
    const Language language = state.language;
    std::vector<ColumnText> texts{{.text = std::string(words::kExperiment.in(language)), .isHeading = true}};
    const auto add = [&](std::string text, RoleKind role = RoleKind::Text) { texts.push_back({.text = std::move(text), .role = role}); };
    const catalog::Family* family = state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (state.choice.own) add(state.choice.own->file.substr(state.choice.own->file.rfind('/') + 1)), add("--grid " + state.choice.own->grid + " --block " + state.choice.own->block, RoleKind::TextSecond);
    if (variant) {
        add(family->title.in(language), RoleKind::TextSecond);
        add(variant->title.in(language));
        for (const catalog::Parameter& parameter : family->parameters)
            if (isSet(state, *variant, parameter)) add(parameter.name + " = " + parameter.shown(state.choice.values.at(parameter.name)));
    }
    if (!state.run) return texts;
    texts.push_back({.text = std::string(words::kResult.in(language)), .isHeading = true});
    for (const Verdict& verdict : verdictsOf(state)) add(verdict.text, verdict.role);
    add(traceOf(state), RoleKind::TextSecond);
    const Launch& launch = state.run->recording.launches[state.cursor.launch.value];
    texts.push_back({.text = std::string(words::kBlockInFocus.in(language)), .isHeading = true});
    add(viz::coordinates(state.cursor.block, launch.grid) + " · " + gridText(language, launch.grid));
    add(blockFacts(state), RoleKind::TextSecond);
    return texts;
}

void drawExperiment(PanelContext& context) {
    const Fit fit = fitOf(context);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGap, fit.gap));
    drawColumn(context, fit);
    ImGui::PopStyleVar();
}

void drawFirstRun(PanelContext& context) {
    constexpr f32 kWide = 300, kHigh = 100;
    if (!context.state.job.running) return drawFault(context);
    ImGui::SetCursorPos({(ImGui::GetWindowWidth() - kWide) / 2, (ImGui::GetWindowHeight() - kHigh) / 2});
    ImGui::BeginChild("##first run", {kWide, kHigh}, ImGuiChildFlags_None, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
    label(context, std::string(words::kFirstRun.in(context.state.language)), {});
    drawRunButton(context);
    ImGui::EndChild();
}

}  // namespace lockstep::app
