#include "trace/block_recorder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::trace {
namespace {

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
    EXPECT_EQ(warp.address(first, Lane{31}), 64u + 124);
    u32 value = 0;
    std::memcpy(&value, warp.value(first, Lane{9}).data(), 4);
    EXPECT_EQ(value, 1009u);

    const StoredAccess& second = warp.accesses[warp.steps[2].access];
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

// Lane n reads element n / lanesPerElement: the pattern of a tile's row in a warp.
TEST(BlockRecorder, KeepsAWayToLieOnceAndAValueOncePerAddress) {
    BlockRecorder recorder(LaunchId{0}, {0, 0, 0}, 32);
    const auto access = [&](AccessKind kind, u32 pc, u64 base, u32 lanesPerElement, u32 poisoned) {
        WarpAccess a{Pc{pc}, LaneMask::all(), Space::Shared, kind, 4, {}};
        std::array<u32, 32> values{};
        for (u32 lane = 0; lane < 32; ++lane) {
            a.addresses[lane] = base + 4 * (lane / lanesPerElement);
            values[lane] = 100 + lane / lanesPerElement + (lane == poisoned);
        }
        recorder.step(Warp{0}, Pc{pc}, LaneMask::all());
        recorder.access(Warp{0}, a, reinterpret_cast<const std::byte*>(values.data()));
    };
    constexpr u32 kNobody = 99;
    access(AccessKind::Load, 1, 64, 16, kNobody);
    access(AccessKind::Load, 2, 128, 16, kNobody);
    access(AccessKind::Load, 1, 256, 32, kNobody);
    access(AccessKind::Load, 1, 512, 1, kNobody);
    access(AccessKind::Atomic, 3, 64, 16, kNobody);
    access(AccessKind::Load, 1, 64, 16, 17);  // another thread has stored in between
    const FocusBlock block = std::move(recorder).finish();
    const WarpTrace& warp = block.warps[0];

    struct Expected {
        u32 layout, values, lanesPerElement;
    };
    const Expected expected[] = {{0, 2, 16}, {0, 2, 16}, {1, 1, 32}, {2, 32, 1}, {0, 32, 16}, {0, 32, 16}};
    EXPECT_EQ(warp.layouts.size(), 3u);
    ASSERT_EQ(warp.accesses.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        const StoredAccess& stored = warp.accesses[i];
        EXPECT_EQ(stored.layout, expected[i].layout) << i;
        EXPECT_EQ(stored.values, expected[i].values) << i;
        for (u32 lane = 0; lane < 32; ++lane) {
            u32 value;
            std::memcpy(&value, warp.value(stored, Lane{lane}).data(), sizeof value);
            EXPECT_EQ(value, 100 + lane / expected[i].lanesPerElement + (i == 5 && lane == 17))
                << i << ", lane " << lane;
            EXPECT_EQ(warp.address(stored, Lane{lane}),
                      stored.base + 4 * (lane / expected[i].lanesPerElement))
                << i;
        }
    }
    EXPECT_EQ(warp.valuePool.size(), 4u * (2 + 2 + 1 + 32 + 32 + 32));
}

TEST(BlockRecorder, StopsWhenItIsFull) {
    BlockRecorder recorder(LaunchId{0}, {0, 0, 0}, 32, 10000);
    for (int i = 0; i < 100000; ++i)
        recorder.step(Warp{0}, Pc{1}, LaneMask::all());
    EXPECT_TRUE(recorder.full());
    const FocusBlock block = std::move(recorder).finish();
    EXPECT_EQ(block.warps[0].steps.size(), 10000 / sizeof(Step));
    EXPECT_TRUE(block.truncated);
}

}  // namespace
}  // namespace lockstep::trace
