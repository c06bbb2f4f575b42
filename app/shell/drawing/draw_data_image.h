// Rasterizes ImGui's draw data without a display: the picture of the whole window for `shot` and for tests.
#pragma once

#include "viz/painters/raster/image.h"

struct ImDrawData;

namespace lockstep::shell {

// Handles texture requests like a renderer: its textures are ImGui's own pixels. Call before drawing.
void serveTextures(ImDrawData& data);

viz::Image drawDataImage(const ImDrawData& data, viz::Color ground);

}  // namespace lockstep::shell
