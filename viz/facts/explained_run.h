// What engine/explain finds in a module and its launches, asked of a run.
#pragma once

#include "explain/arrays/shared_arrays.h"
#include "explain/phases/phases.h"
#include "run/run.h"
#include "viz/cursor/lookup.h"

#include <vector>

namespace lockstep::viz {

using explain::arrayShapes, explain::sharedArrays, explain::elementLayout;

// A product of the catalog is known as one, and need not be proved.
inline explain::BandFacts bandFactsOf(const run::Run& run, const Cursor& cursor,
                                      const explain::LazyFlow& flow) {
    const bool isProduct = run.catalog && run.catalog->family && run.catalog->family->stage == "matmul";
    return isProduct ? explain::BandFacts{.multipliesTiles = true, .isCut = !run.recording.complete}
                     : explain::bandFactsOf(run, cursor, flow);
}
inline std::vector<explain::Band> bandsOf(const run::Run& run, const trace::FocusBlock& block, Warp warp,
                                          const explain::BandFacts& facts, Language language) {
    return explain::bandsOf(*run.module, launchOf(run, block.launch), block, warp, facts, language);
}

}  // namespace lockstep::viz
