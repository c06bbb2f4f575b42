#include "catalog/cpu_timing.h"

#include <chrono>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "catalog/references.h"

namespace lockstep::catalog {
namespace {

constexpr f64 kEnoughSeconds = 0.5;

u32 threadsOfLoop() {
#ifdef _OPENMP
    return u32(omp_get_max_threads());
#else
    return 1;
#endif
}

}  // namespace

std::optional<CpuTiming> timeOnCpu(const Experiment& experiment, u32 mostRuns, const std::atomic<bool>* cancelled) {
    const Reference* reference = findReference(experiment.variant->reference);
    if (!reference || !reference->asTaught) return std::nullopt;
    using Clock = std::chrono::steady_clock;
    CpuTiming timing{.threads = threadsOfLoop(), .seconds = {}};
    const auto begun = Clock::now();
    const auto secondsSince = [](Clock::time_point start) { return std::chrono::duration<f64>(Clock::now() - start).count(); };
    reference->asTaught(experiment, cancelled);
    do {
        const auto start = Clock::now();
        if (reference->asTaught(experiment, cancelled).empty()) break;
        timing.seconds.push_back(secondsSince(start));
    } while (timing.seconds.size() < mostRuns && secondsSince(begun) < kEnoughSeconds);
    return timing;
}

}  // namespace lockstep::catalog
