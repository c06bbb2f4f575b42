#include "model/occupancy/occupancy_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::model {
namespace {

TEST(OccupancyLimits, SayWhatEachResourceAloneWouldAllow) {
    // 256 threads, 16 KB of shared memory, 40 registers on cc 9.0, by hand: 64/8 warps; (228 KB)/(16 KB + 1
    // KB); 8 warps of 40 * 32 = 1280 registers, 16384 of a quarter / 1280 = 12 warps, times 4 parts, by 8.
    const auto limits =
        occupancyLimits({.threads = 256, .sharedBytes = 16384, .registersPerThread = 40}, defaultProfile());
    ASSERT_EQ(limits.size(), 4u);
    EXPECT_EQ(limits[0].blocks, 8u);
    EXPECT_EQ(limits[1].blocks, 32u);
    EXPECT_EQ(limits[2].blocks, 13u);
    EXPECT_EQ(limits[3].blocks, 6u);
    EXPECT_EQ(limits[3].name, "registers");
    EXPECT_EQ(
        occupancyLimits({.threads = 256, .sharedBytes = 0, .registersPerThread = {}}, defaultProfile())[3]
            .blocks,
        std::nullopt)
        << "not known";
}

TEST(OccupancyLimits, TheLeastIsTheOccupancy) {
    for (const Profile& profile : profiles())
        for (const u64 threads : {1, 32, 96, 256, 512})
            for (const u64 shared : {0, 4096, 16384}) {
                const BlockNeeds needs{.threads = threads,
                                       .sharedBytes = shared,
                                       .registersPerThread = 24,
                                       .gridBlocks = 100000};
                u64 least = ~u64{0};
                for (const OccupancyLimit& limit : occupancyLimits(needs, profile))
                    least = std::min(least, limit.blocks.value_or(least));
                EXPECT_EQ(occupancy(needs, profile).blocksPerSm, least)
                    << profile.name << ", " << threads << " threads, " << shared << " bytes";
            }
}

}  // namespace
}  // namespace lockstep::model
