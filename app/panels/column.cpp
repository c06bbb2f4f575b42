#include "app/panels/column.h"

#include "viz/scene/tokens.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace lockstep::app {
namespace {

f32 before(const ColumnPart& part, f32 gap) { return part.isClose ? gap - viz::space::kGrid : gap; }

}  // namespace

f32 heightOf(std::span<const ColumnPart> parts, f32 gap) {
    f32 height = 0;
    for (const ColumnPart& part : parts)
        height += part.height + (&part == parts.data() ? 0 : before(part, gap));
    return height;
}

f32 gapWithin(std::span<const ColumnPart> parts, f32 room) {
    const f32 gaps = std::max(1.0f, f32(parts.size()) - 1);
    return std::floor((room - heightOf(parts, 0)) / gaps);
}

void drawParts(std::span<const ColumnPart> parts, f32 gap) {
    ImVec2 at = ImGui::GetCursorPos();
    for (const ColumnPart& part : parts) {
        if (&part != parts.data()) at.y += before(part, gap);
        ImGui::SetCursorPos(at);
        part.draw();
        at.y += part.height;
    }
}

}  // namespace lockstep::app
