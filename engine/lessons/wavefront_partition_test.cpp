#include "lessons/wavefront_partition.h"

#include "model/access/shared_wavefronts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace lockstep::lessons {
namespace {

struct Drawn {
    trace::WarpAccess access;
    std::string what;
};

// Strides, random words, few words, with and without inactive lanes.
Drawn draw(std::mt19937& random, u32 widthBytes) {
    Drawn drawn{
        {.pc = kNoPc, .active = LaneMask::all(), .space = trace::Space::Shared, .widthBytes = u8(widthBytes)},
        {}};
    const u32 kind = random() % 3, stride = random() % 34, words = 1 + random() % 64;
    if (random() % 2 == 0) drawn.access.active.bits = u32(random()) | 1;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        drawn.access.addresses[lane] = u64{widthBytes} * (kind == 0   ? lane * stride
                                                          : kind == 1 ? random() % 1024
                                                                      : random() % words);
    drawn.what = "width " + std::to_string(widthBytes) + ", kind " + std::to_string(kind) + ", stride " +
                 std::to_string(stride);
    return drawn;
}

const model::Profile& kProfile = model::defaultProfile();

// Lanes in a random order, each into a random wavefront among those that have room, as few as the rule
// allows: not the first one, as leastPartition() does.
std::vector<LaneMask> shuffled(std::vector<LaneMask> partition, std::mt19937& random) {
    std::ranges::shuffle(partition, random);
    return partition;
}

TEST(WavefrontPartition, AnyLeastOneIsRightWhateverTheOrder) {
    std::mt19937 random(7);
    for (const u32 width : {1u, 2u, 4u, 8u, 16u})
        for (int i = 0; i < 200; ++i) {
            const Drawn drawn = draw(random, width);
            const auto partition = leastPartition(drawn.access, kProfile);
            ASSERT_TRUE(partition) << describe(partition.error());
            EXPECT_EQ(partition->size(), model::sharedWavefronts(drawn.access, kProfile)) << drawn.what;
            EXPECT_EQ(partitionFault(drawn.access, kProfile, shuffled(*partition, random)).english(), "")
                << drawn.what;
        }
}

// Lanes that ask for other words of the same bank change places: as right as before.
TEST(WavefrontPartition, LanesOfOneBankMayChangePlaces) {
    trace::WarpAccess access{
        .pc = kNoPc, .active = LaneMask::all(), .space = trace::Space::Shared, .widthBytes = 4};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = u64{lane} * 16;  // a stride of 4 words: lanes 0, 8, 16 and 24 meet
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
        std::vector<LaneMask> partition(4);
        for (u32 column = 0; column < 8; ++column) {
            std::array<u32, 4> order{0, 1, 2, 3};
            std::ranges::shuffle(order, random);
            for (u32 k = 0; k < 4; ++k)
                partition[order[k]].bits |= 1u << (column + 8 * k);
        }
        EXPECT_EQ(partitionFault(access, kProfile, partition).english(), "");
    }
}

TEST(WavefrontPartition, AConflictIsNamedWithLanesBankAndWords) {
    trace::WarpAccess access{
        .pc = kNoPc, .active = LaneMask::all(), .space = trace::Space::Shared, .widthBytes = 4};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = u64{lane} * 8;
    EXPECT_EQ(partitionFault(access, kProfile, {LaneMask::all()}).english(),
              "Lanes 0 and 16 cannot share a wavefront: both request bank 0, words 0 and 32.");
    EXPECT_EQ(partitionFault(access, kProfile, {{0xffff}}).english(), "16 active lanes are in no wavefront.");
    EXPECT_EQ(partitionFault(access, kProfile, {{0xffff}, {0xffff8000}}).english(),
              "Lane 15 is in two wavefronts; one serves it.");
    EXPECT_EQ(partitionFault(access, kProfile, {{0xff}, {0xff00}, {0xffff0000}}).english(),
              "Every wavefront obeys the rule, but there are too many: that of lane 0 and that of lane 8 "
              "request no bank for "
              "different words and can be one.");
}

TEST(WavefrontPartition, ASplitWavefrontIsOneTooMany) {
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        const Drawn drawn = draw(random, 4);
        std::vector<LaneMask> partition = *leastPartition(drawn.access, kProfile);
        const auto large = std::ranges::find_if(partition, [](LaneMask lanes) { return lanes.count() > 1; });
        if (large == partition.end()) continue;
        const LaneMask one = LaneMask::of(large->lowest());
        *large = *large & ~one;
        partition.push_back(one);
        EXPECT_NE(partitionFault(drawn.access, kProfile, partition).english(), "") << drawn.what;
    }
}

TEST(WavefrontPartition, WideWordsAreServedInGroups) {
    trace::WarpAccess access{
        .pc = kNoPc, .active = LaneMask::all(), .space = trace::Space::Shared, .widthBytes = 16};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = u64{lane} * 16;
    EXPECT_EQ(partitionFault(access, kProfile, {{0xff}, {0xff00}, {0xff0000}, {0xff000000}}).english(), "");
    EXPECT_NE(partitionFault(access, kProfile, {{0x10f}, {0xfef0}, {0xff0000}, {0xff000000}}).english(), "");
}

}  // namespace
}  // namespace lockstep::lessons
