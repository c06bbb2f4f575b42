// A scene as SVG text: the same scene and theme give the same bytes on every machine.
#pragma once

#include <string>

#include "viz/scene.h"
#include "viz/theme.h"

namespace lockstep::viz {

// Fonts are named, not embedded; hits become <title> tooltips.
std::string toSvg(const Scene& scene, const Theme& theme);

}  // namespace lockstep::viz
