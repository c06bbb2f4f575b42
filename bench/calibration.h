// Calibration loop, so that figures of different machines can be compared: ten million multiply-adds on
// floats of an array that stays in the L1 cache, on one thread.
#pragma once

#include "base/integers.h"

namespace lockstep::bench {

// Seconds of the fastest of many runs, measured once per process.
f64 calibrationSeconds();

}  // namespace lockstep::bench
