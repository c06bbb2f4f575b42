// A scene, larger or smaller: all of it, letters and strokes included.
#pragma once

#include "viz/scene/scene.h"

namespace lockstep::viz {

Scene scaled(Scene scene, f32 by);

}  // namespace lockstep::viz
