// Traces of a few steps, one of them changed in one place: how each difference is counted.
#include "run/gpu/compare_traces.h"

#include "trace/block_recorder.h"

#include <gtest/gtest.h>

#include <functional>

namespace lockstep::run {
namespace {

using trace::AccessKind;
using trace::Space;

// pc 0 sets up, 1 loads, 2 is a branch that the upper half takes to 4 (3 is skipped), 4 is the barrier, 5
// stores, 6 ends.
const ptx::Module& module() {
    static const Expected<ptx::Module> parsed = ptx::parse(
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b64 %d<3>; "
        ".reg .b32 %r<3>; .reg .pred %p;\n"
        "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1]; @%p bra L; add.u32 %r1, %r1, 1; L: bar.sync 0; "
        "st.global.u32 [%d1], %r1; ret; }\n",
        "test.ptx");
    EXPECT_TRUE(parsed) << describe(parsed.error());
    return *parsed;
}

struct Way {
    u64 loadAt = 4096, valueOf9 = 9, storeAt = 8192;
    bool upperFirst = false, splitStore = false, skipsAdd = false;
};

trace::Trace traceOf(const Way& way) {
    trace::BlockRecorder recorder(LaunchId{0}, {0, 0, 0}, 32);
    const LaneMask lower{0xffff}, upper{0xffff0000};
    std::array<u32, 32> values;
    for (u32 lane = 0; lane < 32; ++lane)
        values[lane] = lane == 9 ? u32(way.valueOf9) : lane;
    const auto access = [&](u32 pc, AccessKind kind, u64 at, LaneMask active) {
        trace::WarpAccess a{Pc{pc}, active, Space::Global, kind, 4, {}};
        for (u32 lane = 0; lane < 32; ++lane)
            a.addresses[lane] = at + 4 * lane;
        recorder.step(Warp{0}, Pc{pc}, active);
        recorder.access(Warp{0}, a, reinterpret_cast<const std::byte*>(values.data()));
    };
    recorder.step(Warp{0}, Pc{0}, LaneMask::all());
    access(1, AccessKind::Load, way.loadAt, LaneMask::all());
    recorder.step(Warp{0}, Pc{2}, upper);
    if (!way.skipsAdd) recorder.step(Warp{0}, Pc{3}, lower);
    recorder.step(Warp{0}, Pc{4}, way.upperFirst ? upper : lower);
    recorder.step(Warp{0}, Pc{4}, way.upperFirst ? lower : upper);
    recorder.barrier(Warp{0});
    if (way.splitStore)
        access(5, AccessKind::Store, way.storeAt, lower), access(5, AccessKind::Store, way.storeAt, upper);
    else
        access(5, AccessKind::Store, way.storeAt, LaneMask::all());
    recorder.step(Warp{0}, Pc{6}, LaneMask::all());
    trace::Trace trace;
    trace.blocks.push_back(std::move(recorder).finish());
    return trace;
}

TEST(CompareTraces, CountsWhatDiffersByWhatItIs) {
    struct Case {
        const char* what;
        Way way;
        u64 paths, addresses, values, groups;
        const char *first, *firstGroup = "";
    };
    const Case cases[] = {
        {"the same", {}, 0, 0, 0, 0, ""},
        {"the other half first", {.upperFirst = true}, 0, 0, 0, 0, ""},
        {"an address",
         {.loadAt = 4100},
         0,
         32,
         0,
         0,
         "block 0, warp 0, lane 0 is at global address 4100 at pc 1 instead of global address 4096"},
        {"a value", {.valueOf9 = 10}, 0, 0, 2, 0, "block 0, warp 0, lane 9 has another value at pc 1"},
        {"a store in two parts",
         {.splitStore = true},
         0,
         0,
         0,
         32,
         "",
         "block 0, warp 0, lane 0 executes pc 5 with 16 lanes instead of 32"},
        {"a store in two parts, to another address",
         {.storeAt = 8196, .splitStore = true},
         0,
         32,
         0,
         32,
         "block 0, warp 0, lane 0 is at global address 8196 at pc 5 instead of global address 8192",
         "block 0, warp 0, lane 0 executes pc 5 with 16 lanes instead of 32"},
        {"another way",
         {.skipsAdd = true},
         16,
         0,
         0,
         0,
         "block 0, warp 0, lane 0 is at pc 4 instead of pc 3"},
    };
    const trace::Trace own = traceOf({});
    for (const Case& c : cases) {
        const TraceComparison result = compareTraces(module(), own, traceOf(c.way), {});
        EXPECT_EQ(result.paths, c.paths) << c.what;
        EXPECT_EQ(result.addresses, c.addresses) << c.what;
        EXPECT_EQ(result.values, c.values) << c.what;
        EXPECT_EQ(result.groups, c.groups) << c.what;
        EXPECT_EQ(result.regrouped, c.groups ? 1u : 0u) << c.what;
        EXPECT_EQ(result.isSame(), c.paths + c.addresses + c.values == 0) << c.what;
        EXPECT_EQ(result.first, c.first) << c.what;
        EXPECT_EQ(result.firstGroup, c.firstGroup) << c.what;
        EXPECT_EQ(result.raced, 0u) << c.what;
        EXPECT_EQ(result.steps, 8u) << c.what;
    }
}

// The store is reported as a race: it is in the second phase, as is what follows; the load before it is not.
TEST(CompareTraces, ForgivesWhatComesBehindARaceAndNothingBefore) {
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.who.pc = Pc{5};
    const TraceComparison behind = compareTraces(module(), traceOf({}), traceOf({.storeAt = 8196}), {race});
    EXPECT_TRUE(behind.isSame());
    EXPECT_EQ(behind.raced, 32u);
    EXPECT_TRUE(behind.racedAccessesDiffer);
    const TraceComparison before =
        compareTraces(module(), traceOf({}), traceOf({.loadAt = 4100, .storeAt = 8196}), {race});
    EXPECT_EQ(before.addresses, 32u);
    EXPECT_FALSE(before.isSame());
}

TEST(CompareTraces, ForgivesWhatALaunchReadsThatARaceLeftBehind) {
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.who.pc = Pc{5};
    race.launch = LaunchId{0};
    trace::Trace own = traceOf({}), other = traceOf({.valueOf9 = 10});
    own.blocks[0].launch = other.blocks[0].launch = LaunchId{1};
    const TraceComparison result = compareTraces(module(), own, other, {race});
    EXPECT_TRUE(result.isSame()) << result.first;
    EXPECT_EQ(result.raced, 1u);
    EXPECT_FALSE(result.racedAccessesDiffer);  // only another value
}

}  // namespace
}  // namespace lockstep::run
