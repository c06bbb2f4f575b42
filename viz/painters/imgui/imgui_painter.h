// A scene as an ImGui draw list: the third painter, beside SVG and raster.
#pragma once

#include "viz/painters/imgui/imgui_fonts.h"
#include "viz/scene/scene.h"
#include "viz/scene/theme.h"

struct ImDrawList;

namespace lockstep::viz {

// Draws with the scene's top left corner at `origin`, cut to the scene's size, everything `scale` times as
// large.
void paint(const Scene& scene, const Theme& theme, const ImGuiFonts& fonts, ImDrawList& list, Point origin,
           f32 scale = 1);

u32 packed(Color color);  // as ImGui packs colors

}  // namespace lockstep::viz
