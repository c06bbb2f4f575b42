// The model's counts over a trace of the whole grid: the kernel's accesses with the trace's own lane groups.
#pragma once

#include "run/run.h"

#include <map>
#include <string>

namespace lockstep::run {

// Requests, sectors and wavefronts of l1tex, by metric; nothing that depends on access order. `run` is of the
// same launches; `whole` has every block of them, complete.
std::map<std::string, u64> groupedCounters(const Run& run, const trace::Trace& whole);

}  // namespace lockstep::run
