// The cell that a lane of a stencil writes, and how what it reads lies to it.
#include "explain/arrays/thread_element.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::stencil;

Cursor at(u32 step, u32 lane) {
    return {.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{lane}, .step = step};
}

TEST(ThreadElementTest, IsWhereTheLaneStoresAndItsPlaceInTheTile) {
    const run::Run run = stencil(6, 6, 2);  // block (1,1) has rows and columns 2 and 3
    const BlockParts parts = blockParts(run, at(0, 0));
    for (u32 lane = 0; lane < 4; ++lane) {
        const auto own = threadElement(run, at(0, lane), parts);
        ASSERT_TRUE(own);
        EXPECT_EQ(own->row, 2 + lane / 2);
        EXPECT_EQ(own->column, 2 + lane % 2);
        ASSERT_TRUE(parts.shared.at(0));
        const auto inTile = threadElementIn(*parts.shared[0], parts, *own);
        ASSERT_TRUE(inTile);
        EXPECT_EQ(inTile->row, 1 + lane / 2) << "the halo is around it";
        EXPECT_EQ(inTile->column, 1 + lane % 2);
    }
    EXPECT_FALSE(threadElement(run, at(0, 0), {})) << "the block has no part of a matrix";
}

TEST(ThreadElementTest, NeighborsAreNamedByTheirDirection) {
    const auto says = [](ThreadElement touched, bool writes = false) {
        return howItLies(Language::English, Lane{5}, writes, "tile", touched, {3, 4});
    };
    EXPECT_EQ(says({2, 4}), "Lane 5 reads tile[2][4], above its own element tile[3][4].");
    EXPECT_EQ(says({4, 4}), "Lane 5 reads tile[4][4], below its own element tile[3][4].");
    EXPECT_EQ(says({3, 3}), "Lane 5 reads tile[3][3], left of its own element tile[3][4].");
    EXPECT_EQ(says({3, 5}), "Lane 5 reads tile[3][5], right of its own element tile[3][4].");
    EXPECT_EQ(says({3, 4}), "Lane 5 reads its own element, tile[3][4].");
    EXPECT_EQ(says({3, 4}, true), "Lane 5 writes its own element, tile[3][4].");
    EXPECT_EQ(says({2, 3}), "") << "a corner";
    EXPECT_EQ(says({1, 4}), "") << "two away";
    EXPECT_EQ(howItLies(Language::Chinese, Lane{5}, false, "tile", {2, 4}, {3, 4}),
              "通道 5 读取 tile[2][4]，即它自己的 tile[3][4] 的上邻。");
}

}  // namespace
}  // namespace lockstep::explain
