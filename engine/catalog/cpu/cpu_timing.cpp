#include "catalog/cpu/cpu_timing.h"

#include <chrono>
#include <functional>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "catalog/cpu/plain_loops.h"

namespace lockstep::catalog {
namespace {

constexpr f64 kEnoughSeconds = 0.5;
// Threads woken at the same time first share a core, and a loop of microseconds then takes as long as the
// system lets one of them wait (8 ms on a machine with 16 cores, in half of the first runs). After this time
// they have spread.
constexpr f64 kWarmUpSeconds = 0.03;

u32 threadsOfLoop() {
#ifdef _OPENMP
    return u32(omp_get_max_threads());
#else
    return 1;
#endif
}

// Runs the loop of the experiment's family once; returns whether it completed. No function: no such loop.
using Loop = std::function<bool(const std::atomic<bool>* cancelled)>;
Loop loopOf(const Experiment& experiment) {
    if (const Reference* reference = findReference(experiment.variant->reference)) {
        if (!reference->asTaught) return {};
        const Buffer& output =
            experiment.buffers[indexOf(experiment.buffers, reference->buffers.back().name)];
        return [&experiment, run = reference->asTaught, output = output](auto* cancelled) mutable {
            return run(experiment, output, cancelled);
        };
    }
    const PlainLoop* loop = findPlainLoop(experiment);
    if (!loop) return {};
    return [&experiment, run = loop->run, result = resultOf(*loop, experiment)](auto* cancelled) mutable {
        return run(experiment, result, cancelled);
    };
}

}  // namespace

std::optional<CpuTiming> timeOnCpu(const Experiment& experiment, u32 mostRuns,
                                   const std::atomic<bool>* cancelled) {
    const Loop loop = loopOf(experiment);
    if (!loop) return std::nullopt;
    using Clock = std::chrono::steady_clock;
    CpuTiming timing{.threads = threadsOfLoop(), .seconds = {}};
    const auto begun = Clock::now();
    const auto secondsSince = [](Clock::time_point start) {
        return std::chrono::duration<f64>(Clock::now() - start).count();
    };
    do
        loop(cancelled);
    while (secondsSince(begun) < kWarmUpSeconds && !(cancelled && *cancelled));
    do {
        const auto start = Clock::now();
        if (!loop(cancelled)) break;
        timing.seconds.push_back(secondsSince(start));
    } while (timing.seconds.size() < mostRuns && secondsSince(begun) < kEnoughSeconds);
    return timing;
}

}  // namespace lockstep::catalog
