// A yardstick of the machine, so that figures of different machines can be compared: ten million floats of an
// array that stays in the first-level cache are multiplied and added to, on one thread.
#pragma once

#include "base/integers.h"

namespace lockstep::bench {

// Seconds of the fastest of many runs, measured once a process.
f64 calibrationSeconds();

}  // namespace lockstep::bench
