#include "app/shell/drawing/solid_rects.h"

#include <glad/gl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace lockstep::shell {
namespace {

constexpr unsigned kIndicesOfARect = 6;

// Two triangles (a, b, c) and (a, c, d) are one rectangle with its sides along the axes, of one opaque color
// and one texel; ImGui's own order of them is asked for.
struct Corners {
    const ImDrawVert *upperLeft, *lowerRight;
};

std::optional<Corners> rectAt(const ImDrawList& list, const ImDrawCmd& command, unsigned at) {
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset + at;
    if (index[0] != index[3] || index[2] != index[4]) return std::nullopt;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawVert &a = vertices[index[0]], &b = vertices[index[1]], &c = vertices[index[2]],
                     &d = vertices[index[5]];
    if ((a.col & IM_COL32_A_MASK) != IM_COL32_A_MASK || a.uv.x != c.uv.x || a.uv.y != c.uv.y)
        return std::nullopt;
    const bool straight = b.pos.x == c.pos.x && b.pos.y == a.pos.y && d.pos.x == a.pos.x &&
                          d.pos.y == c.pos.y && a.pos.x < c.pos.x && a.pos.y < c.pos.y;
    const auto sameAsFirst = [&a](const ImDrawVert& v) {
        return v.col == a.col && v.uv.x == a.uv.x && v.uv.y == a.uv.y;
    };
    if (!straight || !sameAsFirst(b) || !sameAsFirst(c) || !sameAsFirst(d)) return std::nullopt;
    return Corners{&a, &c};
}

// OpenGL moves corners to parts of a pixel before it asks which centers are inside: llvmpipe to 1/256. So
// close to a center, an edge may lie on either side of it.
constexpr f32 kUndecided = 1.0f / 128;

// The pixels whose centers are inside, within the clipping; none if only the renderer can tell.
PixelBox pixelsOf(const Corners& rect, const ImVec4& clip, const ImDrawData& data) {
    const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
    bool isDecided = true;
    const auto edge = [&](f32 at, f32 from, f32 pixels) {
        const f32 place = std::clamp((at - from) * pixels, -1e6f, 1e6f) - 0.5f;
        isDecided &= std::abs(place - std::round(place)) > kUndecided;
        return int(std::ceil(place));
    };
    const ImVec2 from = rect.upperLeft->pos, to = rect.lowerRight->pos;
    const PixelBox covered{edge(from.x, origin.x, scale.x), edge(from.y, origin.y, scale.y),
                           edge(to.x, origin.x, scale.x), edge(to.y, origin.y, scale.y)};
    return isDecided ? both(scissorOf(clip, data), covered) : PixelBox{};
}

ImDrawCmd part(const ImDrawCmd& command, unsigned begin, unsigned end) {
    ImDrawCmd part = command;
    part.IdxOffset += begin;
    part.ElemCount = end - begin;
    return part;
}

void takeFrom(ImDrawList& list, const ImDrawData& data, s64 leastPixels) {
    ImVector<ImDrawCmd> commands;
    for (const ImDrawCmd& command : list.CmdBuffer) {
        unsigned begin = 0;
        for (unsigned at = 0; !command.UserCallback && at + kIndicesOfARect <= command.ElemCount;) {
            const std::optional<Corners> rect = rectAt(list, command, at);
            const PixelBox pixels = rect ? pixelsOf(*rect, command.ClipRect, data) : PixelBox{};
            if (!rect || pixels.count() < leastPixels) {
                at += 3;
                continue;
            }
            if (at > begin) commands.push_back(part(command, begin, at));
            commands.push_back(solidRect(pixels, rect->upperLeft->col));
            begin = at += kIndicesOfARect;
        }
        if (begin == 0)
            commands.push_back(command);
        else if (begin < command.ElemCount)
            commands.push_back(part(command, begin, command.ElemCount));
    }
    list.CmdBuffer.swap(commands);
}

void clear(const ImDrawList*, const ImDrawCmd* command) {
    const PixelBox box = solidBox(*command);
    const ImU32 color = solidColor(*command);
    const auto channel = [color](int shift) { return f32(color >> shift & 0xff) / 255; };
    glScissor(box.left, wholeFrame(*ImGui::GetDrawData()).bottom - box.bottom, box.right - box.left,
              box.bottom - box.top);
    glClearColor(channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void takeSolidRects(ImDrawData& data, s64 leastPixels) {
    for (ImDrawList* list : data.CmdLists)
        takeFrom(*list, data, leastPixels);
}

ImDrawCmd solidRect(const PixelBox& box, ImU32 color) {
    ImDrawCmd command;
    command.ClipRect = {f32(box.left), f32(box.top), f32(box.right), f32(box.bottom)};
    command.UserCallback = clear;
    command.UserCallbackData = std::bit_cast<void*>(std::uintptr_t{color});
    return command;
}

PixelBox solidBox(const ImDrawCmd& command) {
    return {int(command.ClipRect.x), int(command.ClipRect.y), int(command.ClipRect.z),
            int(command.ClipRect.w)};
}

ImU32 solidColor(const ImDrawCmd& command) {
    return ImU32(std::bit_cast<std::uintptr_t>(command.UserCallbackData));
}

}  // namespace lockstep::shell
