// The theorem's figures, and that every addition is counted once.
#include "explain/sums/tree_cost.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

u64 allAdditions(const TreeCost& cost) {
    u64 sum = 0;
    for (u64 step = 0; step < cost.steps(); ++step) {
        EXPECT_GT(cost.addingAt(step), 0u) << cost.elements << " " << cost.processors << " " << step;
        EXPECT_LE(cost.addingAt(step), cost.processors);
        sum += cost.addingAt(step);
    }
    EXPECT_EQ(cost.addingAt(cost.steps()), 0u);
    return sum;
}

TEST(TreeCostTest, OfTheCourse) {
    const TreeCost brent = treeCost(65'536, 4'096), each = treeCost(65'536, 65'536);
    EXPECT_EQ(processorsOfBrent(65'536), 4'096u);
    EXPECT_EQ(brent.each, 15u);
    EXPECT_EQ(brent.rounds, 12u);
    EXPECT_EQ(brent.steps(), 27u);
    EXPECT_NEAR(brent.costPerElement(), 1.69, 0.005);
    EXPECT_EQ(each.each, 0u);
    EXPECT_EQ(each.steps(), 16u);
    EXPECT_EQ(each.costPerElement(), 16);
    const TreeCost half = treeCost(65'536, 32'768);
    EXPECT_EQ(half.steps(), 16u);
    EXPECT_EQ(half.costPerElement(), 8);
}

TEST(TreeCostTest, OneProcessorAddsAllAndPaysForNothingElse) {
    const TreeCost one = treeCost(1'000, 1);
    EXPECT_EQ(one.steps(), 999u);
    EXPECT_EQ(one.cost(), one.additions());
    EXPECT_EQ(one.busy(), 1);
}

TEST(TreeCostTest, EveryAdditionIsMadeOnceWhateverTheNumbers) {
    for (const u64 n : {1u, 2u, 3u, 7u, 64u, 1'000u, 1'023u})
        for (u64 p = 1; p <= n; ++p) {
            const TreeCost cost = treeCost(n, p);
            EXPECT_EQ(allAdditions(cost), n - 1) << n << " " << p;
        }
}

TEST(TreeCostTest, ProcessorsThatHaveNothingToAddAreNotCounted) {
    EXPECT_EQ(treeCost(8, 100), treeCost(8, 8));
    EXPECT_EQ(treeCost(0, 0), treeCost(1, 1));
    EXPECT_EQ(treeCost(1, 1).steps(), 0u);
    EXPECT_EQ(processorsOfBrent(1), 1u);
    EXPECT_EQ(processorsOfBrent(1'000'000), 50'172u);
}

}  // namespace
}  // namespace lockstep::explain
