// The sentence under the stage, and the transport: step, play, speed, and where the cursor stands.
#include <array>
#include <cmath>

#include <imgui.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;
using viz::say;

constexpr std::array kUnits{viz::Stride::Instruction, viz::Stride::Line, viz::Stride::Phase};

std::string coordinates(Dim3 at, Dim3 extents) {
    std::string text = std::to_string(at.x) + "," + std::to_string(at.y);
    return extents.z > 1 ? text + "," + std::to_string(at.z) : text;
}

std::string cursorText(const State& state) {
    const viz::Cursor& cursor = state.cursor;
    const run::Run& run = *state.run;
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!block || cursor.warp.value >= block->warps.size()) return {};
    const trace::WarpTrace& warp = block->warps[cursor.warp.value];
    std::string text = say(state.language, words::kCursorText, coordinates(cursor.block, run.recording.launches[cursor.launch.value].grid),
                           cursor.warp.value, cursor.lane.value, cursor.step + 1, warp.steps.size());
    if (cursor.step < warp.steps.size())
        if (const u32 line = run.module->locationOf(warp.steps[cursor.step].pc).line) text += say(state.language, words::kCursorLine, line);
    return text;
}

void drawCursorChip(PanelContext& context) {
    const std::string text = cursorText(context.state);
    const TextLook look{.face = viz::Face::TextBold, .role = RoleKind::CursorInk};
    const f32 width = widthOf(context, text, look) + 20;
    ImGui::SameLine(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowWidth() - width - viz::space::kInset));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + kControlHeight}, ink(context, RoleKind::Cursor), viz::radius::kControl);
    drawText(context, list, {at.x + 10, at.y + kControlHeight / 2}, text, look);
    ImGui::Dummy({width, kControlHeight});
}

void drawSpeed(PanelContext& context) {
    const State& state = context.state;
    controlLabel(context, words::kSpeed.in(state.language), {.role = RoleKind::TextSecond});
    ImGui::SameLine();
    f32 speed = state.playback.stepsPerSecond;
    if (speedSlider(context, "##speed", speed, 0.5f, 500.0f, 96)) context.send(SetSpeed{speed});
    ImGui::SameLine();
    controlLabel(context, say(state.language, words::kStepsPerSecond, speed < 10 ? std::round(speed * 10) / 10 : std::round(speed)), {.role = RoleKind::TextSecond});
}

}  // namespace

void drawSentence(PanelContext& context, const std::string& sentence) {
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + viz::space::kBar, at.y + size.y}, ink(context, RoleKind::Cursor));
    ImGui::SetCursorPos({viz::space::kBar + viz::space::kInset, 12});
    paragraph(context, sentence, {.size = viz::type::kSentence}, size.x - viz::space::kBar - 2 * viz::space::kInset);
}

void drawTransport(PanelContext& context) {
    const State& state = context.state;
    const Language language = state.language;
    ImGui::SetCursorPos({viz::space::kInset, 8});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGrid, viz::space::kGap));
    if (iconButton(context, "first", Icon::First, "Home")) context.send(ToEnd{.back = true});
    ImGui::SameLine();
    if (iconButton(context, "phase back", Icon::PhaseBack, "Shift+←")) context.send(Step{viz::Stride::Phase, true});
    ImGui::SameLine();
    if (iconButton(context, "step back", Icon::StepBack, "←")) context.send(Step{state.playback.unit, true});
    ImGui::SameLine();
    if (iconButton(context, "play", state.playback.playing ? Icon::Pause : Icon::Play, words::kKeyPlay.in(language), kPlayWidth, true))
        context.send(TogglePlay{});
    ImGui::SameLine();
    if (iconButton(context, "step", Icon::Step, "→")) context.send(Step{state.playback.unit, false});
    ImGui::SameLine();
    if (iconButton(context, "phase", Icon::Phase, "Shift+→")) context.send(Step{viz::Stride::Phase, false});
    ImGui::SameLine();
    if (iconButton(context, "last", Icon::Last, "End")) context.send(ToEnd{.back = false});
    ImGui::PopStyleVar();

    ImGui::SameLine(0, viz::space::kInset);
    controlLabel(context, words::kStepBy.in(language), {.role = RoleKind::TextSecond});
    ImGui::SameLine();
    const std::array units{words::kInstruction.in(language), words::kLine.in(language), words::kPhase.in(language)};
    int on = 0;
    for (std::size_t i = 0; i < kUnits.size(); ++i)
        if (kUnits[i] == state.playback.unit) on = int(i);
    if (const int chosen = segments(context, "units", units, on); chosen >= 0) context.send(SetStepUnit{kUnits[std::size_t(chosen)]});
    ImGui::SameLine(0, viz::space::kInset);
    drawSpeed(context);
    if (state.run) drawCursorChip(context);
}

void drawFault(PanelContext& context) {
    if (!context.state.fault) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawIcon(*ImGui::GetWindowDrawList(), Icon::Warning, {at.x + 7, at.y + 9}, ink(context, RoleKind::Finding));
    ImGui::Indent(22);
    paragraph(context, describe(*context.state.fault), {.role = RoleKind::Finding}, ImGui::GetContentRegionAvail().x - 80);
    ImGui::Unindent(22);
    ImGui::SameLine();
    if (textButton(context, "dismiss", words::kClose.in(context.state.language))) context.send(DismissFault{});
}

}  // namespace lockstep::app
