// Below a stage, of a warp whose lanes exchange values or meet at addresses: how they do, at the cursor's
// step or at the nearest one where they do (parts/exchange_strip.h, parts/queue_strip.h).
#pragma once

#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

struct StepStrip {
    static constexpr f32 kHeight = 118;

    // Whether the cursor's warp has such steps.
    static bool isOf(const ViewInput& in);
    static void draw(const ViewInput& in, Canvas& canvas, const Rect& area);
};

}  // namespace lockstep::viz
