// The sentence under the stage, and the transport: step, play, speed, and cursor position.
#include "app/panels/editor/editor_words.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"
#include "viz/cursor/lookup.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr std::array kUnits{explain::Stride::Event, explain::Stride::Line, explain::Stride::Instruction,
                            explain::Stride::Phase};

}  // namespace

std::string cursorText(const State& state, bool brief) {
    const viz::Cursor& cursor = state.cursor;
    const run::Run& run = *state.run;
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!block || cursor.warp.value >= block->warps.size()) return {};
    const trace::WarpTrace& warp = block->warps[cursor.warp.value];
    // Of a run that is known up to a step only, the last one is not known.
    const bool isWhole = run.recording.complete;
    std::string text =
        brief ? say(state.language, isWhole ? words::kCursorBrief : words::kCursorBriefSoFar, cursor.step + 1,
                    warp.steps.size())
              : say(state.language, isWhole ? words::kCursorText : words::kCursorTextSoFar,
                    viz::coordinates(cursor.block, run.recording.launches[cursor.launch.value].grid),
                    cursor.warp.value, cursor.lane.value, cursor.step + 1, warp.steps.size());
    if (cursor.step < warp.steps.size())
        if (const u32 line = explain::lineOf(*run.module, warp.steps[cursor.step].pc).line)
            text += say(state.language, words::kCursorLine, line);
    return text;
}

namespace {

constexpr TextLook kChip{.face = viz::Face::TextBold, .role = RoleKind::CursorInk};

void drawCursorChip(PanelContext& context, const std::string& text) {
    const TextLook look = kChip;
    const f32 width = widthOf(context, text, look) + 20;
    ImGui::SameLine(ImGui::GetWindowWidth() - width - viz::space::kInset);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + kControlHeight}, ink(context, RoleKind::Cursor),
                       viz::radius::kControl);
    drawText(context, list, {at.x + 10, at.y + kControlHeight / 2}, text, look);
    ImGui::Dummy({width, kControlHeight});
}

constexpr f32 kSpeedSlider = 96;

std::string speedText(const State& state) {
    const f32 speed = state.playback.stepsPerSecond;
    if (speed >= kFastest) return std::string(words::kAsFastAsItGoes.in(state.language));
    const f32 fine = speed < 1 ? 100 : 10;
    return say(state.language, words::kStepsPerSecond,
               speed < 10 ? std::round(speed * fine) / fine : std::round(speed));
}

f32 speedWidth(const PanelContext& context) {
    return widthOf(context, words::kSpeed.in(context.state.language)) +
           widthOf(context, speedText(context.state)) + kSpeedSlider + 2 * viz::space::kGap +
           viz::space::kInset;
}

void drawSpeed(PanelContext& context) {
    const State& state = context.state;
    controlLabel(context, words::kSpeed.in(state.language), {.role = RoleKind::TextSecond});
    if (ImGui::IsItemHovered()) helpOn(context, words::kSpeedHelp.in(state.language), "guide/window.md");
    ImGui::SameLine();
    f32 speed = state.playback.stepsPerSecond;
    if (speedSlider(context, "##speed", speed, kSlowest, kFastest, kSpeedSlider,
                    {words::kSpeedHelp.in(state.language), "guide/window.md"}))
        context.send(SetSpeed{speed});
    ImGui::SameLine();
    controlLabel(context, speedText(state), {.role = RoleKind::TextSecond});
}

}  // namespace

std::string noFurtherStepText(const State& state) {
    const auto text = [&](const Words& on, const Words& back) {
        return std::string((state.inVain->back ? back : on).in(state.language));
    };
    switch (state.inVain->stride) {
        case explain::Stride::Conflict: return text(words::kNoConflictOn, words::kNoConflictBack);
        case explain::Stride::Divergence: return text(words::kNoDivergenceOn, words::kNoDivergenceBack);
        case explain::Stride::Event: return text(words::kNoEventOn, words::kNoEventBack);
        case explain::Stride::SameLine: return text(words::kNoSameLineOn, words::kNoSameLineBack);
        case explain::Stride::Finding:
            if (state.run && state.run->recording.findings.empty())
                return std::string(words::kNoFindingAtAll.in(state.language));
            return text(words::kNoFindingOn, words::kNoFindingBack);
        default: return text(words::kNoStepOn, words::kNoStepBack);
    }
}

void drawSentence(PanelContext& context, const std::string& sentence) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + viz::space::kBar, at.y + size.y},
                                              ink(context, RoleKind::Cursor));
    // As large as fits: smaller for a long sentence, or in a low window.
    const f32 width = size.x - viz::space::kBar - 2 * viz::space::kInset;
    TextLook look{.size = viz::type::kSentence};
    f32 height = heightOf(context, sentence, look, width);
    constexpr std::array kSmaller{16.0f, viz::type::kTitle, viz::type::kBody, viz::type::kCode,
                                  viz::type::kAxis};
    for (const f32 smaller : kSmaller) {
        // The smallest letters may come closer to the edges.
        if (height <= size.y - (look.size > viz::type::kBody ? 8.0f : 2.0f)) break;
        look.size = smaller;
        height = heightOf(context, sentence, look, width);
    }
    ImGui::SetCursorPos(
        {viz::space::kBar + viz::space::kInset, std::max(1.0f, std::min(12.0f, (size.y - height) / 2))});
    paragraph(context, sentence, look, width);
}

void drawTransport(PanelContext& context) {
    const State& state = context.state;
    const Language language = state.language;
    ImGui::SetCursorPos({viz::space::kInset, 8});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGrid, viz::space::kGap));
    if (iconButton(context, "first", Icon::First, {words::kFirstHelp.in(language), "guide/window.md"}))
        context.send(ToEnd{.back = true});
    ImGui::SameLine();
    if (iconButton(context, "phase back", Icon::PhaseBack,
                   {words::kPhaseBackHelp.in(language), "guide/window.md"}))
        context.send(Step{explain::Stride::Phase, true});
    ImGui::SameLine();
    if (iconButton(context, "step back", Icon::StepBack,
                   {words::kStepBackHelp.in(language), "guide/window.md"}))
        context.send(Step{state.playback.unit, true});
    ImGui::SameLine();
    if (iconButton(context, "play", state.playback.playing ? Icon::Pause : Icon::Play,
                   {words::kPlayHelp.in(language), "guide/window.md"}, kPlayWidth, true))
        context.send(TogglePlay{});
    ImGui::SameLine();
    if (iconButton(context, "step", Icon::Step, {words::kStepHelp.in(language), "guide/window.md"}))
        context.send(Step{state.playback.unit, false});
    ImGui::SameLine();
    if (iconButton(context, "phase", Icon::Phase, {words::kPhaseHelp.in(language), "guide/window.md"}))
        context.send(Step{explain::Stride::Phase, false});
    ImGui::SameLine();
    if (iconButton(context, "last", Icon::Last, {words::kLastHelp.in(language), "guide/window.md"}))
        context.send(ToEnd{.back = false});
    ImGui::PopStyleVar();

    // What fits between the buttons and the cursor's chip, the most useful first.
    const std::array units{words::kEvent.in(language), words::kLine.in(language),
                           words::kInstruction.in(language), words::kPhase.in(language)};
    std::size_t unitsShown = units.size();
    const auto unitsWidth = [&] {
        f32 all = viz::space::kInset;
        for (const std::string_view unit : std::span(units).first(unitsShown))
            all += widthOf(context, unit) + 24;
        return all;
    };
    const f32 stepByWidth = widthOf(context, words::kStepBy.in(language)) + viz::space::kGap;
    const f32 buttonsEnd = viz::space::kInset + 6 * (kButtonWidth + viz::space::kGrid) + kPlayWidth;
    std::string chip = state.run ? cursorText(state, false) : std::string();
    const auto left = [&] {
        return ImGui::GetWindowWidth() - buttonsEnd - unitsWidth() - widthOf(context, chip, kChip) - 20 -
               2 * viz::space::kInset;
    };
    if (state.run && left() < 0) chip = cursorText(state, true);
    // Phases have buttons of their own.
    if (left() < 0 && state.playback.unit != explain::Stride::Phase) --unitsShown;
    const bool withLabel = left() > stepByWidth,
               withSpeed = left() > (withLabel ? stepByWidth : 0) + speedWidth(context);

    ImGui::SameLine(0, viz::space::kInset);
    if (withLabel) {
        controlLabel(context, words::kStepBy.in(language), {.role = RoleKind::TextSecond});
        if (ImGui::IsItemHovered()) helpOn(context, words::kStepByHelp.in(language), "guide/window.md");
        ImGui::SameLine();
    }
    int on = 0;
    for (std::size_t i = 0; i < kUnits.size(); ++i)
        if (kUnits[i] == state.playback.unit) on = int(i);
    if (const int chosen = segments(context, "units", std::span(units).first(unitsShown), on,
                                    {{words::kStepByHelp.in(language), "guide/window.md"}});
        chosen >= 0)
        context.send(SetStepUnit{kUnits[std::size_t(chosen)]});
    if (withSpeed) {
        ImGui::SameLine(0, viz::space::kInset);
        drawSpeed(context);
    }
    if (state.run) drawCursorChip(context, chip);
}

void drawFault(PanelContext& context) {
    if (!context.state.fault) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawIcon(*ImGui::GetWindowDrawList(), Icon::Warning, {at.x + 7, at.y + 9},
             ink(context, RoleKind::Finding));
    ImGui::SetCursorScreenPos({at.x + 22, at.y});
    ImGui::BeginGroup();  // its lines all begin here
    const Language language = context.state.language;
    const SourcePlace& place = context.state.fault->place;
    const bool isOfEditableFile = place.line > 0 && place.file.ends_with(".cu");
    const std::string_view edit = words::kFaultEdit.in(language);
    const f32 ofFetch = widthOfFetchButton(context);
    // Only the first compiler error fits; it counts the others. In a low strip its letters are smaller.
    const std::string text = describe(*context.state.fault, context.state.language),
                      first = text.substr(0, text.find('\n'));
    const f32 width = ImGui::GetContentRegionAvail().x - 80 - ofFetch -
                      (isOfEditableFile ? widthOf(context, edit) + 24 + viz::space::kGap : 0),
              high = ImGui::GetWindowHeight();
    TextLook look{.role = RoleKind::Finding};
    for (const f32 size : {viz::type::kBody, viz::type::kCode, viz::type::kAxis}) {
        look.size = size;
        if (heightOf(context, first, look, width) <= high) break;
    }
    ImGui::SetCursorPosY(
        std::clamp((high - heightOf(context, first, look, width)) / 2, 0.0f, ImGui::GetCursorPosY()));
    paragraph(context, first, look, width);
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos({at.x + 22 + width + viz::space::kGap, at.y});
    if (ofFetch > 0) {
        drawFetchButton(context);
        ImGui::SameLine();
    }
    if (isOfEditableFile) {
        if (textButton(context, "edit fault", edit, {words::kFaultEditHelp.in(language), "guide/editor.md"}))
            context.send(EditorAction{EditFile{place.file, place.line}});
        ImGui::SameLine();
    }
    if (textButton(context, "dismiss", words::kClose.in(context.state.language),
                   {words::kDismissHelp.in(context.state.language), "guide/window.md"}))
        context.send(DismissFault{});
}

}  // namespace lockstep::app
