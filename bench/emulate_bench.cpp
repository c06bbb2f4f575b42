// How fast kernels run on the embedded GPU, on all cores; a second's items are thread instructions. The time
// is the emulator's own, as `lockstep run` reports it: not the making of buffers, nor the throwing away of a
// result.
#include "base/check.h"
#include "model/cache_simulation.h"
#include "simt/emulator.h"
#include "subjects.h"

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
        // P is written anew each time, M and N are only read: the buffers can stay.
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

}  // namespace
}  // namespace lockstep::bench
