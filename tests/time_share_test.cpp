// A part of a launch in time stands for all of it: how far it may be off, and that the check is of all
// blocks.
#include "run/machine/code_archive.h"
#include "run/machine/timed_run.h"
#include "support/run_shipped.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

struct Case {
    std::string kernel;
    Settings settings;
};

TEST(TimeShareTest, APartOfTheWavesTakesTheTimeOfAll) {
    // Thousands of small blocks, blocks of different length, tiles that are shared, stores that L2 holds
    // back.
    const std::vector<Case> cases{
        {"coalescing/stride", {{"n", "1048576"}}},
        {"transpose/shared-padded", {{"rows", "2048"}, {"columns", "1024"}}},
        {"matmul/tiled", {{"width", "512"}, {"tile", "8"}}},
    };
    for (const Case& each : cases) {
        Expected<run::Run> run = runShipped(each.kernel, each.settings);
        ASSERT_TRUE(run) << each.kernel << describe(run.error());
        constexpr u32 kComputeCapability = 90;
        const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run->module, kComputeCapability);
        ASSERT_TRUE(code) << each.kernel << describe(code.error());
        const Expected<run::TimedRun> whole = run::timeRun(*run, **code, {.model = {}, .wholeUpTo = ~u64{0}}),
                                      part = run::timeRun(
                                          *run, **code,
                                          {.model = {}, .wholeUpTo = run->statistics.warpInstructions / 3});
        ASSERT_TRUE(whole) << each.kernel << describe(whole.error());
        ASSERT_TRUE(part) << each.kernel << describe(part.error());
        EXPECT_TRUE(whole->isWhole);
        EXPECT_FALSE(part->isWhole) << each.kernel;
        EXPECT_LT(part->launches[0].simulatedBlocks, part->launches[0].blocks) << each.kernel;
        EXPECT_NEAR(f64(part->elapsedCycles) / f64(whole->elapsedCycles), 1, 0.1) << each.kernel;
    }
}

}  // namespace
}  // namespace lockstep
