// The least time that each resource of the device needs for a run, as bars, the measured time above them. Bounds, not predictions.
#pragma once

#include <optional>

#include "model/bounds.h"
#include "viz/canvas.h"

namespace lockstep::viz {

// How high it wants to be.
f32 boundsHeight(const model::Bounds& bounds);
// Returns the height used; 0 where not even one bar fits.
f32 drawBounds(Canvas& canvas, const Rect& area, const model::Bounds& bounds, std::optional<f64> measuredMs, Language language);

}  // namespace lockstep::viz
