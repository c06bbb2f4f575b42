#include "trace/block_recorder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::trace {
namespace {

TEST(AffineOf, FindsBaseAndStrideOverActiveLanesOnly) {
    struct Case {
        const char* what;
        u32 mask;
        std::vector<u64> addresses;  // of the active lanes
        std::optional<std::pair<u64, s64>> expected;
    };
    const Case cases[] = {
        {"a row", 0xf, {100, 104, 108, 112}, {{100, 4}}},
        {"backwards", 0x7, {100, 96, 92}, {{100, -4}}},
        {"one word", 0x7, {100, 100, 100}, {{100, 0}}},
        {"one lane", 0x10, {64}, {{64, 0}}},
        {"gaps", 0b101010, {108, 116, 124}, {{104, 4}}},
        {"a gap that does not divide", 0b1001, {100, 104}, std::nullopt},
        {"scattered", 0b111, {0, 4, 12}, std::nullopt},
        {"nobody", 0, {}, {{0, 0}}},
    };
    for (const Case& c : cases) {
        WarpAccess a{Pc{0}, LaneMask{c.mask}, Space::Global, AccessKind::Load, 4, {}};
        std::size_t next = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            a.addresses[lane] = a.active.has(Lane{lane}) ? c.addresses[next++] : 999;
        const std::optional<AffineAddresses> found = affineOf(a);
        ASSERT_EQ(found.has_value(), c.expected.has_value()) << c.what;
        if (found) {
            EXPECT_EQ((std::pair{found->base, found->strideBytes}), *c.expected) << c.what;
        }
    }
}

TEST(BlockRecorder, KeepsStepsAccessesAndPhasesOfEveryWarp) {
    BlockRecorder recorder(LaunchId{1}, {2, 3, 0}, 40);
    std::array<u32, 32> values{};
    for (u32 lane = 0; lane < 32; ++lane)
        values[lane] = 1000 + lane;
    WarpAccess row{Pc{5}, LaneMask::all(), Space::Shared, AccessKind::Store, 4, {}};
    WarpAccess scattered{Pc{6}, LaneMask{0b1011}, Space::Global, AccessKind::Load, 4, {}};
    for (u32 lane = 0; lane < 32; ++lane)
        row.addresses[lane] = 64 + 4 * lane, scattered.addresses[lane] = lane * lane;

    recorder.step(Warp{0}, Pc{5}, LaneMask::all());
    recorder.access(Warp{0}, row, reinterpret_cast<const std::byte*>(values.data()));
    recorder.step(Warp{1}, Pc{5}, LaneMask{0xff});
    recorder.step(Warp{0}, Pc{7}, LaneMask::all());
    recorder.barrier(Warp{0});
    recorder.step(Warp{1}, Pc{7}, LaneMask{0xff});
    recorder.barrier(Warp{1});
    recorder.step(Warp{0}, Pc{6}, LaneMask{0b1011});
    recorder.access(Warp{0}, scattered, reinterpret_cast<const std::byte*>(values.data()));
    const FocusBlock block = std::move(recorder).finish();

    EXPECT_EQ(block.launch, LaunchId{1});
    EXPECT_EQ(block.block, (Dim3{2, 3, 0}));
    EXPECT_EQ(block.threads, 40u);
    EXPECT_EQ(block.phases(), 2u);
    ASSERT_EQ(block.warps.size(), 2u);
    const WarpTrace& warp = block.warps[0];
    ASSERT_EQ(warp.steps.size(), 3u);
    EXPECT_EQ(warp.steps[1].access, Step::kNone);
    EXPECT_EQ((std::vector{warp.steps[0].order, warp.steps[1].order, warp.steps[2].order}),
              (std::vector<u32>{0, 2, 4}));
    EXPECT_EQ((std::vector{warp.phaseOf(0), warp.phaseOf(1), warp.phaseOf(2)}), (std::vector<u32>{0, 0, 1}));

    const StoredAccess& first = warp.accesses[warp.steps[0].access];
    EXPECT_TRUE(first.affine);
    EXPECT_EQ(warp.address(first, Lane{31}), 64u + 124);
    u32 value = 0;
    std::memcpy(&value, warp.value(first, Lane{9}).data(), 4);
    EXPECT_EQ(value, 1009u);

    const StoredAccess& second = warp.accesses[warp.steps[2].access];
    EXPECT_FALSE(second.affine);
    const WarpAccess again = warp.unpack(second);
    EXPECT_EQ(again.active, scattered.active);
    EXPECT_EQ(again.pc, Pc{6});
    for (Lane lane : again.active)
        EXPECT_EQ(again.addresses[lane.value], scattered.addresses[lane.value]);
    EXPECT_EQ(again.addresses[2], 0u);  // inactive
    std::memcpy(&value, warp.value(second, Lane{2}).data(), 4);
    EXPECT_EQ(value, 0u);

    Trace trace;
    trace.blocks.push_back(block);
    EXPECT_EQ(trace.find(LaunchId{1}, {2, 3, 0}), &trace.blocks[0]);
    EXPECT_EQ(trace.find(LaunchId{0}, {2, 3, 0}), nullptr);
}

TEST(BlockRecorder, StopsWhenItIsFull) {
    BlockRecorder recorder(LaunchId{0}, {0, 0, 0}, 32, 10000);
    for (int i = 0; i < 100000; ++i)
        recorder.step(Warp{0}, Pc{1}, LaneMask::all());
    EXPECT_TRUE(recorder.full());
    EXPECT_EQ(std::move(recorder).finish().warps[0].steps.size(), 10000 / sizeof(Step));
}

}  // namespace
}  // namespace lockstep::trace
