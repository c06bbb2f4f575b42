// Ranges of steps and what is said of them, on runs written by hand.
#include "viz/facts/range_text.h"

#include "explain/phases/step_sums.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(TimeAxisTest, WarpsMeetAtBarriersAndARangeThatEndsThereLastsUntilAllAreThere) {
    const run::Run run = twoPaces();
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    const explain::TimeAxis axis(block);
    EXPECT_EQ(axis.total(), 7u) << "5 steps of warp 1, then 2 of warp 0";
    EXPECT_EQ(axis.of(block.warps[0], 3), 5u);
    EXPECT_EQ(axis.of(block.warps[1], 5), 5u);
    struct Case {
        u32 warp, first, last;
        explain::StepSpan inWarp0, inWarp1;
    };
    constexpr Case cases[] = {{0, 0, 1, {0, 2}, {0, 2}},
                              {0, 1, 2, {1, 3}, {1, 5}},
                              {0, 2, 3, {2, 4}, {2, 6}},
                              {1, 3, 3, {3, 3}, {3, 4}},
                              {0, 4, 4, {4, 5}, {6, 6}}};
    for (const Case& c : cases) {
        const StepRange range{
            .launch = {}, .block = {0, 0, 0}, .warp = Warp{c.warp}, .first = c.first, .last = c.last};
        const explain::StepSpan warp0 = explain::stepsWithin(block, axis, range, Warp{0}),
                                warp1 = explain::stepsWithin(block, axis, range, Warp{1});
        EXPECT_EQ(std::pair(warp0.begin, warp0.end), std::pair(c.inWarp0.begin, c.inWarp0.end))
            << c.warp << ": " << c.first << ".." << c.last;
        EXPECT_EQ(std::pair(warp1.begin, warp1.end), std::pair(c.inWarp1.begin, c.inWarp1.end))
            << c.warp << ": " << c.first << ".." << c.last;
    }
    EXPECT_FALSE(explain::isRecorded(
        run.recording.trace, {.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .first = 3, .last = 5}))
        << "it issues 5";
    EXPECT_FALSE(explain::isRecorded(
        run.recording.trace, {.launch = {}, .block = {1, 0, 0}, .warp = Warp{0}, .first = 0, .last = 0}));
}

TEST(RangeTextTest, SaysTheSumsOfAllAndOfEachWarp) {
    const run::Run run = twoPaces();
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    explain::StepSummer summer(block, model::defaultProfile(), *run.module);
    const explain::TimeAxis axis(block);
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
