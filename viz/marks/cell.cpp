// Draws cells.
#include "viz/marks/cell.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr f32 kMinimumSize = 9;  // below this, digits are noise

}  // namespace

f32 valueSize(f32 height) {
    return std::min(std::clamp(height * 0.27f, type::kTitle, type::kName), height * 0.6f);
}

f32 fittingSize(const Canvas& canvas, const std::string& text, f32 width, TextStyle style, f32 most) {
    style.size = 1;
    const f32 units = canvas.width(text, style);
    const f32 size = units > 0 ? std::min(most, std::floor(width / units)) : most;
    return size < kMinimumSize ? 0 : size;
}

void valueCell(Canvas& canvas, const Rect& cell, Role fill, const std::string& text, bool bold) {
    const f32 gap = cell.width > 12 ? 1 : cell.width > 5 ? 0.5f : 0;
    canvas.rect(cell.inset(gap), {.fill = fill,
                                  .radius = cell.width > 20  ? radius::kCell
                                            : cell.width > 8 ? 1.0f
                                                             : 0.0f});
    if (text.empty() || cell.height < 13) return;
    TextStyle style{.bold = bold, .mono = true, .align = Align::Centre};
    style.size = fittingSize(canvas, text, cell.width - 6, style, valueSize(cell.height));
    if (style.size == 0) return;
    style.role = fill.kind == RoleKind::Raised ? role(RoleKind::TextSecond) : inkOn(fill);
    canvas.text(cell.centre(), text, style);
}

void ghostCell(Canvas& canvas, const Rect& cell, bool used) {
    const f32 pitch = cell.width > 24 ? 8.0f : 5.0f;
    canvas.rect(cell.inset(1), {.stroke = {role(RoleKind::Ghost, used ? 1 : 0.35f)},
                                .radius = cell.width > 20 ? radius::kCell : 1.0f,
                                .hatch = role(RoleKind::Ghost, used ? kGhostUsed : kGhostIdle),
                                .hatchPitch = pitch});
}

void textOnGround(Canvas& canvas, Point centre, const std::string& text, const TextStyle& style) {
    const f32 width = canvas.width(text, style) + 5, height = style.size + 4;
    canvas.rect({centre.x - width / 2, centre.y - height / 2, width, height},
                {.fill = role(RoleKind::Ground), .radius = radius::kCell});
    TextStyle centred = style;
    centred.align = Align::Centre;
    canvas.text(centre, text, centred);
}

}  // namespace lockstep::viz
