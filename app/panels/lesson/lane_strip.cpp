#include "app/panels/lesson/lane_strip.h"

#include "viz/painters/imgui/imgui_painter.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace lockstep::app {
namespace {

constexpr f32 kCellHeight = 24;

void drawCell(PanelContext& context, ImVec2 low, f32 width, s64 number, const StripCell& cell) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
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
    ImGui::InvisibleButton(strip.id, {width * f32(strip.columns), kCellHeight * f32(rows)});
    const bool isHeld = ImGui::IsItemActive(), begins = ImGui::IsItemActivated();
    helped(context, strip.help);
    for (s64 i = 0; i < strip.count; ++i) {
        const s64 row = i / strip.columns, column = i % strip.columns;
        drawCell(context, {at.x + width * f32(column), at.y + kCellHeight * f32(row)}, width, i,
                 strip.cell(i));
    }
    if (!isHeld) return from_.reset(), std::nullopt;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const s64 column = std::clamp(s64((mouse.x - at.x) / width), s64(0), s64(strip.columns) - 1),
              row = std::clamp(s64((mouse.y - at.y) / kCellHeight), s64(0), rows - 1),
              now = std::min(row * strip.columns + column, strip.count - 1);
    if (begins || !from_) {
        from_ = now;
        adds_ = !strip.cell(now).fill;
    }
    return Drag{std::min(*from_, now), std::max(*from_, now), adds_, begins};
}

}  // namespace lockstep::app
