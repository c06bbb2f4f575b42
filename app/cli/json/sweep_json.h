// A sweep as JSON and as CSV.
#pragma once

#include "app/cli/json/json.h"
#include "run/sweep/sweep.h"

namespace lockstep::cli {

// `metric`: the one that a chart shows.
Json sweepJson(const run::Sweep& sweep, const run::SweepMetric& metric);
// One row for each point, in the order of the JSON, after a row of names; the columns of metrics are those
// that a point has.
std::string sweepCsv(const run::Sweep& sweep);

}  // namespace lockstep::cli
