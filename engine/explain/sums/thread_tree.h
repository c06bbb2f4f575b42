// The tree by which a block's threads put their values together, wherever they keep them: each thread first
// for itself, element by element, then round by round with what others have. Values may be handed on by
// shuffles, through shared memory, or both; the flow of values tells (explain/block_flow.h), for sums,
// products, minima, maxima and bits alike.
#pragma once

#include "explain/sums/reduction_facts.h"

namespace lockstep::explain {

// By thread: places are warp * 32 + lane, a round is what is as far behind the threads' own values. None: no
// thread adds what another has computed to its own, for a result that the block leaves in a buffer.
std::optional<ReductionFacts> threadTree(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);

// What a stage of rounds draws: the shared array's rounds where all of them are made there, else the
// threads'. With what threads put together before.
std::optional<ReductionFacts> treeFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);

}  // namespace lockstep::explain
