// Shows a run before its cache simulation is finished.
#pragma once

#include "run/run.h"

#include <functional>

namespace lockstep::run {

// Called with a run before its caches are known, if their simulation takes noticeable time: the run without
// its `caches` and the counters derived from them. Called on the thread that runs.
struct EarlyListener {
    std::function<void(const Run& withoutCaches)> run;
    std::function<void(u64 done, u64 total)> caches;  // progress of their simulation
};

// Same result as run(), with or without a listener.
Expected<Run> run(Experiment experiment, const Options& options, const EarlyListener& early);

}  // namespace lockstep::run
