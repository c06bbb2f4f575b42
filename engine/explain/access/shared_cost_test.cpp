// Atomics cost what the machine makes of them, wherever a view counts wavefronts.
#include "explain/access/shared_cost.h"

#include "explain/cursor/navigation.h"
#include "explain/phases/step_sums.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

// Lane l goes to word l * l mod 8, which is 0, 1 or 4: 8 lanes to the first, 16 to the second, 8 to the
// third.
TEST(SharedCostTest, LanesThatAreCountedShareAPassAndOthersHaveTheirOwn) {
    struct Case {
        const char* atomic;
        SharedCost cost;
    };
    for (const Case& c : {Case{"red.shared.add.u32 [%r1], 1", {1, 1}},
                          {"red.shared.add.u32 [%r1], 2", {16, 1}},
                          {"atom.shared.add.u32 %r2, [%r1], 1", {16, 1}}}) {
        const run::Run run = viz::histogram(c.atomic);
        const trace::FocusBlock& block = run.recording.trace.blocks.front();
        const trace::WarpAccess access = block.warps[0].unpack(block.warps[0].accesses[1]);
        const SharedCost cost = sharedCost(access, *run.module, model::defaultProfile());
        EXPECT_EQ(cost.wavefronts, c.cost.wavefronts) << c.atomic;
        EXPECT_EQ(cost.ideal, c.cost.ideal) << c.atomic;
        EXPECT_EQ(model::passes(asServed(access, *run.module), model::defaultProfile()).size(),
                  c.cost.wavefronts)
            << c.atomic;
        EXPECT_EQ(StepSummer(block, model::defaultProfile(), *run.module).of(Warp{0}, {0, 2}).wavefronts,
                  c.cost.wavefronts)
            << c.atomic;
        EXPECT_EQ(
            forward(run, model::defaultProfile(),
                    {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 0}, Stride::Conflict)
                .has_value(),
            c.cost.wavefronts > c.cost.ideal)
            << c.atomic;
    }
}

}  // namespace
}  // namespace lockstep::explain
