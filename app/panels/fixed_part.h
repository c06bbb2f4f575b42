// Parts of the window that have a place of their own, and the lines between them.
#pragma once

#include "app/panels/panel.h"
#include "app/panels/widgets.h"

#include <imgui.h>
#include <imgui_internal.h>  // which window is in front

#include <algorithm>

namespace lockstep::app {

inline constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                           ImGuiWindowFlags_NoBringToFrontOnFocus;

// A part of the window with a fixed place.
enum class Content : u8 { Fills, Scrolls };  // edge to edge, or a padded column that scrolls
template <class Draw> void fixedPart(const char* name, viz::Rect place, Content content, Draw&& draw) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::SetNextWindowPos({origin.x + place.x, origin.y + place.y});
    ImGui::SetNextWindowSize({place.width, place.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        content == Content::Scrolls ? ImVec2(viz::space::kInset, 10) : ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    const ImGuiWindowFlags scrolling = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    const bool seen =
        ImGui::Begin(name, nullptr, content == Content::Scrolls ? kFixed & ~scrolling : kFixed | scrolling);
    ImGui::PopStyleVar(2);  // a menu that opens in it has its own padding
    if (seen) draw();
    ImGui::End();
}

// The lines between the parts of the window. ImGui draws windows that are not brought to the front in reverse
// order of Begin, and all of them below dialogs, palettes and tooltips: begin this one before any other part.
template <class Draw> void linesBetween(viz::Size window, Draw&& draw) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::SetNextWindowPos(origin);
    ImGui::SetNextWindowSize({window.width, window.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    if (ImGui::Begin("##lines", nullptr, kFixed | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground))
        draw();
    ImGui::End();
    ImGui::PopStyleVar();
}

// A framed part that lies over all others but dialogs and is as large as what it shows. extra: flags.
template <class Draw>
void floatingPart(const char* name, ImVec2 padding, ImGuiWindowFlags extra, Draw&& draw) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::Begin(name, nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings | extra))
        draw();
    ImGui::End();
    ImGui::PopStyleVar(3);
}

// A page of text in the middle of the window, that wide where there is room; it scrolls if it is too high.
// draw(room): the width of its lines.
template <class Draw> void centeredPage(PanelContext& context, const char* name, f32 wide, Draw&& draw) {
    constexpr f32 kMargin = 20;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const f32 width = std::min(wide, viewport.WorkSize.x - 2 * kMargin);
    ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport.WorkSize.y - 2 * kMargin});
    floatingPart(name, {24, 20}, ImGuiWindowFlags_None, [&] {
        if (!context.state.showPalette && !isAnyPopupOpen())
            ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
        draw(ImGui::GetContentRegionAvail().x);
    });
}

inline void hairline(PanelContext& context, viz::Point from, viz::Point to) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::GetWindowDrawList()->AddLine({origin.x + from.x, origin.y + from.y},
                                        {origin.x + to.x, origin.y + to.y},
                                        ink(context, viz::RoleKind::Line));
}

}  // namespace lockstep::app
