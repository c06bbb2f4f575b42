// A range of steps that somebody chose on the timeline.
#pragma once

#include "base/dim3.h"
#include "base/indices.h"

namespace lockstep {

// Counted in steps of one warp, both ends included; the other warps' share is what they issue meanwhile
// (explain/phases/time_axis.h).
struct StepRange {
    LaunchId launch;
    Dim3 block{0, 0, 0};
    Warp warp;
    u32 first = 0, last = 0;  // from 0; shown to people from 1
    bool operator==(const StepRange&) const = default;
};

}  // namespace lockstep
