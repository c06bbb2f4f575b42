// A range of steps as the frames of an animation.
#pragma once

#include "base/integers.h"

#include <functional>
#include <vector>

namespace lockstep::viz {

struct AnimationFrame {
    u32 step = 0;    // of the cursor's warp, from 0
    f32 motion = 1;  // ViewInput::motion
    u32 milliseconds = 0;
};

struct AnimationOptions {
    u32 first = 0, last = 0;  // steps, from 0; both are shown
    f64 stepsPerSecond = 2;
    bool reducedMotion = false;  // states switch, nothing travels
};

// What is between two steps is shown 25 times a second, where the picture of that step moves; the last step
// is held a second longer.
std::vector<AnimationFrame> animationOf(const AnimationOptions& options,
                                        const std::function<bool(u32 step)>& moves);

}  // namespace lockstep::viz
