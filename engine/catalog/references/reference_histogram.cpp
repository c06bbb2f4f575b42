#include "catalog/references/reference_histogram.h"

#include <algorithm>
#include <vector>

namespace lockstep::catalog {
namespace {

// cpu loop histogram
// Adds the values to `all`: each thread counts for itself; then they add up what they have. False if
// canceled.
bool countValues(const Experiment& experiment, std::span<s32> all, const std::atomic<bool>* cancelled) {
    const std::span<const u8> values = experiment.buffers[indexOf(experiment.buffers, "values")].as<u8>();
    constexpr s64 kPiece = 65536;
#pragma omp parallel
    {
        std::vector<s32> own(all.size());
#pragma omp for
        for (s64 first = 0; first < s64(values.size()); first += kPiece) {
            if (cancelled && *cancelled) continue;
            for (s64 i = first; i < std::min(s64(values.size()), first + kPiece); ++i)
                ++own[values[u64(i)] % own.size()];
        }
#pragma omp critical
        for (std::size_t bin = 0; bin < own.size(); ++bin)
            all[bin] += own[bin];
    }
    return !cancelled || !*cancelled;
}
// end of cpu loop

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const u32 output = indexOf(experiment.buffers, "counts");
    Buffer counts = experiment.buffers[output];
    if (!countValues(experiment, counts.as<s32>(), cancelled)) return {};
    return {{output, std::move(counts)}};
}

bool computeAsTaught(const Experiment& experiment, Buffer& counts, const std::atomic<bool>* cancelled) {
    std::ranges::fill(counts.as<s32>(), 0);
    return countValues(experiment, counts.as<s32>(), cancelled);
}

}  // namespace

Reference histogramReference() {
    return {.name = "histogram",
            .buffers = {{"values", ElementType::U8, 1, {"n"}}, {"counts", ElementType::I32, 1, {"bins"}}},
            .words = {"histogram", "hist"},
            .check = [](const Experiment&) { return Message(); },  // any number of bins works
            .compute = compute,
            .asTaught = computeAsTaught};
}

}  // namespace lockstep::catalog
