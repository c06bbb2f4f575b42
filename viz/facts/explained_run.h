// What engine/explain finds in a module and its launches, asked of a run.
#pragma once

#include "explain/arrays/shared_arrays.h"
#include "explain/phases/phases.h"
#include "run/run.h"
#include "viz/cursor/lookup.h"

#include <vector>

namespace lockstep::viz {

inline std::vector<explain::SharedArray> sharedArrays(const run::Run& run, LaunchId launch) {
    return explain::sharedArrays(*run.module, launchOf(run, launch));
}
inline u32 vectorBytes(const run::Run& run, LaunchId launch, u32 buffer) {
    return explain::vectorBytes(*run.module, launchOf(run, launch), run.recording.initial, buffer);
}
inline std::vector<explain::ArrayShape> arrayShapes(const run::Run& run, LaunchId launch) {
    return explain::arrayShapes(*run.module, launchOf(run, launch), run.recording.initial);
}
inline std::vector<explain::Band> bandsOf(const run::Run& run, const trace::FocusBlock& block, Warp warp,
                                          Language language) {
    const bool multipliesTiles = run.catalog && run.catalog->family && run.catalog->family->stage == "matmul";
    return explain::bandsOf(*run.module, launchOf(run, block.launch), block, warp, multipliesTiles, language);
}

}  // namespace lockstep::viz
