// What the model counts over a trace of the whole grid: the kernel's accesses as the trace has them, with the
// lanes together that went together there.
#pragma once

#include "run/run.h"

#include <map>
#include <string>

namespace lockstep::run {

// Of requests, sectors and wavefronts of l1tex, by metric; of nothing that depends on the order of accesses.
// `run` is of the same launches; `whole` has every block of them, from beginning to end.
std::map<std::string, u64> groupedCounters(const Run& run, const trace::Trace& whole);

}  // namespace lockstep::run
