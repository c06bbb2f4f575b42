// What a sweep can show of a point: times and rates, which only a GPU or a recording of one has, the counters
// of model::metrics() under their own names, and what is derived from them.
#pragma once

#include "base/text/words.h"
#include "catalog/catalog.h"
#include "run/recordings/recordings.h"
#include "run/run.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::run {

// The unit of a metric's values, wherever they are kept.
enum class MetricUnit : u8 {
    Count,
    Ratio,    // of two counts
    Percent,  // 0..100
    Milliseconds,
    GigabytesPerSecond,       // of 10^9 bytes
    TeraOperationsPerSecond,  // 10^12 additions and multiplications
};

struct SweepMetric {
    std::string name;  // of --metric: "time"
    std::string key;   // in JSON, in CSV and in SweepPoint::metrics: "time_ms"
    Words title;       // of the axis: "Time of the kernel"
    MetricUnit unit = MetricUnit::Count;
    bool isMeasured = false;  // only by a GPU, now or in a recording; some of them the cycle model has too
    std::string_view unitName()
        const;  // "GB/s", "%"; empty: times say theirs with every value, counts have none
};

// Times and rates, what is derived from counters, then the counters.
std::span<const SweepMetric> sweepMetrics();
// By name, or key; an ncu name may end in ".sum".
const SweepMetric* findSweepMetric(std::string_view nameOrKey);

// Values by SweepMetric::key; what is not known is left out.
using MetricValues = std::map<std::string, f64, std::less<>>;

// The figures of the model, of the whole grid: empty where the emulator did not complete, or ran a sample
// that says nothing of the rest.
MetricValues modelMetricsOf(const Run& run);
// What a time in milliseconds says: the time itself, and the rates of the variant's work.
MetricValues timeMetricsOf(f64 milliseconds, const catalog::Family& family, const catalog::Variant& variant,
                           const catalog::Values& values);
// Those measured on a GPU. `values`: of the variant's parameters, for the work that rates are of.
MetricValues measuredMetricsOf(const Measured& measured, const catalog::Family& family,
                               const catalog::Variant& variant, const catalog::Values& values);
// The same of a recording, which also has the first launch.
MetricValues recordedMetricsOf(const RecordedRun& run, const catalog::Family& family,
                               const catalog::Variant& variant, const catalog::Values& values);

}  // namespace lockstep::run
