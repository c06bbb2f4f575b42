#include "app/panels/palette.h"

#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "viz/scene/canvas.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr f32 kWide = 620, kRow = 30, kField = 36, kTop = 72;
constexpr int kRows = 12;

}  // namespace

void Palette::choose(PanelContext& context, const PaletteEntry& entry) {
    context.send(ShowPalette{false});
    context.send(UsedCommand{entry.id});
    context.send(entry.action);
}

void Palette::drawRow(PanelContext& context, const PaletteEntry& entry, int row) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(entry.id.c_str());
    const bool clicked = ImGui::InvisibleButton("##entry", {width, kRow});
    ImGui::PopID();
    // The mouse selects only when moved, not where the list happens to open under it.
    if (ImGui::IsItemHovered() && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0))
        selected_ = row;
    if (clicked) choose(context, entry);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (row == selected_)
        list.AddRectFilled(at, {at.x + width, at.y + kRow}, ink(context, RoleKind::Raised),
                           viz::radius::kControl);
    const TextLook name{.face = row == selected_ ? viz::Face::TextBold : viz::Face::Text},
        note{.size = viz::type::kCode, .role = RoleKind::TextSecond},
        keys{.size = viz::type::kCode, .face = viz::Face::MonoBold};
    const f32 middle = at.y + kRow / 2,
              keysWide = entry.keys.empty() ? 0 : widthOf(context, entry.keys, keys) + 16;
    const viz::Canvas canvas({}, context.metrics);
    const f32 left = 12, room = width - 2 * left - keysWide;
    const std::string shown = canvas.cut(entry.text, room, {.bold = true});
    drawText(context, list, {at.x + left, middle}, shown, name);
    if (!entry.keys.empty())
        drawText(context, list, {at.x + width - left - widthOf(context, entry.keys, keys), middle},
                 entry.keys, keys);
    const f32 after = widthOf(context, shown, {.face = viz::Face::TextBold}) + 16;
    const std::string beside =
        room - after > 60 ? canvas.cut(entry.note, room - after, {.size = note.size}) : std::string();
    drawText(context, list, {at.x + left + room - widthOf(context, beside, note), middle}, beside, note);
}

void Palette::draw(PanelContext& context) {
    if (!context.state.showPalette) {
        wasOpen_ = false;
        return;
    }
    const bool opening = !wasOpen_;
    wasOpen_ = true;
    if (opening) query_.clear(), selected_ = first_ = 0, takesKeys_ = true;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const f32 width = std::min(kWide, viewport.WorkSize.x - 40);
    const int rows = std::clamp(int((viewport.WorkSize.y - 2 * kTop - kField) / kRow), 3, kRows);
    ImGui::SetNextWindowPos({viewport.WorkPos.x + viewport.WorkSize.x / 2,
                             viewport.WorkPos.y + std::min(kTop, viewport.WorkSize.y / 10)},
                            ImGuiCond_Always, {0.5f, 0});
    ImGui::SetNextWindowSize({width, kField + 28 + f32(rows) * kRow});
    if (opening) ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10, 10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(10, 9));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    if (ImGui::Begin("##palette", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                         ImGuiWindowFlags_NoSavedSettings)) {
        if (takesKeys_) ImGui::SetKeyboardFocusHere();
        takesKeys_ = false;
        ImGui::SetNextItemWidth(-1);
        ImGui::PushFont(context.fonts.font(viz::Face::Text),
                        context.fonts.size(viz::Face::Text, viz::type::kTitle));
        if (ImGui::InputTextWithHint("##query", words::kPaletteHint.in(context.state.language).data(),
                                     &query_))
            selected_ = first_ = 0;
        helped(context, {words::kPaletteHelp.in(context.state.language), "guide/window.md"});
        const bool lostFocus = !opening && !ImGui::IsItemActive() && ImGui::IsItemDeactivated();
        ImGui::PopFont();
        ImGui::Dummy({1, 8});

        const std::vector<PaletteEntry> entries = paletteEntries(context.state, query_);
        const std::vector<const PaletteEntry*> found =
            matching(entries, query_, context.state.recentCommands);
        const int count = int(found.size());
        const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
        if (pressed(ImGuiKey_DownArrow)) ++selected_;
        if (pressed(ImGuiKey_UpArrow)) --selected_;
        if (pressed(ImGuiKey_PageDown)) selected_ += rows;
        if (pressed(ImGuiKey_PageUp)) selected_ -= rows;
        selected_ -= int(ImGui::GetIO().MouseWheel);
        selected_ = std::clamp(selected_, 0, std::max(0, count - 1));
        first_ = std::clamp(first_, std::max(0, selected_ - rows + 1), selected_);
        for (int row = first_; row < std::min(count, first_ + rows); ++row)
            drawRow(context, *found[std::size_t(row)], row);
        if (count == 0)
            label(context, words::kPaletteNothing.in(context.state.language), {.role = RoleKind::TextSecond});

        const bool entered =
            ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
        if (entered && count == 0) takesKeys_ = true;  // Enter removed it
        const bool closed = ImGui::IsKeyPressed(ImGuiKey_Escape, false) ||
                            ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_P) ||
                            (lostFocus && !entered && !ImGui::IsWindowHovered());
        if (entered && count > 0)
            choose(context, *found[std::size_t(selected_)]);
        else if (closed)
            context.send(ShowPalette{false});
    }
    ImGui::End();
    ImGui::PopStyleVar(5);
}

}  // namespace lockstep::app
