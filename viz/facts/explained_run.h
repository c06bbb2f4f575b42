// What engine/explain finds in a module and its launches, asked of a run.
#pragma once

#include "explain/arrays/shared_arrays.h"
#include "explain/phases/phases.h"
#include "run/run.h"
#include "viz/cursor/lookup.h"

#include <vector>

namespace lockstep::viz {

using explain::arrayShapes, explain::sharedArrays, explain::vectorBytes;

inline std::vector<explain::Band> bandsOf(const run::Run& run, const trace::FocusBlock& block, Warp warp,
                                          Language language) {
    const bool multipliesTiles = run.catalog && run.catalog->family && run.catalog->family->stage == "matmul";
    return explain::bandsOf(*run.module, launchOf(run, block.launch), block, warp, multipliesTiles, language);
}

}  // namespace lockstep::viz
