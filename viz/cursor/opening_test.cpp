// Where a run is first shown. The steps of tiledMatmul are listed in navigation_test.cpp.
#include "viz/cursor/opening.h"

#include "viz/cursor/lookup.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

using Does = catalog::Opening::Does;

// A run of a variant that says where it opens.
run::Run opensAt(run::Run run, catalog::Opening opening) {
    static catalog::Variant variant;
    variant.opening = std::move(opening);
    run.catalog = staged("matmul");
    run.catalog->variant = &variant;
    return run;
}

TEST(OpeningTest, AVariantChoosesItsPlace) {
    const run::Run run = tiledMatmul(3, 2, false);
    const auto stepOf = [&](const catalog::Opening& opening) {
        return initialCursor(opensAt(run, opening)).step;
    };
    EXPECT_EQ(stepOf({.at = "Mds[ty][tx] ="}), 7u) << "the line's first access, not its test";
    EXPECT_EQ(stepOf({.at = "Mds[ty][tx] =", .does = Does::Store}), 8u);
    EXPECT_EQ(stepOf({.at = "sum += Mds", .does = Does::Load}), 13u);
    EXPECT_EQ(stepOf({.at = "sum += Mds", .does = Does::Load, .time = 3}), 16u) << "Mds, Nds, Mds";
    EXPECT_EQ(stepOf({.at = "P[Row * width + Col]", .time = 9}), 35u) << "the last where there are fewer";
    EXPECT_EQ(stepOf({.at = "no such text"}), 7u) << "as without a place";
    EXPECT_EQ(stepOf({.at = "sum += Mds", .does = Does::Atomic}), 7u) << "it never does that";
    EXPECT_EQ(initialCursor(opensAt(run, {.at = "Mds[ty][tx] =", .lane = 3})).lane, Lane{3});
    EXPECT_EQ(initialCursor(opensAt(run, {.at = "Mds[ty][tx] =", .lane = 30})).lane, Lane{0})
        << "a block of four threads has no lane 30";
    EXPECT_EQ(initialCursor(opensAt(run, {.at = "Mds[ty][tx] =", .warp = 5})).warp, Warp{0})
        << "nor a warp 5";
}

TEST(OpeningTest, AKernelWithoutAStageBeginsAtItsWorstBankConflict) {
    run::Run column = columnRead(32), padded = columnRead(33);
    column.catalog = padded.catalog = staged("generic");
    EXPECT_EQ(initialCursor(column).step, 1u) << "a column: 32 wavefronts";
    EXPECT_EQ(initialCursor(padded).step, 1u) << "nothing is lost: the first access";
}

TEST(OpeningTest, AKernelWithoutAStageThatSharesWordsBeginsWhereOneIsTakenFromAnother) {
    run::Run run = scan();  // a load, a store to the shared row, a barrier, two loads
    run.catalog = staged("generic");
    EXPECT_EQ(initialCursor(run).step, 4u) << "behind the barrier: at step 3 each reads what it wrote itself";
    EXPECT_EQ(initialCursor(run).lane, Lane{1}) << "the first that has a neighbor before it";
    run::Run odd = scan();
    odd.catalog = staged("generic");
    odd.recording.trace.blocks[0].warps[0].accesses[3].active = LaneMask{0xfff8};
    EXPECT_EQ(initialCursor(odd).lane, Lane{3}) << "a lane that is on";
}

TEST(OpeningTest, ACopyBeginsAtTheRequestThatMovesMostInVain) {
    RunBuilder b("copy.cu", "\n");
    b.buffer("in", {256}, std::vector<f32>(256));
    const Pc near = b.instruction("ld.global.f32 %f1, [%rd1]", 1),
             far = b.instruction("ld.global.f32 %f1, [%rd1]", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    for (const u32 distance : {1u, 8u})
        b.access(
            0, distance == 1 ? near : far, LaneMask::all(), trace::Space::Global, trace::AccessKind::Load,
            [&](u32 l) { return deviceAddressOf(0) + u64{l} * distance * 4; }, [](u32) { return 0.0f; });
    b.catalog(staged("coalescing"));
    EXPECT_EQ(initialCursor(b.finish()).step, 1u);
}

TEST(OpeningTest, AKernelWithoutConflictsBeginsAtItsSharedMemoryBehindTheBarrier) {
    RunBuilder b("row.cu", "\n");
    b.shared("tile", 128);
    b.buffer("in", {32}, std::vector<f32>(32));
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 1),
             keep = b.instruction("st.shared.f32 [%r1], %f1", 1), bar = b.instruction("bar.sync 0", 1),
             take = b.instruction("ld.shared.f32 %f2, [%r1]", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const auto place = [](u32 l) { return u64{l} * 4; };
    const auto zero = [](u32) { return 0.0f; };
    b.access(
        0, load, LaneMask::all(), trace::Space::Global, trace::AccessKind::Load,
        [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; }, zero);
    b.access(0, keep, LaneMask::all(), trace::Space::Shared, trace::AccessKind::Store, place, zero);
    b.barrier(0, bar, LaneMask::all());
    b.access(0, take, LaneMask{1}, trace::Space::Shared, trace::AccessKind::Load, place, zero);
    b.access(0, take, LaneMask{0xfffffff0}, trace::Space::Shared, trace::AccessKind::Load, place, zero);
    b.catalog(staged("generic"));
    const Cursor cursor = initialCursor(b.finish());
    EXPECT_EQ(cursor.step, 4u) << "where most lanes read what is theirs";
    EXPECT_EQ(cursor.lane, Lane{4}) << "a lane that is on";
}

TEST(OpeningTest, ALaneThatIsOnIsShownFirstWhereNoLaneIsATilesGhost) {
    run::Run run = parity();
    run.recording.trace.blocks[0].warps[0].accesses[0].active = LaneMask{0xaaaaaaaau};
    EXPECT_EQ(initialCursor(run).lane, Lane{1});
}

TEST(OpeningTest, AReductionBeginsWhereThreadsBeginToAdd) {
    const Cursor cursor = initialCursor(treeSum(64));
    EXPECT_EQ(cursor.warp, Warp{0});
    EXPECT_EQ(cursor.step, 3u) << "the first load from shared memory behind the first barrier";
}

TEST(OpeningTest, ARunBeginsAtTheFirstLoadThatLeavesLanesOut) {
    const Cursor cursor = initialCursor(tiledMatmul(3, 2, true));
    EXPECT_EQ(cursor.block, (Dim3{1, 1, 0}));
    EXPECT_EQ(cursor.step, 7u) << "load M";
    EXPECT_EQ(cursor.lane, Lane{2}) << "thread (x 0, y 1), whose row does not exist";
    const Cursor unchecked = initialCursor(tiledMatmul(3, 2, false));
    EXPECT_EQ(unchecked.step, 7u) << "no lane is left out: simply the first load";
    EXPECT_EQ(unchecked.block, (Dim3{0, 0, 0}));
    EXPECT_EQ(initialCursor(columnRead(32)),
              (Cursor{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1}))
        << "no global load at all: the conflict";
}

TEST(OpeningTest, ARunWithoutLoadsBeginsWhereMostLanesAccessMemory) {
    RunBuilder b("fill.cu", "\n");
    b.buffer("out", {64}, std::vector<f32>(64));
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 1),
             store = b.instruction("st.global.f32 [%rd1], %f1", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const auto place = [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; };
    const auto zero = [](u32) { return 0.0f; };
    b.step(0, move, LaneMask::all());
    b.access(0, store, LaneMask{0xf0}, trace::Space::Global, trace::AccessKind::Store, place, zero);
    b.access(0, store, LaneMask{0xfff0}, trace::Space::Global, trace::AccessKind::Store, place, zero);
    b.access(0, store, LaneMask{0xfff0}, trace::Space::Global, trace::AccessKind::Store, place, zero);
    const Cursor cursor = initialCursor(b.finish());
    EXPECT_EQ(cursor.step, 2u) << "the first of those that most lanes make";
    EXPECT_EQ(cursor.lane, Lane{4});
}

}  // namespace
}  // namespace lockstep::viz
