// What single accesses cost, on runs written by hand.
#include "explain/access/step_cost.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::columnRead, viz::stridedCopy;

TEST(StepCostTest, OfSharedMemoryIsInWavefrontsOfGlobalMemoryInSectors) {
    // A column of tile[32][32] lies in one bank, of tile[32][33] in 32.
    for (const auto& [pitch, cost] : {std::pair{32u, StepCost{32, 1}}, {33u, StepCost{1, 1}}}) {
        const run::Run run = columnRead(pitch);
        StepCosts costs(run.recording.trace.blocks.front(), model::defaultProfile(), *run.module);
        EXPECT_EQ(costs.of(Warp{0}, 0), StepCost{}) << "arithmetic";
        for (u32 again = 0; again < 2; ++again)
            EXPECT_EQ(costs.of(Warp{1}, 1), cost) << pitch;
    }
    for (const auto& [stride, cost] : {std::pair{1u, StepCost{4, 4}}, {2u, StepCost{8, 4}}}) {
        const run::Run run = stridedCopy(stride);
        StepCosts costs(run.recording.trace.blocks.front(), model::defaultProfile(), *run.module);
        EXPECT_EQ(costs.of(Warp{0}, 1), cost) << stride;
        EXPECT_EQ(costs.of(Warp{0}, 1).exceeds(), stride == 2);
    }
}

TEST(StepCostTest, DependsOnTheDevice) {
    const run::Run run = stridedCopy(2);
    const model::Profile* old = model::findProfile("cc10");
    ASSERT_TRUE(old);
    StepCosts costs(run.recording.trace.blocks.front(), *old, *run.module);
    EXPECT_EQ(costs.of(Warp{0}, 1), (StepCost{32, 2})) << "out of order: a transaction for each lane";
}

}  // namespace
}  // namespace lockstep::explain
