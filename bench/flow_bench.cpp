// Cost of tracing a block's values: on first use, and for each queried store.
#include "explain/block_flow.h"
#include "subjects.h"

#include <optional>

namespace lockstep::bench {
namespace {

const trace::FocusBlock& block() { return recordedRun().recording.trace.blocks.front(); }

explain::BlockFlow follow() {
    const run::Run& run = recordedRun();
    return std::move(*explain::BlockFlow::of(*run.module, run.recording.launches[block().launch.value],
                                             run.recording.initial.size(), block()));
}

// Calls with each lane of each access of this kind.
template <class Each> void forEachAccess(trace::AccessKind kind, Each&& each) {
    for (u32 w = 0; w < block().warps.size(); ++w) {
        const trace::WarpTrace& warp = block().warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s)
            if (const u32 number = warp.steps[s].access;
                number != trace::Step::kNone && warp.accesses[number].kind == kind)
                for (const Lane lane : warp.accesses[number].active)
                    each(explain::ThreadStep{Warp{w}, lane, s});
    }
}

// Registers alone, then what memory needs besides.
void followRegisters(benchmark::State& state) {
    std::size_t steps = 0;
    for (const trace::WarpTrace& warp : block().warps)
        steps += warp.steps.size();
    for (auto _ : state)
        benchmark::DoNotOptimize(follow());
    state.counters["steps"] = f64(steps);
}
BENCHMARK(followRegisters)
    ->Name("flow/registers of a block")
    ->Unit(benchmark::kMillisecond)
    ->Apply(withFastest);

void followMemory(benchmark::State& state) {
    std::optional<explain::ThreadStep> load;
    forEachAccess(trace::AccessKind::Load, [&](explain::ThreadStep at) { load = load ? load : at; });
    for (auto _ : state) {
        const explain::BlockFlow flow = follow();
        benchmark::DoNotOptimize(flow.writtenBy(*load));
        state.counters["bytes kept"] = f64(flow.bytesKept());
    }
}
BENCHMARK(followMemory)->Name("flow/with memory")->Unit(benchmark::kMillisecond)->Apply(withFastest);

void askForStores(benchmark::State& state) {
    const explain::BlockFlow flow = follow();
    u64 asked = 0;
    for (auto _ : state)
        forEachAccess(trace::AccessKind::Store, [&](explain::ThreadStep at) {
            benchmark::DoNotOptimize(flow.originOfStored(at, 0, 4));
            ++asked;
        });
    state.SetItemsProcessed(s64(asked));
}
BENCHMARK(askForStores)
    ->Name("flow/origins of all stores")
    ->Unit(benchmark::kMillisecond)
    ->Apply(withFastest);

}  // namespace
}  // namespace lockstep::bench
