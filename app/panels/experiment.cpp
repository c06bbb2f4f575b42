// The left column: which kernel, which sizes, which block; what came of it.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "run/run.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;
using viz::say;

constexpr TextLook kHeading{.face = viz::Face::TextBold};
constexpr TextLook kSecond{.role = RoleKind::TextSecond};
constexpr TextLook kNote{.size = viz::type::kAxis, .role = RoleKind::TextThird};
constexpr s64 kLogarithmicFrom = 256;  // ranges this wide are too coarse for a straight slider

void rule(PanelContext& context) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 y = at.y + viz::space::kGrid;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + ImGui::GetContentRegionAvail().x, y}, ink(context, RoleKind::Line));
    ImGui::Dummy({1, 1 + viz::space::kGrid});
}

// What a control is for: closer to it than to the one above.
void closer() { ImGui::SetCursorPosY(ImGui::GetCursorPosY() - viz::space::kGrid); }
void controlTitle(PanelContext& context, std::string_view title) {
    label(context, title, kSecond);
    closer();
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
    if (const int chosen = dropDown(context, "##family", titles, family); chosen >= 0)
        context.send(ChooseVariant{families[std::size_t(chosen)].name, families[std::size_t(chosen)].variants.front().name});

    if (family < 0) return;
    const catalog::Family& f = families[std::size_t(family)];
    titles.clear();
    int variant = -1;
    for (const catalog::Variant& v : f.variants) {
        if (v.name == state.choice.variant) variant = int(titles.size());
        titles.push_back(v.title.in(language));
    }
    controlTitle(context, words::kVariant.in(language));
    if (const int chosen = dropDown(context, "##variant", titles, variant); chosen >= 0)
        context.send(ChooseVariant{f.name, f.variants[std::size_t(chosen)].name});
}

void setParameters(PanelContext& context) {
    const State& state = context.state;
    const catalog::Family* family = state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (!variant) return;
    for (const catalog::Parameter& parameter : family->parameters) {
        if (std::ranges::find(variant->parameters, parameter.name) == variant->parameters.end()) continue;
        const auto found = state.choice.values.find(parameter.name);
        if (found == state.choice.values.end()) continue;
        const std::string& unit = parameter.unit.in(state.language);
        const std::string title = unit.empty() ? parameter.name : state.language == Language::Chinese ? parameter.name + "（" + unit + "）" : parameter.name + " (" + unit + ")";
        const std::string range = parameter.isChoice() ? "" : say(state.language, words::kRange, parameter.min, parameter.max);
        labelPair(context, title, range, kSecond, {.role = RoleKind::TextThird});
        if (ImGui::IsItemHovered()) tooltip(context, parameter.help.in(state.language));
        closer();
        s64 value = found->second;
        if (parameter.isChoice()) {
            const std::string id = "##" + parameter.name;
            if (const int chosen = dropDown(context, id.c_str(), parameter.choices, int(value)); chosen >= 0)
                context.send(SetParameter{parameter.name, chosen, false});
            continue;
        }
        bool dragging = false;
        if (intSlider(context, parameter.name.c_str(), value, parameter.min, parameter.max,
                      parameter.max - parameter.min >= kLogarithmicFrom, dragging))
            context.send(SetParameter{parameter.name, value, dragging});
        else if (state.dragging && ImGui::IsItemDeactivated())
            context.send(SetParameter{parameter.name, value, false});
    }
}

void drawRunButton(PanelContext& context) {
    const Language language = context.state.language;
    const f32 width = ImGui::GetContentRegionAvail().x;
    const Job& job = context.state.job;
    if (!job.running) {
        if (textButton(context, "run", words::kRun.in(language), width, words::kRunsOnChange.in(language))) context.send(RunAgain{});
        return;
    }
    if (textButton(context, "cancel", words::kCancel.in(language), width)) context.send(CancelRun{});
    constexpr f64 kShownAfter = 0.5;  // short runs end before anything would flicker
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (job.seconds < kShownAfter || !job.progress) return ImGui::Dummy({width, 4});
    const u64 total = job.progress->total, done = job.progress->done;
    const f32 share = total ? f32(f64(done) / f64(total)) : 0;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + 4}, ink(context, RoleKind::Raised), 2);
    list.AddRectFilled(at, {at.x + width * share, at.y + 4}, ink(context, RoleKind::Text), 2);
    ImGui::Dummy({width, 4});
    label(context, say(language, words::kPercent, u64(share * 100)), kNote);
}

// The blocks that can be looked at: a small grid as it is, of a large one those in focus.
void chooseBlock(PanelContext& context) {
    const run::Run& run = *context.state.run;
    const viz::Cursor& cursor = context.state.cursor;
    const Launch& launch = run.recording.launches[cursor.launch.value];
    labelPair(context, words::kBlockInFocus.in(context.state.language),
              say(context.state.language, words::kGrid, launch.grid.x, launch.grid.y), kSecond, {.role = RoleKind::TextThird});

    constexpr u64 kSmallGrid = 16;
    std::vector<Dim3> blocks;
    if (launch.grid.count() <= kSmallGrid)
        for (u64 i = 0; i < launch.grid.count(); ++i) blocks.push_back(coordinatesOf(i, launch.grid));
    else
        for (const trace::FocusBlock& block : run.recording.trace.blocks)
            if (block.launch == cursor.launch) blocks.push_back(block.block);
    const u32 columns = launch.grid.count() <= kSmallGrid ? std::min(launch.grid.x, 4u) : 2u;
    const f32 width = (ImGui::GetContentRegionAvail().x - f32(columns - 1) * viz::space::kGrid) / f32(columns);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGrid, viz::space::kGrid));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i % columns) ImGui::SameLine();
        const Dim3 block = blocks[i];
        const std::string text = "(" + std::to_string(block.x) + "," + std::to_string(block.y) + ")";
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (textButton(context, text.c_str(), text, width)) {
            viz::Cursor to = cursor;
            to.block = block;
            context.send(MoveCursor{to});
        }
        if (block == cursor.block)
            ImGui::GetWindowDrawList()->AddRect({at.x - 1.5f, at.y - 1.5f}, {at.x + width + 1.5f, at.y + kControlHeight + 1.5f},
                                                ink(context, RoleKind::Cursor), viz::radius::kControl, viz::line::kCursor);
    }
    ImGui::PopStyleVar();

    const Language language = context.state.language;
    const u64 warps = (launch.block.count() + kWarpSize - 1) / kWarpSize;
    std::string facts = say(language, words::kThreads, launch.block.count()) + " · " +
                        (warps == 1 ? std::string(words::kOneWarp.in(language)) : say(language, words::kWarps, warps));
    if (const u64 shared = run::sharedBytes(*run.module, launch)) facts += " · " + say(language, words::kSharedBytes, shared % 1024 == 0 ? fmt::format("{} KB", shared / 1024) : fmt::format("{} B", shared));
    paragraph(context, facts, kNote);
}

void verdict(PanelContext& context, Icon icon, RoleKind role, const std::string& text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawIcon(*ImGui::GetWindowDrawList(), icon, {at.x + 7, at.y + 9}, ink(context, role));
    ImGui::Indent(22);
    paragraph(context, text, {.role = role});
    ImGui::Unindent(22);
}

void drawResult(PanelContext& context) {
    const run::Run& run = *context.state.run;
    const Language language = context.state.language;
    label(context, words::kResult.in(language), kSecond);
    if (!run.recording.complete) verdict(context, Icon::Warning, RoleKind::Finding, std::string(words::kStopped.in(language)));
    if (run.comparison && run.comparison->correct) {
        u64 elements = 0;
        for (const Buffer& buffer : run.recording.final) elements = buffer.count();
        verdict(context, Icon::Check, RoleKind::Text, say(language, words::kEqualsCpu, viz::grouped(elements)));
    } else if (run.comparison) {
        std::string text = say(language, words::kWrongElements, viz::grouped(run.comparison->wrongCount));
        if (const auto& first = run.comparison->first)
            text += language == Language::Chinese ? "：" : ": ", text += say(language, words::kFirstWrong, first->buffer, first->index, first->got, first->want);
        verdict(context, Icon::Cross, RoleKind::Finding, text);
    }
    const std::size_t findings = run.recording.findings.size();
    if (findings == 0)
        verdict(context, Icon::Check, RoleKind::Text, std::string(words::kNoFindings.in(language)));
    else
        verdict(context, Icon::Warning, RoleKind::Finding,
                findings == 1 ? std::string(words::kOneFinding.in(language)) : say(language, words::kFindings, findings));
}

void drawStory(PanelContext& context) {
    const catalog::Family* family = context.state.catalog->find(context.state.choice.family);
    const catalog::Variant* variant = family ? family->find(context.state.choice.variant) : nullptr;
    if (!variant || variant->look.in(context.state.language).empty()) return;
    // What the column has no room for is said where the mouse rests on it.
    const std::string& look = variant->look.in(context.state.language);
    constexpr f32 kHeadingAndALine = 44;
    const f32 room = ImGui::GetContentRegionAvail().y;
    if (room < kHeadingAndALine) return;
    rule(context);
    label(context, words::kWhatToLookAt.in(context.state.language), kSecond);
    const bool hovered = ImGui::IsItemHovered();
    paragraphWithin(context, look, {.role = RoleKind::TextSecond}, ImGui::GetContentRegionAvail().y);
    if (hovered || ImGui::IsItemHovered()) tooltip(context, look);
}

}  // namespace

void drawExperiment(PanelContext& context) {
    label(context, words::kExperiment.in(context.state.language), kHeading);
    chooseFamilyAndVariant(context);
    setParameters(context);
    drawRunButton(context);
    if (!context.state.run) return;
    rule(context);
    chooseBlock(context);
    rule(context);
    drawResult(context);
    drawStory(context);
}

}  // namespace lockstep::app
