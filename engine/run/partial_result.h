// A run whose picture need not wait for its caches.
#pragma once

#include "run/run.h"

#include <functional>

namespace lockstep::run {

// Hears of a run before its caches are known, where their simulation takes long enough to be waited for: all
// of the run but its `caches` and the counters that come from them. It is told on the thread that runs.
struct EarlyListener {
    std::function<void(const Run& withoutCaches)> run;
    std::function<void(u64 done, u64 total)> caches;  // how far their simulation is
};

// As run(), whose result it has in the end: the same whether anybody listens or not.
Expected<Run> run(Experiment experiment, const Options& options, const EarlyListener& early);

}  // namespace lockstep::run
