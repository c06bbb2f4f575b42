#include "viz/stage/reduction_facts.h"

#include <gtest/gtest.h>

#include "viz/test_run.h"

namespace lockstep::viz {
namespace {

constexpr Cursor kCursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0};

TEST(ReductionFactsTest, ATreeOf64HasSixRounds) {
    const run::Run run = treeSum(64);
    const auto facts = reductionFacts(run, kCursor);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->array.name, "partial");
    EXPECT_EQ(facts->places, 64u);
    EXPECT_TRUE(facts->isFloat);
    ASSERT_EQ(facts->start.size(), 64u);
    EXPECT_EQ(facts->start[40].value, 41);
    ASSERT_EQ(facts->rounds.size(), 6u);
    u64 expected = 32;
    for (const std::vector<Addition>& round : facts->rounds) {
        EXPECT_EQ(round.size(), expected);
        expected /= 2;
    }
    const Addition& first = facts->rounds[0][0];
    EXPECT_EQ(first.from, (std::vector<Addend>{{32, 33}}));
    EXPECT_EQ(first.own, (Addend{0, 1}));
    EXPECT_EQ(formulaOf(*facts, 0, first), "partial[0] = partial[0] + partial[32]: 34.0 = 1.0 + 33.0");
    EXPECT_EQ(first.to, 0u);
    EXPECT_EQ(first.sum, 1 + 33);
    EXPECT_EQ(facts->rounds[5][0].from.at(0).place, 1u);
    EXPECT_EQ(facts->rounds[5][0].sum, 64 * 65 / 2);
}

TEST(ReductionFactsTest, AKernelThatAddsNothingInSharedMemoryHasNoFacts) {
    EXPECT_FALSE(reductionFacts(stridedCopy(2), kCursor));
    EXPECT_FALSE(reductionFacts(transpose(16, 8, 9), {.launch = {}, .block = {0, 1, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0}));
}

}  // namespace
}  // namespace lockstep::viz
