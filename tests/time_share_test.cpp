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

TEST(TimeShareTest, ALargeLaunchIsCheckedInPart) {
    Expected<run::Run> run = runShipped("matmul/tiled", {{"width", "256"}});
    ASSERT_TRUE(run) << describe(run.error());
    constexpr u32 kComputeCapability = 90;
    const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run->module, kComputeCapability);
    ASSERT_TRUE(code) << describe(code.error());
    const u64 all = run->statistics.warpInstructions;
    const run::TimingOptions options{.model = {}, .wholeUpTo = all / 4, .mostChecked = all / 4};
    const Expected<run::TimedRun> timed = run::timeRun(*run, **code, options);
    ASSERT_TRUE(timed) << describe(timed.error());
    constexpr u64 kBlocks = 16 * 16;
    EXPECT_EQ(timed->checkedBlocks, kBlocks / 4);
    const Expected<run::TimedRun> wholly =
        run::timeRun(*run, **code, {.model = {}, .wholeUpTo = all / 4, .mostChecked = all});
    ASSERT_TRUE(wholly) << describe(wholly.error());
    EXPECT_FALSE(wholly->checkedBlocks);
    EXPECT_EQ(wholly->elapsedCycles, timed->elapsedCycles);
    // The first block's first element is another: found. One of a block that is not checked: not.
    Buffer& result = run->recording.final.back();
    constexpr std::size_t kSecondBlock = 16 * sizeof(f32);
    result.bytes[kSecondBlock] ^= std::byte{1};
    EXPECT_TRUE(run::timeRun(*run, **code, options));
    EXPECT_FALSE(run::timeRun(*run, **code, {.model = {}, .wholeUpTo = all / 4, .mostChecked = all}));
    result.bytes[0] ^= std::byte{1};
    const Expected<run::TimedRun> differs = run::timeRun(*run, **code, options);
    ASSERT_FALSE(differs);
    EXPECT_EQ(describe(differs.error()),
              "its machine code leaves something else in " + result.name + " than its PTX");
}

}  // namespace
}  // namespace lockstep
