// Ranges of steps and what they come to, on runs written by hand.
#include "viz/facts/step_sums.h"

#include "viz/facts/range_text.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

// Warp 0 waits at the barrier while warp 1, of 8 threads, is still at work:
// warp 0: 0 1 | 2 bar       | 3 4
// warp 1: 0 1 | 2 3 4 bar   | 5
run::Run twoPaces() {
    RunBuilder b("k.cu", "__global__ void kernel() {}\n");
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 1), bar = b.instruction("bar.sync 0", 1);
    b.launch({1, 1, 1}, {40, 1, 1});
    b.block({0, 0, 0});
    const LaneMask eight{0xff};
    for (int i = 0; i < 2; ++i)
        b.step(0, move, LaneMask::all());
    b.barrier(0, bar, LaneMask::all());
    for (int i = 0; i < 4; ++i)
        b.step(1, move, LaneMask{0xf});
    b.barrier(1, bar, eight);
    for (int i = 0; i < 2; ++i)
        b.step(0, move, LaneMask::all());
    b.step(1, move, eight);
    return b.finish();
}

TEST(TimeAxisTest, WarpsMeetAtBarriersAndARangeThatEndsThereLastsUntilAllAreThere) {
    const run::Run run = twoPaces();
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    const TimeAxis axis(block);
    EXPECT_EQ(axis.total(), 7u) << "5 steps of warp 1, then 2 of warp 0";
    EXPECT_EQ(axis.of(block.warps[0], 3), 5u);
    EXPECT_EQ(axis.of(block.warps[1], 5), 5u);
    struct Case {
        u32 warp, first, last;
        StepSpan inWarp0, inWarp1;
    };
    constexpr Case cases[] = {{0, 0, 1, {0, 2}, {0, 2}},
                              {0, 1, 2, {1, 3}, {1, 5}},
                              {0, 2, 3, {2, 4}, {2, 6}},
                              {1, 3, 3, {3, 3}, {3, 4}},
                              {0, 4, 4, {4, 5}, {6, 6}}};
    for (const Case& c : cases) {
        const StepRange range{
            .launch = {}, .block = {0, 0, 0}, .warp = Warp{c.warp}, .first = c.first, .last = c.last};
        const StepSpan warp0 = stepsWithin(block, axis, range, Warp{0}),
                       warp1 = stepsWithin(block, axis, range, Warp{1});
        EXPECT_EQ(std::pair(warp0.begin, warp0.end), std::pair(c.inWarp0.begin, c.inWarp0.end))
            << c.warp << ": " << c.first << ".." << c.last;
        EXPECT_EQ(std::pair(warp1.begin, warp1.end), std::pair(c.inWarp1.begin, c.inWarp1.end))
            << c.warp << ": " << c.first << ".." << c.last;
    }
    EXPECT_FALSE(isRecorded(run.recording.trace,
                            {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .first = 3, .last = 5}))
        << "it issues 5";
    EXPECT_FALSE(isRecorded(run.recording.trace,
                            {.launch = {}, .block = {1, 0, 0}, .warp = Warp{0}, .first = 0, .last = 0}));
}

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
                                                        .sharedAccesses = 2,
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

TEST(RangeTextTest, SaysTheSumsOfAllAndOfEachWarp) {
    const run::Run run = twoPaces();
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    StepSummer summer(block, model::defaultProfile(), *run.module);
    const TimeAxis axis(block);
    const RangeTexts texts{summer,
                           axis,
                           {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .first = 1, .last = 2},
                           Language::English};
    // 2 steps of 32 lanes, and of 8 lanes three at half and one whole: 64 + 12 + 8 of 64 + 32.
    EXPECT_EQ(texts.ofAll(Warp{0}),
              "Steps 2–3, 2 warps: 6 instructions, 87.5% of the lanes active, 0 global sectors, 0 shared "
              "wavefronts");
    EXPECT_TRUE(texts.ofAll(Warp{1}).starts_with("Steps 2–5, "));
    EXPECT_EQ(texts.ofWarp(Warp{0}),
              "warp 0: 2 instructions, 100% of the lanes active, 0 global sectors, 0 shared wavefronts");
    EXPECT_EQ(texts.table(Warp{0}), texts.ofAll(Warp{0}) + "\n" + texts.ofWarp(Warp{0}) + "\n" +
                                        texts.ofWarp(Warp{1}) + "\nEsc clears the selection.");
    const RangeTexts late{summer,
                          axis,
                          {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .first = 4, .last = 4},
                          Language::English};
    EXPECT_EQ(late.ofWarp(Warp{1}), "warp 1: waits all that time");
}

}  // namespace
}  // namespace lockstep::viz
