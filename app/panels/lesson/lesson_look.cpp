#include "app/panels/lesson/lesson_look.h"

#include "viz/scene/canvas.h"

#include <imgui.h>

namespace lockstep::app {

using viz::RoleKind;

PressedInHead columnHead(PanelContext& context, std::string_view title, const Help* back, const Help& close,
                         TextLook look) {
    constexpr f32 kTop = 6;
    const f32 right = ImGui::GetWindowWidth() - viz::space::kInset - kButtonWidth;
    PressedInHead pressed;
    f32 from = viz::space::kInset;
    if (back) {
        ImGui::SetCursorPos({from, kTop});
        pressed.back = iconButton(context, "all", Icon::StepBack, *back);
        from += ImGui::GetItemRectSize().x + viz::space::kGap;
    }
    ImGui::SetCursorPos({right, kTop});
    pressed.close = iconButton(context, "close", Icon::Cross, close);
    const ImVec2 at = ImGui::GetWindowPos();
    const std::string cut =
        viz::Canvas({}, context.metrics)
            .cut(title, right - viz::space::kGap - from, {.size = look.size, .bold = true});
    drawText(context, *ImGui::GetWindowDrawList(), {at.x + from, at.y + kTop + kControlHeight / 2}, cut,
             look);
    return pressed;
}

ListRow listRow(PanelContext& context, const char* id, std::span<const ListText> texts, f32 below,
                const Help& help) {
    constexpr f32 kPadding = 8;
    const f32 width = ImGui::GetContentRegionAvail().x, room = width - 2 * kPadding;
    f32 tall = 0;
    for (const ListText& text : texts)
        tall += heightOf(context, text.text, text.look, room);
    const f32 height = tall + below + 2 * kPadding;
    const ImVec2 at = ImGui::GetCursorScreenPos(), from = ImGui::GetCursorPos();
    const bool isPressed = ImGui::InvisibleButton(id, {width, height}, ImGuiButtonFlags_EnableNav);
    helped(context, help);
    const ImVec2 next = ImGui::GetCursorPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, ink(context, RoleKind::Raised),
                       viz::radius::kControl);
    if (ImGui::IsItemHovered())
        list.AddRect(at, {at.x + width, at.y + height}, ink(context, RoleKind::Edge), viz::radius::kControl);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::SetCursorPos({from.x + kPadding, from.y + kPadding});
    ImGui::BeginGroup();
    for (const ListText& text : texts)
        paragraph(context, text.text, text.look, room);
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    ImGui::SetCursorPos(next);
    return {isPressed, {at.x, at.y, width, height}, {at.x + kPadding, at.y + kPadding, room, tall}};
}

}  // namespace lockstep::app
