// Replaces large rectangles of one opaque color in ImGui's triangles by clears. Most pixels of the window are
// panel backgrounds; a clear samples no texture and blends nothing, and software OpenGL discards what is
// under it. The picture is identical to the pixel.
#pragma once

#include "app/shell/drawing/frame_pixels.h"

namespace lockstep::shell {

// Splits the lists' commands around the rectangles of at least so many pixels, which become commands of their
// own: solidRect.
void takeSolidRects(ImDrawData& data, s64 leastPixels);

// A command whose callback clears the box; requires a current OpenGL context with the scissor test on, as
// ImGui's renderer leaves it.
ImDrawCmd solidRect(const PixelBox& box, ImU32 color);
PixelBox solidBox(const ImDrawCmd& command);
ImU32 solidColor(const ImDrawCmd& command);

}  // namespace lockstep::shell
