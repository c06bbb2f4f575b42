// Large rectangles of one opaque color, taken out of ImGui's triangles and cleared instead. Most pixels of
// the window are grounds of panels; a clear samples no texture and blends nothing, and OpenGL in software
// forgets what lies under it. The picture stays the same to the pixel.
#pragma once

#include "app/shell/drawing/frame_pixels.h"

namespace lockstep::shell {

// Splits the lists' commands around the rectangles of at least so many pixels, which become commands of their
// own: solidRect.
void takeSolidRects(ImDrawData& data, s64 leastPixels);

// A command whose callback clears the box; wants a current OpenGL context with its scissor test on, as
// ImGui's renderer leaves it.
ImDrawCmd solidRect(const PixelBox& box, ImU32 color);
PixelBox solidBox(const ImDrawCmd& command);
ImU32 solidColor(const ImDrawCmd& command);

}  // namespace lockstep::shell
