// Cost of observing: nanoseconds per access of a full warp, for each observer.
#include "trace/block_recorder.h"
#include "trace/pattern_counter.h"
#include "trace/shadow/global_shadow.h"
#include "trace/shadow/shared_shadow.h"

#include <benchmark/benchmark.h>

#include <random>

namespace {

using namespace lockstep;
using namespace lockstep::trace;

constexpr u64 kBase = 1u << 20;
constexpr u64 kBufferBytes = 1u << 20;

WarpAccess strided(AccessKind kind, u64 base, u64 strideBytes, Pc pc = Pc{1}, Space space = Space::Global) {
    WarpAccess a{pc, LaneMask::all(), space, kind, 4, {}};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        a.addresses[lane] = base + strideBytes * lane;
    return a;
}

AccessCost noCost(const WarpAccess&) { return {.requests = 1, .sectors = 1}; }

void countRow(benchmark::State& state) {
    PatternTable table(4, noCost);
    PatternCounter counter(table);
    std::vector<WarpAccess> rows;
    for (u64 i = 0; i < 64; ++i)
        rows.push_back(strided(AccessKind::Load, kBase + 4000 * i, 4));
    std::size_t i = 0;
    for (auto _ : state)
        counter.count(rows[i++ % rows.size()]);
}
BENCHMARK(countRow)->Name("count/row, any pitch");

void countPartialRow(benchmark::State& state) {
    PatternTable table(4, noCost);
    PatternCounter counter(table);
    WarpAccess row = strided(AccessKind::Load, kBase, 4);
    row.active = LaneMask{0x00ffff0f};
    for (auto _ : state)
        counter.count(row);
}
BENCHMARK(countPartialRow)->Name("count/some lanes");

void countShape(benchmark::State& state) {
    PatternTable table(4, noCost);
    PatternCounter counter(table);
    PatternCounter::Shape* shape = counter.shapeOf(strided(AccessKind::Load, kBase, 4));
    u64 base = kBase;
    for (auto _ : state)
        counter.count(shape, base += 4000);
}
BENCHMARK(countShape)->Name("count/known shape");

void countGathers(benchmark::State& state) {
    PatternTable table(4, noCost);
    PatternCounter counter(table);
    std::mt19937 random(1);
    std::vector<WarpAccess> gathers(10000, strided(AccessKind::Load, kBase, 4));
    for (WarpAccess& a : gathers)
        for (u64& address : a.addresses)
            address = kBase + 4 * (random() % 4096);
    std::size_t i = 0;
    for (auto _ : state)
        counter.count(gathers[i++ % gathers.size()]);
}
BENCHMARK(countGathers)->Name("count/10,000 gathers in turn");

// Every warp of a block of 256 threads stores its row and loads something, then there is a barrier.
void sharedPhases(benchmark::State& state, u64 base, u64 strideBytes) {
    SharedShadow shadow(LaunchId{0}, {256, 1, 1});
    FindingCollector findings;
    shadow.beginBlock({0, 0, 0}, 16384, nullptr, findings);
    shadow.markWritten(0, 16384);
    std::vector<WarpAccess> stores, loads;
    for (u32 w = 0; w < 8; ++w) {
        stores.push_back(strided(AccessKind::Store, 128 * w, 4, Pc{1}, Space::Shared));
        loads.push_back(strided(AccessKind::Load, base * w, strideBytes, Pc{2}, Space::Shared));
    }
    for (auto _ : state) {
        for (u32 w = 0; w < 8; ++w)
            shadow.access(Warp{w}, stores[w]);
        shadow.blockBarrier();
        for (u32 w = 0; w < 8; ++w)
            shadow.access(Warp{w}, loads[w]);
        shadow.blockBarrier();
    }
    state.SetItemsProcessed(state.iterations() * 16);
}
BENCHMARK_CAPTURE(sharedPhases, row, 128, 4)->Name("shared/store, barrier, load a row, barrier");
BENCHMARK_CAPTURE(sharedPhases, column, 4, 132)->Name("shared/store, barrier, load a column, barrier");
BENCHMARK_CAPTURE(sharedPhases, broadcast, 128, 0)->Name("shared/store, barrier, load one word, barrier");

// The inner loop of a tiled matrix multiply, T = 16, without the stores: two rows broadcast, one row read.
void sharedTile(benchmark::State& state) {
    SharedShadow shadow(LaunchId{0}, {256, 1, 1});
    FindingCollector findings;
    shadow.beginBlock({0, 0, 0}, 16384, nullptr, findings);
    shadow.markWritten(0, 16384);
    std::vector<WarpAccess> loads;
    for (u32 w = 0; w < 8; ++w)
        for (u32 k = 0; k < 16; ++k) {
            WarpAccess m = strided(AccessKind::Load, 0, 0, Pc{2 * k}, Space::Shared), n = m;
            n.pc = Pc{2 * k + 1};
            for (u32 lane = 0; lane < 32; ++lane) {
                m.addresses[lane] = 4 * (16 * (2 * w + lane / 16) + k);
                n.addresses[lane] = 1024 + 4 * (16 * k + lane % 16);
            }
            loads.push_back(m), loads.push_back(n);
        }
    for (auto _ : state) {
        for (std::size_t i = 0; i < loads.size(); ++i)
            shadow.access(Warp{u32(i / 32)}, loads[i]);
        shadow.blockBarrier();
    }
    state.SetItemsProcessed(state.iterations() * s64(loads.size()));
}
BENCHMARK(sharedTile)->Name("shared/tiled matrix multiply, loads");

void sharedOwnWord(benchmark::State& state) {
    SharedShadow shadow(LaunchId{0}, {32, 1, 1});
    FindingCollector findings;
    shadow.beginBlock({0, 0, 0}, 16384, nullptr, findings);
    const WarpAccess store = strided(AccessKind::Store, 0, 4, Pc{1}, Space::Shared),
                     load = strided(AccessKind::Load, 0, 4, Pc{2}, Space::Shared);
    for (auto _ : state) {
        shadow.access(Warp{0}, store);
        shadow.access(Warp{0}, load);
    }
    state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(sharedOwnWord)->Name("shared/own word, no barrier");

// Blocks of 256 threads, one after the other: each warp makes its accesses to a row of its own.
void globalBlocks(benchmark::State& state, GlobalShadow::Mode mode, GlobalShadow::Keeps keeps,
                  std::initializer_list<AccessKind> kinds) {
    const GlobalShadow::BufferSpec spec{kBase, kBufferBytes, 4, 0, keeps};
    constexpr u32 blocks = kBufferBytes / 1024;
    std::vector<std::vector<WarpAccess>> rows(kinds.size());
    u32 pc = 0;
    for (AccessKind kind : kinds) {
        for (u32 w = 0; w < blocks * 8; ++w)
            rows[pc].push_back(strided(kind, kBase + 128 * w, 4, Pc{pc}));
        ++pc;
    }
    GlobalShadow shadow(LaunchId{0}, {blocks, 1, 1}, {256, 1, 1}, 10, {&spec, 1}, mode);
    FindingCollector findings;
    for (auto _ : state) {
        state.PauseTiming();
        shadow.restart(mode);
        GlobalBlockShadow view(shadow, findings);
        state.ResumeTiming();
        for (u32 b = 0; b < blocks; ++b) {
            view.beginBlock(Block{b});
            for (const std::vector<WarpAccess>& row : rows)
                for (u32 w = 0; w < 8; ++w)
                    if (row[0].kind != AccessKind::Load || !view.skipsLoad(0))
                        view.access(Warp{w}, 0, row[8 * b + w]);
        }
    }
    state.SetItemsProcessed(state.iterations() * blocks * 8 * s64(kinds.size()));
}
using enum AccessKind;
using Keeps = GlobalShadow::Keeps;
BENCHMARK_CAPTURE(globalBlocks, storeOnce, GlobalShadow::Mode::Parallel, Keeps::Bits, {Store})
    ->Name("global/store, once");
BENCHMARK_CAPTURE(globalBlocks, store, GlobalShadow::Mode::Parallel, Keeps::Stores, {Store})
    ->Name("global/store");
BENCHMARK_CAPTURE(globalBlocks, stores, GlobalShadow::Mode::Parallel, Keeps::Stores, {Store, Store, Store})
    ->Name("global/store, three times");
BENCHMARK_CAPTURE(globalBlocks, load, GlobalShadow::Mode::Parallel, Keeps::Bits, {Load})
    ->Name("global/load, nobody writes");
BENCHMARK_CAPTURE(globalBlocks, tracked, GlobalShadow::Mode::Parallel, Keeps::All, {Load})
    ->Name("global/load, tracked");
BENCHMARK_CAPTURE(globalBlocks, owned, GlobalShadow::Mode::Parallel, Keeps::Owners, {Load, Store})
    ->Name("global/load and store in place, owned");
BENCHMARK_CAPTURE(globalBlocks, inPlace, GlobalShadow::Mode::Parallel, Keeps::All, {Load, Store})
    ->Name("global/load and store in place");
BENCHMARK_CAPTURE(globalBlocks, inPlaceInOrder, GlobalShadow::Mode::Sequential, Keeps::All, {Load, Store})
    ->Name("global/in place, blocks in order");

void globalFinish(benchmark::State& state) {
    const GlobalShadow::BufferSpec spec{kBase, kBufferBytes, 4, 0, GlobalShadow::Keeps::All};
    GlobalShadow shadow(LaunchId{0}, {1024, 1, 1}, {256, 1, 1}, 10, {&spec, 1}, GlobalShadow::Mode::Parallel);
    FindingCollector findings;
    GlobalBlockShadow view(shadow, findings);
    for (u32 b = 0; b < 1024; ++b) {
        view.beginBlock(Block{b});
        for (u32 w = 0; w < 8; ++w)
            for (AccessKind kind : {Load, Store})
                view.access(Warp{w}, 0, strided(kind, kBase + 128 * (8 * b + w), 4, Pc{u32(kind)}));
    }
    for (auto _ : state)
        shadow.finish();
    state.SetBytesProcessed(state.iterations() * s64(kBufferBytes));
}
BENCHMARK(globalFinish)->Name("global/finish, per buffer of 1 MiB");

void record(benchmark::State& state) {
    const std::vector<std::byte> values(128);
    const WarpAccess row = strided(AccessKind::Load, kBase, 4);
    std::optional<BlockRecorder> recorder;
    u32 i = 0;
    for (auto _ : state) {
        if (i++ % 10000 == 0) recorder.emplace(LaunchId{0}, Dim3{0, 0, 0}, 32);
        recorder->step(Warp{0}, Pc{1}, row.active);
        recorder->access(Warp{0}, row, values.data());
    }
}
BENCHMARK(record)->Name("record/step and access");

}  // namespace
