// What stretches of steps come to, on runs written by hand.
#include "explain/phases/step_sums.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::columnRead, viz::RunBuilder, viz::stridedCopy, viz::twoPaces;

TEST(StepSumsTest, CountInstructionsAndTheLanesThatExist) {
    const run::Run run = twoPaces();
    StepSummer summer(run.recording.trace.blocks.front(), model::defaultProfile(), *run.module);
    EXPECT_EQ(summer.of(Warp{0}, {1, 4}), (StepSums{.instructions = 3, .lanes = 96, .lanesAtMost = 96}));
    EXPECT_EQ(summer.of(Warp{1}, {2, 5}),
              (StepSums{.instructions = 3, .lanes = 4 + 4 + 8, .lanesAtMost = 24}));
    EXPECT_EQ(summer.of(Warp{1}, {6, 6}), StepSums{});
    EXPECT_EQ(summer.of(Warp{1}, {5, 99}).instructions, 1u);
}

TEST(StepSumsTest, CountWavefrontsAndSectors) {
    // A column of tile[32][32] takes 32 passes, of tile[32][33] one; the first step is arithmetic.
    for (const auto& [pitch, wavefronts] : {std::pair{32u, 64u}, {33u, 2u}}) {
        const run::Run run = columnRead(pitch);
        StepSummer summer(run.recording.trace.blocks.front(), model::defaultProfile(), *run.module);
        EXPECT_EQ(summer.of(Warp{1}, {0, 3}), (StepSums{.instructions = 3,
                                                        .lanes = 96,
                                                        .lanesAtMost = 96,
                                                        .sharedRequests = 2,
                                                        .wavefronts = wavefronts}));
    }
    // 32 floats in a row are four sectors of 32 bytes, every second float eight.
    const run::Run near = stridedCopy(1), far = stridedCopy(2);
    EXPECT_EQ(StepSummer(near.recording.trace.blocks.front(), model::defaultProfile(), *near.module)
                  .of(Warp{0}, {1, 2})
                  .globalItems,
              4u);
    EXPECT_EQ(StepSummer(far.recording.trace.blocks.front(), model::defaultProfile(), *far.module)
                  .of(Warp{0}, {1, 2})
                  .globalItems,
              8u);
}

TEST(StepSumsTest, AnyStretchOfALongWarpIsTheSumOfItsSteps) {
    RunBuilder b("k.cu", "__global__ void kernel() {}\n");
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    for (u32 s = 0; s < 640; ++s)
        b.step(0, move, LaneMask{(1u << s % 31) - 1});
    const run::Run run = b.finish();
    StepSummer summer(run.recording.trace.blocks.front(), model::defaultProfile(), *run.module);
    for (const StepSpan span : {StepSpan{0, 640}, {63, 65}, {64, 128}, {5, 300}, {639, 640}}) {
        u64 lanes = 0;
        for (u32 s = span.begin; s < span.end; ++s)
            lanes += s % 31;
        EXPECT_EQ(
            summer.of(Warp{0}, span),
            (StepSums{.instructions = span.count(), .lanes = lanes, .lanesAtMost = u64{32} * span.count()}))
            << span.begin;
    }
}

}  // namespace
}  // namespace lockstep::explain
