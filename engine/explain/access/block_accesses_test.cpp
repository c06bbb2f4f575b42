// Who touches an element.
#include "explain/access/block_accesses.h"

#include "base/device_addresses.h"
#include "explain/cursor/lookup.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::RunBuilder, viz::tiledMatmul;

constexpr trace::Space kGlobal = trace::Space::Global, kShared = trace::Space::Shared;

// Blocks of 2 x 2 threads: one warp. 6 steps of set-up; a round has 6 of loading, a barrier, 2 of three steps
// each and a barrier.
TEST(BlockAccessesTest, FindsTheNearestOfTheAccessesThatTouchAnElement) {
    const run::Run run = tiledMatmul(3, 2, true);
    const Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = Lane{2}, .step = 7};
    const BlockAccesses accesses(run, cursor);
    const auto& warp = lookUp(run, cursor).block->warps[0];
    // M[2][0] is read once, by lane 0.
    const u64 m20 = deviceAddressOf(0) + 6 * 4;
    ASSERT_EQ(accesses.of(kGlobal, m20).size(), 1u);
    const auto found = accesses.nearest(kGlobal, m20, 99);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->touch.step, 7u);
    EXPECT_EQ(found->touch.lanes, LaneMask::of(Lane{0}));
    EXPECT_EQ(found->touch.kind, trace::AccessKind::Load);
    EXPECT_EQ(found->more, 0u);
    // Mds[0][0] is stored and read by two lanes in each of two rounds.
    const std::vector<BlockAccesses::Touch> mds = accesses.of(kShared, 0);
    ASSERT_EQ(mds.size(), 4u);
    EXPECT_EQ(mds[0].kind, trace::AccessKind::Store);
    EXPECT_EQ(mds[1].lanes.count(), 2u) << "lanes of one instruction are one access";
    EXPECT_EQ(accesses.nearest(kShared, 0, warp.steps[mds[1].step].order)->touch.step, mds[1].step)
        << "the access itself is nearest";
    EXPECT_EQ(accesses.nearest(kShared, 0, 0)->touch.step, mds[0].step);
    EXPECT_EQ(accesses.nearest(kShared, 0, 100'000)->touch.step, mds[3].step);
    EXPECT_EQ(accesses.nearest(kShared, 0, mds[2].order - 1)->touch.step, mds[2].step);
    EXPECT_FALSE(accesses.nearest(kGlobal, deviceAddressOf(0), 0)) << "another block's";
    EXPECT_FALSE(accesses.nearest(kGlobal, deviceAddressOf(0) - 4, 0));
    EXPECT_FALSE(accesses.nearest(kShared, 1 << 20, 0));
}

TEST(BlockAccessesTest, AWideAccessTouchesAllElementsThatItCovers) {
    RunBuilder b("wide.cu", "kernel");
    b.buffer("in", {256}, std::vector<f32>(256, 1));
    const Pc load = b.instruction("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.access(
        0, load, LaneMask::all(), kGlobal, trace::AccessKind::Load,
        [](u32 lane) { return deviceAddressOf(0) + u64{lane} * 16; }, [](u32) { return 1.0f; }, 16);
    const run::Run run = b.finish();
    const BlockAccesses accesses(run, {});
    for (const u64 element : {0, 1, 3, 4, 127}) {
        const auto found = accesses.nearest(kGlobal, deviceAddressOf(0) + element * 4, 0);
        ASSERT_TRUE(found) << element;
        EXPECT_EQ(found->touch.lanes, LaneMask::of(Lane{u32(element / 4)}));
    }
    EXPECT_FALSE(accesses.nearest(kGlobal, deviceAddressOf(0) + 128 * 4, 0));
}

}  // namespace
}  // namespace lockstep::explain
