// The part of a plate that a block computes, and its halo, from accesses written by hand.
#include "explain/arrays/block_part.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::stencil, viz::tiledMatmul, viz::transpose;

TEST(BlockPartTest, OfAStencilIsWhatTheBlockWritesAndTheHaloWhatItReadsBesides) {
    const run::Run run = stencil(8, 8, 2);  // cells 18, 19, 26, 27
    const BlockParts parts =
        blockParts(run, {.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = {}, .step = 0});
    ASSERT_EQ(parts.buffers.size(), 2u);
    const BlockPart &in = parts.buffers.at(0), &out = parts.buffers.at(1);
    EXPECT_EQ(in.own, (CellRange{2, 4, 2, 4}));
    EXPECT_EQ(in.halo, (std::set<u64>{10, 11, 17, 20, 25, 28, 34, 35})) << "no corners";
    EXPECT_EQ(in.around(8), (CellRange{1, 5, 1, 5}));
    EXPECT_EQ(out.own, in.own);
    EXPECT_TRUE(out.halo.empty());
    ASSERT_EQ(parts.shared.size(), 1u);
    ASSERT_TRUE(parts.shared[0]);
    EXPECT_EQ(parts.shared[0]->own, (CellRange{1, 3, 1, 3}));
    EXPECT_EQ(parts.shared[0]->halo, (std::set<u64>{1, 2, 4, 7, 8, 11, 13, 14}));
}

TEST(BlockPartTest, IsNoneWhereOneReadsElsewhereThanOneWrites) {
    const Cursor cursor{.launch = {}, .block = {0, 1, 0}, .warp = {}, .lane = {}, .step = 0};
    EXPECT_TRUE(blockParts(transpose(16, 16, 9), cursor).buffers.at(1).halo.empty());
    EXPECT_FALSE(blockParts(transpose(16, 16, 9), cursor).buffers.contains(0))
        << "it reads the tile on the other side of the diagonal";
    EXPECT_TRUE(blockParts(tiledMatmul(4, 4, true), {}).buffers.empty()) << "one block writes all of P";
    EXPECT_FALSE(blockParts(tiledMatmul(8, 2, true), {}).buffers.contains(0)) << "rows of M are no halo";
}

}  // namespace
}  // namespace lockstep::explain
