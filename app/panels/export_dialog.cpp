// Ctrl+E: exports a view or the whole window: format, file, progress.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr f32 kLabels = 110, kFields = 340;

void field(PanelContext& context, const Words& words) {
    controlLabel(context, words.in(context.state.language), {.role = RoleKind::TextSecond});
    ImGui::SameLine(kLabels);
}

void chooseWhat(PanelContext& context, ExportSettings settings) {
    std::vector<std::string> titles;
    int on = 0;
    for (const viz::ViewRow& view : viz::views()) {
        if (view.name == settings.view) on = int(titles.size());
        titles.emplace_back(view.title.in(context.state.language));
    }
    titles.emplace_back(words::kWholeWindow.in(context.state.language));
    if (settings.view.empty()) on = int(titles.size()) - 1;
    field(context, words::kExportWhat);
    const int chosen =
        dropDown(context, "##what", titles, on,
                 {words::kExportWhatHelp.in(context.state.language), "guide/pictures.md"}, kFields);
    if (chosen < 0) return;
    settings.view = std::size_t(chosen) < viz::views().size()
                        ? std::string(viz::views()[std::size_t(chosen)].name)
                        : std::string();
    context.send(SetExport{settings});
}

void chooseFormat(PanelContext& context, ExportSettings settings) {
    std::array<std::string_view, kExportFormats.size()> names;
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = kExportFormats[i].name;
    field(context, words::kExportAs);
    const int chosen = segments(context, "format", names, int(settings.format),
                                {{words::kExportAsHelp.in(context.state.language), "guide/pictures.md"}});
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + viz::space::kGap);  // segments leave no space below
    if (chosen < 0) return;
    settings.format = kExportFormats[std::size_t(chosen)].format;
    context.send(SetExport{settings});
}

void chooseSteps(PanelContext& context, ExportSettings settings) {
    // Its row stays empty for the others: nothing below it moves.
    if (!rowOf(settings.format).moves) return ImGui::Dummy({1, ImGui::GetFrameHeight()});
    field(context, words::kExportSteps);
    const auto number = [&](const char* id, u32& value) {
        constexpr f32 kWide = 80;
        constexpr s64 kMost = std::numeric_limits<u32>::max();
        s64 typed = value;
        if (!numberField(context, id, typed, kWide,
                         {words::kExportStepsHelp.in(context.state.language), "guide/pictures.md"}) ||
            typed == value)
            return;
        value = u32(std::clamp<s64>(typed, 0, kMost));
        context.send(SetExport{settings});
    };
    number("##first", settings.first);
    ImGui::SameLine();
    controlLabel(context, "–");
    ImGui::SameLine();
    number("##last", settings.last);
    ImGui::SameLine();
    const f32 before = settings.stepsPerSecond;
    if (speedSlider(context, "##exportspeed", settings.stepsPerSecond, kSlowest, 20, 60,
                    {words::kExportSpeedHelp.in(context.state.language), "guide/pictures.md"}) &&
        settings.stepsPerSecond != before)
        context.send(SetExport{settings});
    ImGui::SameLine();
    controlLabel(
        context,
        say(context.state.language, words::kStepsPerSecond, std::round(settings.stepsPerSecond * 10) / 10),
        {.role = RoleKind::TextSecond});
}

void chooseFile(PanelContext& context, ExportSettings settings) {
    std::array<char, 512> text{};
    std::memcpy(text.data(), settings.file.data(), std::min(settings.file.size(), text.size() - 1));
    field(context, words::kExportFile);
    const std::string_view browse = words::kBrowse.in(context.state.language);
    const f32 button = widthOf(context, browse) + 24;
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(kFields - button - viz::space::kGap);
    const bool changed = ImGui::InputText("##file", text.data(), text.size(),
                                          ImGuiInputTextFlags_ElideLeft);  // the name is at its end
    helped(context, {words::kExportFileHelp.in(context.state.language), "guide/pictures.md"});
    ImGui::SameLine();
    if (textButton(context, "browse", browse,
                   {words::kBrowseHelp.in(context.state.language), "guide/pictures.md"}, button))
        context.send(ChooseExportFile{});
    if (!changed || settings.file == text.data()) return;
    settings.file = text.data();
    context.send(SetExport{settings});
}

void drawProgress(PanelContext& context) {
    const Export& e = context.state.exporting;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 width = kLabels + kFields;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + 4}, ink(context, RoleKind::Raised), 2);
    list.AddRectFilled(at, {at.x + width * f32(e.progress), at.y + 4}, ink(context, RoleKind::Text), 2);
    ImGui::Dummy({width, 4});
}

// Whether it has worked, and where.
void drawOutcome(PanelContext& context) {
    const Export& e = context.state.exporting;
    const Language language = context.state.language;
    if (e.asksToReplace) label(context, words::kExportExists.in(language), {.role = RoleKind::Finding});
    if (e.fault)
        paragraph(context, describe(*e.fault, language), {.role = RoleKind::Finding}, kLabels + kFields);
    if (e.written.empty()) return;
    paragraph(context, say(language, words::kExportWritten, e.written), {}, kLabels + kFields);
    if (textButton(context, "folder", words::kExportFolder.in(language),
                   {words::kExportFolderHelp.in(language), "guide/pictures.md"}))
        context.send(OpenExportFolder{});
}

// The same buttons at the same place while it draws and when it has, so that none is where another was; the
// last one then cancels.
void drawButtons(PanelContext& context) {
    const Export& e = context.state.exporting;
    const Language language = context.state.language;
    const Words& now = e.asksToReplace ? words::kExportReplace : words::kExportNow;
    ImGui::BeginDisabled(e.running);
    if (textButton(context, "export", now.in(language),
                   {words::kExportNowHelp.in(language), "guide/pictures.md"}))
        context.send(ExportNow{});
    ImGui::SameLine();
    ImGui::BeginDisabled(rowOf(e.settings.format).moves);
    if (textButton(context, "picture", words::kCopyPicture.in(language),
                   {words::kCopyPictureHover.in(language), "guide/pictures.md"}))
        context.send(CopyPicture{e.settings.view});
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (textButton(context, "line", words::kCopyLine.in(language),
                   {words::kCopyLineHover.in(language), "guide/pictures.md"}))
        copyCommandLine(context, e.settings.view.empty() ? viewInHand(context.state) : e.settings.view);
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (textButton(
            context, e.running ? "cancel" : "close",
            (e.running ? words::kCancel : words::kClose).in(language),
            {(e.running ? words::kExportCancelHelp : words::kCloseHelp).in(language), "guide/pictures.md"}))
        context.send(CloseExport{});
    if (e.running)
        drawProgress(context);
    else
        drawOutcome(context);
}

}  // namespace

// Modal. Its upper edge stays fixed for every format.
void drawExport(PanelContext& context) {
    constexpr const char* kName = "##exportdialogue";
    constexpr f32 kAboveMiddle = 180;
    const Export& e = context.state.exporting;
    if (e.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(
        {viewport.GetCenter().x, std::max(viewport.WorkPos.y + 20, viewport.GetCenter().y - kAboveMiddle)},
        ImGuiCond_Always, {0.5f, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(24, 20));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::BeginPopupModal(kName, nullptr,
                               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoDocking |
                                   ImGuiWindowFlags_NoSavedSettings)) {
        label(context, words::kExport.in(context.state.language),
              {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        chooseWhat(context, e.settings);
        chooseFormat(context, e.settings);
        chooseSteps(context, e.settings);
        chooseFile(context, e.settings);
        drawButtons(context);
        if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !context.hasListOpen) context.send(CloseExport{});
        if (!e.open) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(3);
}

}  // namespace lockstep::app
