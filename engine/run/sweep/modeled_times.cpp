#include "run/sweep/modeled_times.h"

#include "time/model/time_profile.h"

#include <algorithm>

namespace lockstep::run {
namespace {

constexpr f64 kMicroPerMilli = 1000;

// A recorded point that is wrong has no time, either: it was not recorded whole.
bool isAnswered(const SweepSeries& series, const SweepPoint& point) {
    return point.metrics.contains("time_ms") || (series.source == SweepSource::Model && point.error);
}

bool isKnown(const Sweep& sweep, const SweepTask& task, const std::string& device) {
    return std::ranges::any_of(sweep.series, [&](const SweepSeries& series) {
        return series.variant == task.variant && series.setting == task.setting && series.device == device &&
               std::ranges::any_of(series.points, [&](const SweepPoint& point) {
                   return point.value == task.value && isAnswered(series, point);
               });
    });
}

}  // namespace

std::string modeledDevice(const model::Profile& profile) {
    const time::TimeProfile* const times = time::timeProfileOf(profile);
    return times ? times->device : std::string();
}

std::vector<SweepTask> tasksToModel(const SweepPlan& plan, const Sweep& sweep, const std::string& device) {
    std::vector<SweepTask> tasks = tasksOf(plan);
    std::erase_if(tasks, [&](const SweepTask& task) { return isKnown(sweep, task, device); });
    return tasks;
}

void addModeled(Sweep& sweep, const SweepTask& task, const Run& run, const Expected<TimedRun>& timed) {
    SweepPoint point{.value = task.value,
                     .metrics = {},
                     .others = othersOf(sweep, task, run.catalog->values),
                     .correct = run.recording.sample ? std::nullopt : run.correct()};
    if (timed) {
        point.metrics = timeMetricsOf(timed->microseconds / kMicroPerMilli, *sweep.family, *task.variant,
                                      run.catalog->values);
        point.modelErrorPercent = timed->errorPercent;
    } else {
        point.error = timed.error();
    }
    addPoint(sweep,
             {.variant = task.variant,
              .setting = task.setting,
              .source = SweepSource::Model,
              .device = modeledDevice(run.profile)},
             std::move(point));
}

bool hasModeled(const Sweep& sweep) {
    return std::ranges::any_of(sweep.series, [](const SweepSeries& series) {
        return series.source == SweepSource::Model && series.has("time_ms");
    });
}

}  // namespace lockstep::run
