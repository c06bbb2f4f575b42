#include "model/reduction_cost.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

struct Case {
    u64 n, processors, steps;
};

TEST(ReductionCost, OfOneProcessorIsTheNumberOfAdditions) {
    for (const u64 n : {1u, 2u, 7u, 65536u}) {
        EXPECT_EQ(serialReduction(n).processors, 1u);
        EXPECT_EQ(serialReduction(n).cost(), n - 1);
    }
}

TEST(ReductionCost, OfATreeIsNTimesItsLogarithm) {
    constexpr Case cases[] = {{1, 1, 0}, {2, 2, 1}, {3, 3, 2}, {8, 8, 3}, {9, 9, 4}, {65536, 65536, 16}};
    for (const Case& c : cases) {
        const ReductionCost cost = treeReduction(c.n);
        EXPECT_EQ(cost.processors, c.processors) << c.n;
        EXPECT_EQ(cost.steps, c.steps) << c.n;
    }
    EXPECT_EQ(treeReduction(65536).cost(), 16u * 65536);
}

TEST(ReductionCost, OfACascadeIsProportionalToN) {
    // 65,536: 16 elements each are 15 additions, and the 4,096 sums a tree of 12 steps. 1,000: 10 elements
    // each (9), 100 sums (7). 16: 4 elements each (3), 4 sums (2).
    constexpr Case cases[] = {{1, 1, 0}, {2, 2, 1}, {16, 4, 5}, {1000, 100, 16}, {65536, 4096, 27}};
    for (const Case& c : cases) {
        const ReductionCost cost = cascadedReduction(c.n);
        EXPECT_EQ(cost.processors, c.processors) << c.n;
        EXPECT_EQ(cost.steps, c.steps) << c.n;
    }
    EXPECT_NEAR(f64(cascadedReduction(65536).cost()) / 65536, 1.7, 0.02);  // the course's figure
    for (u64 n = 4; n <= u64{1} << 40; n = n * 3 / 2) {
        EXPECT_LE(cascadedReduction(n).cost(), 2 * n + 64)
            << n;  // log n - 1 + log(n / log n) < 2 log n steps
        if (n >= 16) {
            EXPECT_LT(cascadedReduction(n).cost(), treeReduction(n).cost()) << n;
        }
    }
}

}  // namespace
}  // namespace lockstep::model
