// Pixels of the frame, as ImGui's OpenGL renderer rounds to them.
#pragma once

#include "base/integers.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace lockstep::shell {

// Counted from the frame's upper left corner; right and bottom not included.
struct PixelBox {
    int left, top, right, bottom;

    bool isEmpty() const { return left >= right || top >= bottom; }
    s64 count() const { return isEmpty() ? 0 : s64{right - left} * s64{bottom - top}; }
    bool operator==(const PixelBox&) const = default;
};

inline PixelBox both(const PixelBox& a, const PixelBox& b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
            std::min(a.bottom, b.bottom)};
}

inline PixelBox wholeFrame(const ImDrawData& data) {
    return {0, 0, int(data.DisplaySize.x * data.FramebufferScale.x),
            int(data.DisplaySize.y * data.FramebufferScale.y)};
}

// The size in ImGui's units, a whole number, of so many pixels at about this scale, and the scale that makes
// it exactly these: the renderer stretches the units over the pixels, whatever the scale says.
struct FrameSize {
    f32 units, scale;
};
inline FrameSize frameSize(f32 pixels, f32 scale) {
    const f32 units = std::max(1.0f, std::round(pixels / scale));
    f32 exact = pixels / units;
    while (units * exact < pixels)
        exact = std::nextafter(exact, 2 * exact);
    return {units, exact};
}

// The renderer's scissor for a clipping rectangle: it rounds the lower left corner and the size.
inline PixelBox scissorOf(const ImVec4& clip, const ImDrawData& data) {
    const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
    const f32 left = (clip.x - origin.x) * scale.x, top = (clip.y - origin.y) * scale.y,
              right = (clip.z - origin.x) * scale.x, bottom = (clip.w - origin.y) * scale.y;
    if (!(left < right && top < bottom)) return {};
    const PixelBox frame = wholeFrame(data);
    const int x = int(left), end = frame.bottom - int(f32(frame.bottom) - bottom);
    return both(frame, {x, end - int(bottom - top), x + int(right - left), end});
}

// A clipping rectangle whose scissor is exactly this box at any scale: the corners are a quarter or half of a
// pixel off the edges that they are rounded to.
inline ImVec4 clipOf(const PixelBox& box, const ImDrawData& data) {
    const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
    return {(f32(box.left) + 0.25f) / scale.x + origin.x, (f32(box.top) - 0.5f) / scale.y + origin.y,
            (f32(box.right) + 0.5f) / scale.x + origin.x, (f32(box.bottom) - 0.25f) / scale.y + origin.y};
}

}  // namespace lockstep::shell
