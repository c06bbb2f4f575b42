// What an access would cost if it were coalesced, or without bank conflicts.
#include "time/model/access_shape.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::time {
namespace {

MemoryAccess strided(u64 first, u64 strideBytes, u32 widthBytes = 4, u32 lanes = ~0u) {
    MemoryAccess access;
    access.space = MemorySpace::Global;
    access.action = MemoryAction::Store;
    access.lanes = lanes;
    access.widthBytes = u8(widthBytes);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = first + lane * strideBytes;
    return access;
}

TEST(TouchedLines, CoalescedBytesLieInAsFewSectorsAsTheyNeed) {
    TouchedLines touched;
    touched.find(strided(0, 512));
    EXPECT_EQ(touched.lines().size(), 32u);
    EXPECT_EQ(touched.sectors(), 32u);
    EXPECT_EQ(touched.wholeSectors(), 0u);
    touched.findCoalesced(strided(0, 512));
    EXPECT_EQ(touched.lines().size(), 1u);
    EXPECT_EQ(touched.sectors(), 4u);
    EXPECT_EQ(touched.wholeSectors(), 4u);
    touched.findCoalesced(strided(0, 512, 16));
    EXPECT_EQ(touched.lines().size(), 4u);
    EXPECT_EQ(touched.sectors(), 16u);
    constexpr u32 kEveryFourth = 0x11111111;
    touched.findCoalesced(strided(0, 128, 4, kEveryFourth));
    EXPECT_EQ(touched.sectors(), 1u) << "32 bytes";
}

TEST(TouchedLines, WhatIsCoalescedStaysWhereItIs) {
    TouchedLines touched;
    touched.findCoalesced(strided(1024, 4));
    ASSERT_EQ(touched.lines().size(), 1u);
    EXPECT_EQ(touched.lines()[0].line, 8u);
}

TEST(TouchedLines, WarpsThatTouchTheSameLinesGetDifferentOnes) {
    // As 32 rows of a matrix are stored to its columns: all the data there is, once.
    std::set<u64> lines;
    for (u32 row = 0; row < 32; ++row) {
        TouchedLines touched;
        touched.findCoalesced(strided(4 * row, 4096));
        ASSERT_EQ(touched.lines().size(), 1u);
        EXPECT_TRUE(lines.insert(touched.lines()[0].line).second);
    }
    EXPECT_EQ(lines.size(), 32u);
}

TEST(AccessShape, LeastWavefrontsAreThoseOfTheWords) {
    EXPECT_EQ(leastWavefronts(strided(0, 4)), 1u);
    EXPECT_EQ(leastWavefronts(strided(0, 128)), 1u) << "one bank, 32 words";
    EXPECT_EQ(leastWavefronts(strided(0, 0)), 1u) << "one word";
    EXPECT_EQ(leastWavefronts(strided(0, 8, 8)), 2u);
    EXPECT_EQ(leastWavefronts(strided(0, 16, 16)), 4u);
    EXPECT_EQ(leastWavefronts(strided(0, 16, 16, 0xff)), 1u);
    EXPECT_EQ(leastWavefronts(strided(0, 4, 4, 0)), 0u);
}

}  // namespace
}  // namespace lockstep::time
