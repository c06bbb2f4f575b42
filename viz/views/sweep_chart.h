// A sweep as a chart: which series, their names, and what is said of each point.
#pragma once

#include "run/sweep/sweep.h"
#include "viz/parts/chart.h"
#include "viz/view.h"

#include <optional>
#include <string>

namespace lockstep::viz {

// What of a sweep to show, and how.
struct SweepLook {
    const run::SweepMetric* metric = nullptr;  // null: run::defaultMetric
    AxisScaling x = AxisScaling::Auto, y = AxisScaling::Auto;
    // The point of the run on show; null: there is none.
    const catalog::Experiment* current = nullptr;
};

// One series for each of the sweep's that has the metric. Of times, also the CPU's loop, and, where there is
// only one variant, the first launch and the kernel with its transfers.
Chart chartOf(const run::Sweep& sweep, const SweepLook& look, Language language);

// "16.9 ms", "1,073,741,824", "4.00", "87.5%": as a point's title has it.
std::string metricText(const run::SweepMetric& metric, f64 value);
// "time of the kernel", "bandwidth (GB/s)"
std::string metricTitle(const run::SweepMetric& metric, Language language);
// What the chart says as a whole, and where its modeled points have no time, of the current variant or the
// first one: its figures at both ends.
std::string sweepSentence(const run::Sweep& sweep, const SweepLook& look, Language language);

// The parameter that the chart of a run of the catalog has across: the chosen one of its variant
// (ChartOptions::parameter), else the one over which most is recorded; null: it has none.
const catalog::Parameter* chartedParameter(const run::Run& run,
                                           std::span<const run::RecordedMachine> machines, u8 chosen);

// The whole picture, as `lockstep sweep` writes it. Of `in` only what does not depend on a run is used.
Scene sweepScene(const ViewInput& in, const run::Sweep& sweep, const SweepLook& look);

}  // namespace lockstep::viz
