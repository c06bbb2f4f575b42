// What the chosen steps of the timeline come to, in words.
#pragma once

#include "base/text/text.h"
#include "explain/phases/step_sums.h"
#include "explain/phases/time_axis.h"

#include <string>

namespace lockstep::viz {

struct RangeTexts {
    explain::StepSummer& summer;
    const explain::TimeAxis& axis;
    StepRange range;
    Language language;

    // "Steps 5–20, 4 warps: 64 instructions, 93% of the lanes on, 12 global sectors, 8 shared wavefronts";
    // counted in steps of this warp, or where it only waits of the range's own.
    std::string ofAll(Warp shown) const;
    // "warp 1: 16 instructions, 100% of the lanes on, ..."
    std::string ofWarp(Warp warp) const;
    // All of it, a line a warp as far as a tooltip goes.
    std::string table(Warp shown) const;
};

}  // namespace lockstep::viz
