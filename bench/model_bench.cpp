// Speed of the model for single accesses and whole runs: one access of each shape, and a report over full
// pattern tables.
#include "model/access/access_query.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"
#include "model/report.h"
#include "subjects.h"

#include <benchmark/benchmark.h>

#include <random>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::Space;

// Offsets of a shape that a row of the benchmarks is named after.
enum Shape : int { Row, Column, Scattered, Wide };

trace::WarpAccess accessOf(Space space, int shape) {
    std::mt19937 random(1);
    trace::WarpAccess access{.pc = kNoPc,
                             .active = LaneMask::all(),
                             .space = space,
                             .kind = AccessKind::Load,
                             .widthBytes = u8(shape == Wide ? 16 : 4)};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = shape == Row      ? lane * 4
                                 : shape == Column ? lane * 128
                                 : shape == Wide   ? lane * 16
                                                   : random() % 65536 * 4;
    return access;
}

void sharedWavefrontsOfOneAccess(benchmark::State& state) {
    trace::WarpAccess access = accessOf(Space::Shared, int(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(access);
        benchmark::DoNotOptimize(sharedWavefronts(access, defaultProfile()));
    }
}
BENCHMARK(sharedWavefrontsOfOneAccess)->DenseRange(Row, Wide)->ArgName("row,column,scattered,wide");

void globalSectorsOfOneAccess(benchmark::State& state) {
    trace::WarpAccess access = accessOf(Space::Global, int(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(access);
        benchmark::DoNotOptimize(globalSectors(access));
    }
}
BENCHMARK(globalSectorsOfOneAccess)->DenseRange(Row, Wide)->ArgName("row,column,scattered,wide");

void passesOfOneAccess(benchmark::State& state) {
    const trace::WarpAccess access = accessOf(Space::Shared, int(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(passes(access, defaultProfile()));
}
BENCHMARK(passesOfOneAccess)->DenseRange(Row, Wide)->ArgName("row,column,scattered,wide");

// A profile change in the window: every pattern of a run is costed again.
void reportOfPatterns(benchmark::State& state) {
    std::mt19937 random(1);
    trace::Recording recording;
    recording.counts.emplace_back();
    for (Space space : {Space::Global, Space::Shared}) {
        trace::SiteCounts& site = recording.counts[0].sites.emplace_back();
        site.space = space;
        for (s64 n = 0; n < state.range(0) / 2; ++n) {
            trace::Pattern& pattern = site.patterns.emplace_back();
            pattern.active = LaneMask::all();
            pattern.times = 1;
            for (s64& delta : pattern.deltaBytes)
                delta = s64(random() % 65536 * 4);
        }
    }
    const ptx::Module module;
    const Profile& profile = state.range(1) ? *findProfile("cc12") : defaultProfile();
    for (auto _ : state)
        benchmark::DoNotOptimize(makeReport(module, recording, profile));
    state.SetItemsProcessed(s64(state.iterations()) * state.range(0));
}
BENCHMARK(reportOfPatterns)
    ->ArgsProduct({{1000, 65536}, {0, 1}})
    ->ArgNames({"patterns", "cc12"})
    ->Unit(benchmark::kMillisecond);

// The same from the counts of a tiled multiply at 1024: a few patterns a site.
void reportOfRun(benchmark::State& state) {
    const run::Run& run = bench::recordedRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(makeReport(*run.module, run.recording, run.profile));
}
BENCHMARK(reportOfRun)->Unit(benchmark::kMillisecond);

// The playground while a lane is dragged: every device's answer.
void answerOnEveryDevice(benchmark::State& state) {
    AccessQuery query{.space = state.range(0) ? Space::Shared : Space::Global};
    query.offsets = *offsetsOf("(tid & 15) * 17 + tid / 16", 4);
    for (auto _ : state)
        for (const Profile& profile : profiles())
            benchmark::DoNotOptimize(answer(query, profile));
}
BENCHMARK(answerOnEveryDevice)->Arg(0)->Arg(1)->ArgName("shared");

}  // namespace
}  // namespace lockstep::model
