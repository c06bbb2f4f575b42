// Counters of a job that were read several times: which figure stands for them (model::Stands).
#pragma once

#include "base/integers.h"
#include "cuda/worker/messages.h"

#include <map>
#include <string>
#include <vector>

namespace lockstep::run {

// A reading each, all launches added up; ncu's names without .sum.
std::vector<std::map<std::string, f64>> readingsOf(const cuda::Counted& counted);

// metric: as in model::tolerances(), which says what is exact; of others the median. There is at least one
// reading.
f64 settled(const std::string& metric, const std::vector<f64>& readings);
std::map<std::string, f64> settled(const std::vector<std::map<std::string, f64>>& readings);

}  // namespace lockstep::run
