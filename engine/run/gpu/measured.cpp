#include "run/gpu/measured.h"

#include "base/check.h"
#include "base/median.h"
#include "model/metrics.h"

#include <algorithm>
#include <cmath>

namespace lockstep::run {
namespace {

// Quantile of ascending values.
f64 quantile(const std::vector<f64>& sorted, f64 share) {
    const f64 at = share * f64(sorted.size() - 1);
    const std::size_t below = std::size_t(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - f64(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Spread spreadOf(std::span<const f64> milliseconds) {
    CHECK(!milliseconds.empty(), "something was measured");
    std::vector<f64> sorted(milliseconds.begin(), milliseconds.end());
    std::ranges::sort(sorted);
    return {.median = median(sorted),
            .lowerQuartile = quantile(sorted, 0.25),
            .upperQuartile = quantile(sorted, 0.75),
            .least = sorted.front(),
            .most = sorted.back(),
            .runs = u32(sorted.size())};
}

std::span<const char* const> countedMetrics() {
    static const std::vector<const char*> counted = [] {
        std::vector<const char*> names;
        for (const model::Metric& metric : model::metrics())
            if (metric.isCounted()) names.push_back(metric.key.c_str());
        return names;
    }();
    return counted;
}

}  // namespace lockstep::run
