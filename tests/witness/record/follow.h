// Where a run stands while another one's cursor moves, by what the compare view promises.
#pragma once

#include "viz/compare/comparison.h"
#include "witness/record/facts.h"

namespace lockstep::witness {

// By step: as many instructions later. By phase: between the same barriers, at the access of the same kind
// that comes as often there; else as far into the interval.
u32 followed(const trace::WarpTrace& from, u32 step, const trace::WarpTrace& to, viz::Tie tie);

// Accesses of a run between barriers between which the same warp of the other run makes none of the kind: a
// round that it skips. Of each warp the first and the last.
std::vector<viz::Cursor> skippedBy(const run::Run& other, const run::Run& run, u32 most);

// The loop variable that goes with a barrier interval: "ph = 1". None: the source has no such loop around the
// barrier that ends it, or begins it with something that is not known here.
std::optional<s64> roundOf(const RunFacts& run, const trace::WarpTrace& warp, u32 interval,
                           std::string_view name, const Launch& launch);

}  // namespace lockstep::witness
