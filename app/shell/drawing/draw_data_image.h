// ImGui's draw data as pixels, without a display: the picture of the whole window for `shot` and for tests.
#pragma once

#include "viz/painters/raster/image.h"

struct ImDrawData;

namespace lockstep::shell {

// Answers the textures' requests as a renderer would: its textures are the pixels that ImGui keeps. Call it
// before drawing.
void serveTextures(ImDrawData& data);

viz::Image drawDataImage(const ImDrawData& data, viz::Color ground);

}  // namespace lockstep::shell
