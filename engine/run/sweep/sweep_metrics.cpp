#include "run/sweep/sweep_metrics.h"

#include "model/metrics.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

namespace lockstep::run {
namespace {

constexpr const char *kLoadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
                     *kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                     *kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st",
                     *kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
                     *kLoadHits = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit",
                     *kL2Reads = "lts__t_sectors_srcunit_tex_op_read",
                     *kL2Hits = "lts__t_sectors_srcunit_tex_op_read_lookup_hit",
                     *kLoadWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
                     *kStoreWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
                     *kLoadConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
                     *kStoreConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
                     *kWarpInstructions = "ptx__inst_executed",
                     *kThreadInstructions = "ptx__thread_inst_executed";

using Keys = std::vector<const char*>;

// A sum of counters, or one sum for each of another.
struct Derived {
    SweepMetric metric;
    Keys of, per{};
    f64 scale = 1;
};

const std::vector<Derived>& derivedMetrics() {
    static const std::vector<Derived> table{
        {{"sectors_per_request", "sectors_per_request", english("sectors per global request"),
          MetricUnit::Ratio},
         {kLoadSectors, kStoreSectors},
         {kLoadRequests, kStoreRequests}},
        {{"sectors_per_load_request", "sectors_per_load_request", english("sectors per load request"),
          MetricUnit::Ratio},
         {kLoadSectors},
         {kLoadRequests}},
        {{"sectors_per_store_request", "sectors_per_store_request", english("sectors per store request"),
          MetricUnit::Ratio},
         {kStoreSectors},
         {kStoreRequests}},
        {{"global_sectors", "global_sectors", english("global sectors, loads and stores")},
         {kLoadSectors, kStoreSectors}},
        {{"global_requests", "global_requests", english("global requests, loads and stores")},
         {kLoadRequests, kStoreRequests}},
        {{"l1_hit_rate", "l1_hit_rate", english("L1 hit rate of global loads"), MetricUnit::Percent},
         {kLoadHits},
         {kLoadSectors},
         100},
        {{"l2_hit_rate", "l2_hit_rate", english("L2 hit rate of reads"), MetricUnit::Percent},
         {kL2Hits},
         {kL2Reads},
         100},
        {{"shared_wavefronts", "shared_wavefronts", english("shared wavefronts, loads and stores")},
         {kLoadWavefronts, kStoreWavefronts}},
        {{"bank_conflicts", "bank_conflicts", english("extra wavefronts from bank conflicts")},
         {kLoadConflicts, kStoreConflicts}},
        {{"threads_per_warp_instruction", "threads_per_warp_instruction",
          english("active lanes per warp instruction"), MetricUnit::Ratio},
         {kThreadInstructions},
         {kWarpInstructions}},
    };
    return table;
}

std::vector<SweepMetric> allMetrics() {
    std::vector<SweepMetric> all{
        {"time", "time_ms", english("kernel time"), MetricUnit::Milliseconds, true},
        {"bandwidth", "bandwidth_gb_s",
         english("effective bandwidth: the minimum number of bytes that the task has to move, divided by the "
                 "time"),
         MetricUnit::GigabytesPerSecond, true},
        {"tflops", "tflops", english("additions and multiplications per second"),
         MetricUnit::TeraOperationsPerSecond, true},
        {"time_with_transfers", "time_with_transfers_ms", english("time of kernel and transfers together"),
         MetricUnit::Milliseconds, true},
        {"first_launch", "first_launch_ms", english("time of the first launch, which also loads the code"),
         MetricUnit::Milliseconds, true},
    };
    for (const Derived& derived : derivedMetrics())
        all.push_back(derived.metric);
    for (const model::Metric& metric : model::metrics())
        all.push_back({metric.key, metric.key, metric.what, MetricUnit::Count, !metric.isPredicted()});
    return all;
}

template <class Counters> std::optional<f64> sumOf(const Counters& counters, const Keys& keys) {
    std::optional<f64> sum;
    for (const char* key : keys)
        if (const auto found = counters.find(key); found != counters.end())
            sum = sum.value_or(0) + f64(found->second);
    return sum;
}

template <class Counters> MetricValues withDerived(const Counters& counters) {
    MetricValues values;
    for (const auto& [key, value] : counters)
        values[key] = f64(value);
    for (const Derived& derived : derivedMetrics()) {
        const std::optional<f64> sum = sumOf(counters, derived.of), per = sumOf(counters, derived.per);
        if (!sum) continue;
        if (derived.per.empty())
            values[derived.metric.key] = *sum;
        else if (per.value_or(0) > 0)
            values[derived.metric.key] = derived.scale * *sum / *per;
    }
    return values;
}

}  // namespace

std::string_view SweepMetric::unitName() const {
    switch (unit) {
        case MetricUnit::Percent: return "%";
        case MetricUnit::GigabytesPerSecond: return "GB/s";
        case MetricUnit::TeraOperationsPerSecond: return "TFLOP/s";
        default: return {};
    }
}

std::span<const SweepMetric> sweepMetrics() {
    static const std::vector<SweepMetric> table = allMetrics();
    return table;
}

const SweepMetric* findSweepMetric(std::string_view nameOrKey) {
    constexpr std::string_view kSum = ".sum";
    if (nameOrKey.ends_with(kSum)) nameOrKey.remove_suffix(kSum.size());
    const auto found = std::ranges::find_if(sweepMetrics(), [&](const SweepMetric& metric) {
        return metric.name == nameOrKey || metric.key == nameOrKey;
    });
    return found == sweepMetrics().end() ? nullptr : &*found;
}

MetricValues modelMetricsOf(const Run& run) {
    if (!run.emulated || !run.recording.complete) return {};
    return withDerived(run.report.counters);
}

MetricValues timeMetricsOf(f64 milliseconds, const catalog::Family& family, const catalog::Variant& variant,
                           const catalog::Values& values) {
    MetricValues metrics{{"time_ms", milliseconds}};
    const catalog::Work work = catalog::workOf(family, variant, values);
    if (work.bytes > 0) metrics["bandwidth_gb_s"] = work.bytes / (1e6 * milliseconds);
    if (work.operations > 0) metrics["tflops"] = work.operations / (1e9 * milliseconds);
    return metrics;
}

MetricValues measuredMetricsOf(const Measured& measured, const catalog::Family& family,
                               const catalog::Variant& variant, const catalog::Values& values) {
    MetricValues metrics = withDerived(measured.counters);
    if (!measured.timing || measured.timing->kernel.median <= 0) return metrics;
    const KernelTiming& timing = *measured.timing;
    const f64 ms = timing.kernel.median;
    metrics.merge(timeMetricsOf(ms, family, variant, values));
    if (timing.toDevice && timing.toHost)
        metrics["time_with_transfers_ms"] = ms + timing.toDevice->milliseconds + timing.toHost->milliseconds;
    return metrics;
}

MetricValues recordedMetricsOf(const RecordedRun& run, const catalog::Family& family,
                               const catalog::Variant& variant, const catalog::Values& values) {
    MetricValues metrics = measuredMetricsOf(run.measured, family, variant, values);
    if (run.host) metrics["first_launch_ms"] = run.host->firstMs;
    return metrics;
}

}  // namespace lockstep::run
