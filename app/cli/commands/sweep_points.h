// The points of a sweep, one at a time: runs them, and asks the cycle model for their times.
#pragma once

#include "app/cli/options/view_options.h"
#include "run/sweep/sweep.h"
#include "viz/sweeps_on_show.h"

#include <span>
#include <string>

namespace lockstep::cli {

// "matmul/tiled tile=8 width=64"
std::string pointName(const run::SweepPlan& plan, const run::SweepTask& task);
// "3 of 60: matmul/tiled width=64"
std::string pointOf(std::size_t number, std::size_t all, const run::SweepPlan& plan,
                    const run::SweepTask& task, Language language);

// Runs a point whose parameters have these values. `of`: the progress line. Fault: also that it did not run
// to its end.
Expected<run::Run> runPoint(const run::SweepPlan& plan, const run::SweepTask& task,
                            const catalog::Values& values, const RunOptions& options, Session& session,
                            Progress& progress, const std::string& of);
// Adds what the cycle model says of a point's run. Fault: why there is no time, which the sweep then has;
// nothing is added where it was canceled.
Expected<void> modelPoint(run::Sweep& sweep, const run::SweepTask& task, const run::Run& run,
                          Session& session, Progress& progress, const std::string& of);

// The modeled times of a chart of this run: where its variant has none over the charted parameter. What was
// made before Ctrl+C stays. Where there is no time a sentence is told.
Expected<viz::SweepsOnShow> modelChart(const run::Run& run, const viz::ChartOptions& chart,
                                       const RunOptions& options,
                                       std::span<const run::RecordedMachine> machines, Session& session);

}  // namespace lockstep::cli
