// Speed of kernels on the emulator, on all cores; items per second are thread instructions. The time is the
// emulator's own, as `lockstep run` reports it, without creating buffers or freeing results.
#include "base/check.h"
#include "model/caches/cache_simulation.h"
#include "simt/emulator.h"
#include "subjects.h"

#include <algorithm>

namespace lockstep::bench {
namespace {

enum class Recording { Off, Counts, CountsAndEvents, AndCaches };

void emulate(benchmark::State& state, const char* kernel, u32 width, Recording recording) {
    run::Experiment experiment = matmul(kernel, width);
    simt::Options options;
    options.counts = recording != Recording::Off;
    options.events = recording >= Recording::CountsAndEvents;
    const std::vector<Buffer> initial = experiment.buffers;
    options.initial = initial;
    u64 instructions = 0, threads = 0;
    for (auto _ : state) {
        model::CacheSimulations caches(*experiment.module, experiment.launches, model::defaultProfile());
        if (recording == Recording::AndCaches) options.requestSink = caches.sinkMaker();
        // P is rewritten each time, M and N are only read: the buffers can stay.
        const auto result = simt::run(*experiment.module, experiment.launches, experiment.buffers, options);
        CHECK(result && result->findings.empty(), "the kernel is right");
        state.SetIterationTime(result->statistics.seconds);
        instructions = result->statistics.threadInstructions;
        threads = result->statistics.threads;
    }
    state.SetItemsProcessed(state.iterations() * s64(instructions));
    state.counters["threads"] = f64(threads);
}

void at(benchmark::internal::Benchmark* benchmark) {
    benchmark->UseManualTime()->Unit(benchmark::kMillisecond)->Apply(withFastest);
}

// Cost of simulating L1 and L2 after a run; of_the_run: relative to the run without them.
void simulateCaches(benchmark::State& state, const char* kernel, const Settings& settings) {
    run::Experiment experiment = bench::experiment(kernel, settings);
    simt::Options options;
    const std::vector<Buffer> initial = experiment.buffers;
    options.initial = initial;
    std::vector<f64> ofTheRun;
    for (auto _ : state) {
        options.requestSink = nullptr;
        const auto plain = simt::run(*experiment.module, experiment.launches, experiment.buffers, options);
        model::CacheSimulations caches(*experiment.module, experiment.launches, model::defaultProfile());
        options.requestSink = caches.sinkMaker();
        const auto recorded = simt::run(*experiment.module, experiment.launches, experiment.buffers, options);
        const auto counts = caches.counts();
        CHECK(plain && recorded && counts, "the kernel is right and small enough");
        state.SetIterationTime(counts->seconds);
        ofTheRun.push_back(counts->seconds / plain->statistics.seconds);
    }
    std::ranges::sort(ofTheRun);
    state.counters["of_the_run"] = ofTheRun[ofTheRun.size() / 2];
}

BENCHMARK_CAPTURE(emulate, off, "matmul/tiled", 256, Recording::Off)
    ->Name("emulate/tiled 256, nothing recorded")
    ->Apply(at);
BENCHMARK_CAPTURE(emulate, counts, "matmul/tiled", 256, Recording::Counts)
    ->Name("emulate/tiled 256, counts")
    ->Apply(at);
BENCHMARK_CAPTURE(emulate, events, "matmul/tiled", 256, Recording::CountsAndEvents)
    ->Name("emulate/tiled 256, counts and events")
    ->Apply(at);
BENCHMARK_CAPTURE(emulate, naive, "matmul/naive", 256, Recording::CountsAndEvents)
    ->Name("emulate/naive 256, counts and events")
    ->Apply(at);
BENCHMARK_CAPTURE(emulate, caches, "matmul/tiled", 256, Recording::AndCaches)
    ->Name("emulate/tiled 256, counts, events and caches")
    ->Apply(at);
BENCHMARK_CAPTURE(emulate, naiveCaches, "matmul/naive", 256, Recording::AndCaches)
    ->Name("emulate/naive 256, counts, events and caches")
    ->Apply(at);
BENCHMARK_CAPTURE(emulate, large, "matmul/tiled", 1024, Recording::CountsAndEvents)
    ->Name("emulate/tiled 1024, counts and events")
    ->Apply(at)
    ->Iterations(1);

BENCHMARK_CAPTURE(simulateCaches, tiled, "matmul/tiled", Settings{{"width", "256"}})->Apply(at);
BENCHMARK_CAPTURE(simulateCaches, tiledLarge, "matmul/tiled", Settings{{"width", "1024"}})
    ->Apply(at)
    ->Iterations(3);
BENCHMARK_CAPTURE(simulateCaches, naive, "matmul/naive", Settings{{"width", "256"}})->Apply(at);
BENCHMARK_CAPTURE(simulateCaches, naiveLarge, "matmul/naive", Settings{{"width", "512"}})
    ->Apply(at)
    ->Iterations(3);
BENCHMARK_CAPTURE(simulateCaches, scattered, "transpose/naive",
                  Settings{{"rows", "1024"}, {"columns", "512"}})
    ->Apply(at);
BENCHMARK_CAPTURE(simulateCaches, copied, "transpose/shared", Settings{{"rows", "1024"}, {"columns", "1024"}})
    ->Apply(at);

}  // namespace
}  // namespace lockstep::bench
