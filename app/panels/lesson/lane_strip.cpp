#include "app/panels/lesson/lane_strip.h"

#include "viz/painters/imgui/imgui_painter.h"

#include <imgui.h>
#include <imgui_internal.h>  // what has the focus, and who takes a key

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::app {
namespace {

constexpr f32 kCellHeight = 24;

void drawCell(PanelContext& context, ImDrawList& list, ImVec2 low, f32 width, s64 number,
              const StripCell& cell) {
    const ImVec2 high{low.x + width - 2, low.y + kCellHeight - 2};
    const std::string text = std::to_string(number);
    TextLook look{.size = viz::type::kAxis, .role = viz::RoleKind::TextSecond};
    const viz::Point at{low.x + (width - 2 - widthOf(context, text, look)) / 2, (low.y + high.y) / 2};
    if (cell.fill) {
        list.AddRectFilled(low, high, viz::packed(viz::colorOf(*cell.fill, context.theme)),
                           viz::radius::kCell);
        look.role = viz::RoleKind::Ground;
        const u32 color = viz::packed(viz::colorOf(viz::inkOn(*cell.fill), context.theme));
        drawTextIn(context, color, list, at, text, look);
        return;
    }
    if (!cell.isOff)
        list.AddRectFilled(low, high, ink(context, viz::RoleKind::Raised), viz::radius::kCell);
    else
        look.role = viz::RoleKind::TextThird;
    list.AddRect(low, high, ink(context, cell.isOff ? viz::RoleKind::Line : viz::RoleKind::Edge),
                 viz::radius::kCell);
    drawText(context, list, at, text, look);
}

}  // namespace

std::optional<CellStrip::Drag> CellStrip::draw(PanelContext& context, const Strip& strip) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const f32 width = std::floor(std::min(34.0f, ImGui::GetContentRegionAvail().x / f32(strip.columns)));
    const s64 rows = (strip.count + strip.columns - 1) / strip.columns;
    const f32 height = kCellHeight * f32(rows);
    ImGui::InvisibleButton(strip.id, {width * f32(strip.columns), height}, ImGuiButtonFlags_EnableNav);
    const bool isHeld = ImGui::IsItemActive(), begins = ImGui::IsItemActivated();
    helped(context, strip.help);
    for (s64 i = 0; i < strip.count; ++i) {
        const s64 row = i / strip.columns, column = i % strip.columns;
        drawCell(context, *ImGui::GetWindowDrawList(),
                 {at.x + width * f32(column), at.y + kCellHeight * f32(row)}, width, i, strip.cell(i));
    }
    const std::optional<Drag> keyed =
        byKeys(context, strip, {at.x, at.y, width * f32(strip.columns), height}, width);
    if (keyed || !isHeld || ImGui::GetCurrentContext()->ActiveIdSource != ImGuiInputSource_Mouse)
        return from_.reset(), keyed;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const s64 column = std::clamp(s64((mouse.x - at.x) / width), s64(0), s64(strip.columns) - 1),
              row = std::clamp(s64((mouse.y - at.y) / kCellHeight), s64(0), rows - 1),
              now = std::min(row * strip.columns + column, strip.count - 1);
    if (begins || !from_) {
        from_ = to_ = now;
        adds_ = !strip.cell(now).fill;
    }
    // A hand that paints may stray a little.
    constexpr f32 kStray = kCellHeight / 3;
    const bool isAway = mouse.y < at.y - kStray || mouse.y > at.y + height + kStray;
    if (!isAway) to_ = now;
    marked_ = to_;
    return Drag{.first = std::min(*from_, to_),
                .last = std::max(*from_, to_),
                .pressed = *from_,
                .in = adds_,
                .begins = begins,
                .isAway = isAway};
}

std::optional<CellStrip::Drag> CellStrip::byKeys(PanelContext& context, const Strip& strip, viz::Rect at,
                                                 f32 width) {
    const ImGuiID id = ImGui::GetItemID();
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    if (imgui.NavId != id || !imgui.NavCursorVisible || strip.count == 0) return std::nullopt;
    const std::pair<ImGuiKey, s64> moves[]{{ImGuiKey_LeftArrow, -1},
                                           {ImGuiKey_RightArrow, 1},
                                           {ImGuiKey_UpArrow, -s64(strip.columns)},
                                           {ImGuiKey_DownArrow, s64(strip.columns)}};
    marked_ = std::clamp(marked_, s64(0), strip.count - 1);
    for (const auto& [key, by] : moves) {
        ImGui::SetKeyOwner(key, id);  // which would leave the strip
        const s64 to = marked_ + by;
        if (ImGui::IsKeyPressed(key, ImGuiInputFlags_Repeat, id) && to >= 0 && to < strip.count) marked_ = to;
    }
    const s64 row = marked_ / strip.columns;
    const ImVec2 low{at.x + width * f32(marked_ % strip.columns), at.y + kCellHeight * f32(row)};
    ImGui::GetWindowDrawList()->AddRect(low, {low.x + width - 2, low.y + kCellHeight - 2},
                                        ink(context, viz::RoleKind::Cursor), viz::radius::kCell, 2.0f);
    if (!ImGui::IsItemActivated() || imgui.ActiveIdSource == ImGuiInputSource_Mouse) return std::nullopt;
    return Drag{.first = marked_,
                .last = marked_,
                .pressed = marked_,
                .in = !strip.cell(marked_).fill,
                .begins = true};
}

void CellStrip::drawInHand(PanelContext& context, s64 number, const StripCell& cell) {
    constexpr f32 kWide = 30, kBeside = 10;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    drawCell(context, *ImGui::GetForegroundDrawList(), {mouse.x + kBeside, mouse.y + kBeside}, kWide, number,
             cell);
}

}  // namespace lockstep::app
