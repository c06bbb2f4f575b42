// The bands of the timeline: what a warp does between its barriers, named by what it touches; where it
// touches nothing, by what another warp of its block does.
#pragma once

#include "base/text/language.h"
#include "explain/lazy_flow.h"
#include "explain/sums/interval_rounds.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::explain {

struct Band {
    u32 first = 0, end = 0;            // steps [first, end)
    std::string name;                  // "barrier interval 0, ph = 0: load tile 1"
    std::vector<std::string> shorter;  // "0, ph = 0: load tile 1", "0: load tile 1", "0: load", "load", "0":
                                       // in place of the name where it has no room; may be empty
    bool isSetUp = false;              // the beginning of interval 0, before anything is accessed
};
// What is known of a block's computation, by which its bands are called.
struct BandFacts {
    bool multipliesTiles = false;  // it multiplies matrices tile by tile
    RoundsByInterval rounds{};     // of its sums
    bool isCut = false;            // the run is known up to a step only: what follows is not denied
};
// Of the cursor's block, by what shape its computation has; flow: of that block.
BandFacts bandFactsOf(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);
BandFacts bandFactsOf(const Recorded& run, const Cursor& cursor);
std::vector<Band> bandsOf(const ptx::Module& module, const Launch& launch, const trace::FocusBlock& block,
                          Warp warp, const BandFacts& facts, Language language);

// The steps before a warp's first access, address arithmetic, which have a band of their own; 0: too few for
// that, or no barriers.
u32 stepsOfSetUp(const trace::WarpTrace& warp);

// The steps [first, end) of a warp in a barrier interval, with the barrier that ends it; none where it has no
// such interval.
struct IntervalSteps {
    u32 first = 0, end = 0;
};
IntervalSteps stepsOfInterval(const trace::WarpTrace& warp, u32 interval);

// The shortest of its names that still says what is done there.
std::string shortestInWords(const Band& band);

// Interval 0 in one, where its set-up or the rest of it has no room for a name of its own.
std::vector<Band> withoutNarrowSetUp(std::vector<Band> bands,
                                     const std::function<bool(const Band&)>& hasRoom);

}  // namespace lockstep::explain
