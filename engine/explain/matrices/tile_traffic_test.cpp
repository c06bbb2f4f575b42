// What a tile saves, by hand: T x T threads load each element once, and read each T times.
#include "explain/matrices/tile_traffic.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

constexpr u32 kLoadM = 7;  // step

TileTraffic trafficOf(u32 width, u32 T, bool ofN, const char* profile = "cc90") {
    const run::Run run = viz::tiledMatmul(width, T, true);
    const auto facts =
        matmulFacts(run, {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = kLoadM});
    EXPECT_TRUE(facts);
    const auto traffic = tileTraffic(*facts, ofN ? facts->n : facts->m, run.recording.trace.blocks[0],
                                     *model::findProfile(profile));
    EXPECT_TRUE(traffic);
    return traffic.value_or(TileTraffic{});
}

TEST(TileTrafficTest, TimesTileWidthFewerRequests) {
    // Two warps of 32 threads, a row of 8 elements (a sector) for each 8 of them.
    const TileTraffic m = trafficOf(16, 8, false);
    EXPECT_EQ(m.requests, 2u);
    EXPECT_EQ(m.sectors, 8u);
    EXPECT_EQ(m.requestsWithout, 16u) << "8 times as many";
    EXPECT_EQ(m.sectorsWithout, 64u) << "each of four rows' element, 8 times, by two warps";
    const TileTraffic n = trafficOf(16, 8, true);
    EXPECT_EQ(n.requests, 2u);
    EXPECT_EQ(n.sectors, 8u);
    EXPECT_EQ(n.requestsWithout, 16u);
    EXPECT_EQ(n.sectorsWithout, 16u) << "all lanes of a warp read one row";
}

TEST(TileTrafficTest, CountsTransactionsWhereTheDeviceDoes) {
    const TileTraffic m = trafficOf(16, 8, false, "cc10");
    EXPECT_EQ(m.requests, 4u) << "half-warps";
    EXPECT_GE(m.sectorsWithout, m.sectors);
}

TEST(TileTrafficTest, ZerosOfTheKernelComeFromNowhere) {
    // Block (0,0), width 3, T = 2: in the first phase all is there; one warp of four threads.
    const TileTraffic m = trafficOf(3, 2, false);
    EXPECT_EQ(m.requests, 1u);
    EXPECT_EQ(m.requestsWithout, 2u);
}

}  // namespace
}  // namespace lockstep::explain
