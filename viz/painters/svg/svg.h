// A scene as SVG text: the same scene and theme give the same bytes on every machine.
#pragma once

#include "viz/scene/scene.h"
#include "viz/scene/theme.h"

#include <string>
#include <string_view>

namespace lockstep::viz {

// Fonts are named, not embedded; hits become <title> tooltips.
// description: said in the file; of our pictures the command that shows the same. Empty: nothing.
std::string toSvg(const Scene& scene, const Theme& theme, std::string_view description = {});

}  // namespace lockstep::viz
