// The least time that each resource of the device needs for a run, as bars, the measured time above them.
// Bounds, not predictions.
#pragma once

#include "model/occupancy/bounds.h"
#include "viz/scene/canvas.h"

#include <optional>
#include <string>

namespace lockstep::viz {

// What is drawn: bounds, the measured time above them where there is one, and of which size the run is where
// that must be said.
struct BoundsPicture {
    const model::Bounds& bounds;
    std::optional<f64> measuredMs;
    std::string size;  // "width 1000, tile 16"; empty: nothing else on the page is of another size
};
// How high it wants to be at this width.
f32 boundsHeight(const Canvas& canvas, f32 width, const BoundsPicture& picture, Language language);
// Returns the height used; 0 where not even one bar fits.
f32 drawBounds(Canvas& canvas, const Rect& area, const BoundsPicture& picture, Language language);

}  // namespace lockstep::viz
