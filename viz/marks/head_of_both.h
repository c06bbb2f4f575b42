// The head of a comparison.
#pragma once

#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <string_view>

namespace lockstep::viz {

// As head() (frame.h); what both runs have in common, with which `caption` begins, takes the kernel's place.
Rect headOfBoth(Canvas& canvas, const ViewInput& in, std::string_view title, std::string_view common,
                std::string_view caption);

}  // namespace lockstep::viz
