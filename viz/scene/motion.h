// How long things take that move: the same in the window and in animations.
#pragma once

#include "base/integers.h"

#include <algorithm>

namespace lockstep::viz {

// Seconds of the motion into a step, playing at this speed: the greater part of a step's time, but no longer
// than the eye wants it; in slow motion, below a step a second, slower by as much. 0: states only switch,
// because nobody could follow.
constexpr f64 motionSeconds(f64 stepsPerSecond, bool reduced) {
    constexpr f64 kUsual = 0.32, kShareOfStep = 0.6, kFastestThatTravels = 8;
    if (reduced || stepsPerSecond > kFastestThatTravels) return 0;
    if (stepsPerSecond < 1) return kUsual / stepsPerSecond;
    return std::min(kUsual, kShareOfStep / stepsPerSecond);
}

}  // namespace lockstep::viz
