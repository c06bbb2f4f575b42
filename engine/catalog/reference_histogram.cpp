#include "catalog/reference_histogram.h"

#include <algorithm>
#include <vector>

namespace lockstep::catalog {
namespace {

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const u32 output = indexOf(experiment.buffers, "counts");
    const std::span<const u8> values = experiment.buffers[indexOf(experiment.buffers, "values")].as<u8>();
    Buffer counts = experiment.buffers[output];
    for (u64 i = 0; i < values.size(); ++i) {
        if (isTimeToStop(i, cancelled)) return {};
        ++counts.as<s32>()[values[i] % counts.count()];
    }
    return {{output, std::move(counts)}};
}

// Each thread counts for itself; then they add up what they have.
bool computeAsTaught(const Experiment& experiment, Buffer& counts, const std::atomic<bool>* cancelled) {
    const std::span<const u8> values = experiment.buffers[indexOf(experiment.buffers, "values")].as<u8>();
    const std::span<s32> all = counts.as<s32>();
    std::ranges::fill(all, 0);
#pragma omp parallel
    {
        std::vector<s32> own(all.size());
#pragma omp for
        for (s64 i = 0; i < s64(values.size()); ++i) ++own[values[u64(i)] % own.size()];
#pragma omp critical
        for (std::size_t bin = 0; bin < own.size(); ++bin) all[bin] += own[bin];
    }
    return !cancelled || !*cancelled;
}

}  // namespace

Reference histogramReference() {
    return {.name = "histogram",
            .buffers = {{"values", ElementType::U8, 1}, {"counts", ElementType::I32, 1}},
            .check = [](const Experiment&) { return std::string(); },  // every number of bins will do
            .compute = compute,
            .asTaught = computeAsTaught};
}

}  // namespace lockstep::catalog
