// Times for opening and drawing the window, for `--timing`.
#pragma once

#include "base/integers.h"

#include <optional>
#include <vector>

namespace lockstep::shell {

// Per frame: CPU time of our own work (state, scenes, draw lists), then wall time of OpenGL and presenting.
// Of the frame as a whole: the wall time, how much of it the thread could have gone on but other threads and
// programs had all processors, and its CPU time.
struct FrameTimes {
    std::vector<f64> ownMs, presentMs;
    std::vector<f64> wholeMs, queuedMs, cpuMs;
};

struct Timing {
    std::optional<f64> firstFrameSeconds;     // since the process began: the window is on screen
    std::optional<f64> firstAnimatedSeconds;  // the run is shown and its first animation is on screen
    FrameTimes frames;                        // while it plays
    FrameTimes besideARun;                    // while a run is under way, other threads busy with it
    std::vector<f64> changeMs;                // from a change of the experiment to its picture on screen
};

// Wall time since this process was started, to a hundredth of a second; dynamic linking counts.
f64 secondsSinceProcessStart();
// CPU time of the calling thread.
f64 threadSeconds();
// Time that the calling thread was ready to run and had no processor; 0 where the system does not tell.
f64 queuedSeconds();

}  // namespace lockstep::shell
