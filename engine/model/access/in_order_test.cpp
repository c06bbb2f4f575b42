// Why a half-warp is not coalesced on cc 1.0 and 1.1.
#include "model/access/in_order.h"

#include <gtest/gtest.h>

#include <functional>

namespace lockstep::model {
namespace {

trace::WarpAccess accessAt(u8 widthBytes, const std::function<u64(u32)>& address) {
    trace::WarpAccess access;
    access.active = LaneMask::all();
    access.widthBytes = widthBytes;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = address(lane);
    return access;
}

constexpr LaneMask kFirstHalf{0xffffu}, kSecondHalf{0xffff0000u};

TEST(InOrderTest, LaneKTakesWordK) {
    const trace::WarpAccess row = accessAt(4, [](u32 lane) { return 256 + u64{lane} * 4; });
    EXPECT_FALSE(disorderOf(row, kFirstHalf, 0));
    EXPECT_FALSE(disorderOf(row, kSecondHalf, 16));
    EXPECT_FALSE(disorderOf(row, LaneMask{0x0ff0u}, 0)) << "lanes that are off do not matter";
}

TEST(InOrderTest, TheFirstLaneThatTakesAnotherWordIsNamed) {
    const auto swapped = disorderOf(accessAt(4,
                                             [](u32 lane) {
                                                 return 256 + u64{lane == 3 ? 4 : lane == 4 ? 3 : lane} * 4;
                                             }),
                                    kFirstHalf, 0);
    ASSERT_TRUE(swapped);
    EXPECT_EQ(swapped->why, Disorder::Why::Order);
    EXPECT_EQ(swapped->lane, Lane{3});
    EXPECT_EQ(swapped->offsetBytes, 16);
}

TEST(InOrderTest, SoIsHowFarASegmentIsOffAndWordsThatAreTooNarrow) {
    const auto off = disorderOf(accessAt(4, [](u32 lane) { return 260 + u64{lane} * 4; }), kFirstHalf, 0);
    ASSERT_TRUE(off);
    EXPECT_EQ(off->why, Disorder::Why::Alignment);
    EXPECT_EQ(off->offsetBytes, 4);
    const auto narrow = disorderOf(accessAt(2, [](u32 lane) { return 256 + u64{lane} * 2; }), kFirstHalf, 0);
    ASSERT_TRUE(narrow);
    EXPECT_EQ(narrow->why, Disorder::Why::Width);
}

}  // namespace
}  // namespace lockstep::model
