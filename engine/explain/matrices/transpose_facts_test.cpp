#include "explain/matrices/transpose_facts.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::stridedCopy, viz::transpose;

constexpr Cursor kCursor{.launch = {}, .block = {0, 1, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0};

const Moved& elementFrom(const TransposeFacts& facts, u64 element) {
    for (const Moved& moved : facts.moved)
        if (moved.from == element) return moved;
    ADD_FAILURE() << "nobody reads element " << element;
    return facts.moved.front();
}

TEST(TransposeFactsTest, AnElementIsFollowedThroughThePaddedTile) {
    const run::Run run = transpose(16, 8, 9);
    const auto facts = transposeFacts(run, kCursor);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->in.name, "in");
    EXPECT_EQ(facts->out.name, "out");
    ASSERT_TRUE(facts->tile);
    EXPECT_EQ(facts->tile->columns(), 9u);
    EXPECT_EQ(facts->moved.size(), 64u) << "the block's tile has 8 x 8 elements";
    // in[9][2]: row 1, column 2 of the block's tile.
    const Moved& moved = elementFrom(*facts, 9 * 8 + 2);
    EXPECT_EQ(moved.loader.lane.value, 10u);
    EXPECT_EQ(moved.place, 1u * 9 + 2);
    EXPECT_EQ(moved.taker.lane.value, 17u) << "the thread at (2,1) reads tile[1][2]";
    EXPECT_EQ(moved.to, 2u * 16 + 9) << "out[2][9]";
    EXPECT_LT(moved.loaded, moved.kept);
    EXPECT_LT(moved.kept, moved.taken);
    EXPECT_LT(moved.taken, moved.stored);
    EXPECT_EQ(moved.value, 74);
    EXPECT_EQ(facts->moveAt(moved, moved.taken), Move::Take);
    EXPECT_EQ(facts->moveAt(moved, moved.stored), Move::Store);
    EXPECT_EQ(facts->moveAt(moved, 0), Move::None);
}

TEST(TransposeFactsTest, WithoutATileTheReaderIsTheWriter) {
    const run::Run run = transpose(16, 8, 0);
    const auto facts = transposeFacts(run, kCursor);
    ASSERT_TRUE(facts);
    EXPECT_FALSE(facts->tile);
    for (const Moved& moved : facts->moved) {
        EXPECT_EQ(moved.kept, kNever);
        EXPECT_EQ(moved.to, moved.from % 8 * 16 + moved.from / 8);
        EXPECT_GT(moved.stored, moved.loaded);
    }
}

TEST(TransposeFactsTest, ARunThatMovesNoMatrixHasNoFacts) {
    EXPECT_FALSE(transposeFacts(
        stridedCopy(2), {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0}));
    EXPECT_FALSE(transposeFacts(
        transpose(16, 8, 9), {.launch = {}, .block = {3, 3, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0}))
        << "not recorded";
}

}  // namespace
}  // namespace lockstep::explain
