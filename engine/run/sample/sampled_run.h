// A run of a sample: which of an experiment's blocks, and what their counts say about the whole grids.
#pragma once

#include "run/run.h"
#include "run/sample/block_likeness.h"

#include <span>
#include <vector>

namespace lockstep::run {

struct SamplePlan {
    std::vector<std::vector<trace::SampleBox>> boxes;  // per launch; none: all blocks are run
    std::vector<std::vector<Likeness>> likeness;  // of each box; none: nothing is to be proved of the others
};

// Which blocks to run: all if all launches have few enough. Fault: the launches depend on each other so that
// some blocks alone would do something else.
Expected<SamplePlan> planSample(const Experiment& experiment, const Options& options);
// Those of `focus`, empty: those in focus otherwise, and more up to as many as the options say; without what
// a proof about the others takes: of a large kernel, longer than running them.
Expected<SamplePlan> planWithoutProof(const Experiment& experiment, const Options& options,
                                      std::span<const Dim3> focus);

// What ran, and the counts of the whole grids if all blocks are proved to do what these did. Without a proof:
// that more is under way.
trace::Sample sampleOf(const Experiment& experiment, const SamplePlan& plan, const simt::Result& result);

}  // namespace lockstep::run
