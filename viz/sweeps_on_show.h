// What was swept in this session, and the sweep that is under way, for the view that charts it.
#pragma once

#include "run/sweep/sweep.h"

#include <vector>

namespace lockstep::viz {

struct SweepsOnShow {
    std::vector<run::Sweep> sweeps;  // one for each parameter, and what all its points have in common
    bool isUnderWay = false;
    u64 done = 0, total = 0;  // points of the one under way

    // The one of the same parameter and settings; null: none.
    const run::Sweep* find(const run::Sweep& like) const;
    // Adds points, beside those of the same parameter and settings.
    void add(const run::Sweep& points);
};

}  // namespace lockstep::viz
