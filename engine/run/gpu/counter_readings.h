// The representative figure of counters that were read several times (model::Stands).
#pragma once

#include "base/integers.h"
#include "cuda/worker/messages.h"

#include <map>
#include <string>
#include <vector>

namespace lockstep::run {

// One entry per reading, summed over all launches; ncu's names without .sum.
std::vector<std::map<std::string, f64>> readingsOf(const cuda::Counted& counted);

// metric: as in model::tolerances(), which says what is exact; for others the median. Needs at least one
// reading.
f64 settled(const std::string& metric, const std::vector<f64>& readings);
std::map<std::string, f64> settled(const std::vector<std::map<std::string, f64>>& readings);

}  // namespace lockstep::run
