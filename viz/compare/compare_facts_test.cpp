// Which figure two runs are told apart by first.
#include "viz/compare/compare_facts.h"

#include "base/text/counted.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_times.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

std::vector<std::string> figures(const run::Run& a, const run::Run& b, std::string_view view,
                                 const std::vector<run::RecordedMachine>* machines = nullptr,
                                 std::pair<std::string, std::string>* times = nullptr) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    if (!fonts) return {describe(fonts.error())};
    const ComparedRun beside{b, {}, model::defaultProfile()};
    const CompareFacts facts = compareFacts({.run = a,
                                             .cursor = {},
                                             .profile = model::defaultProfile(),
                                             .size = {900, 600},
                                             .metrics = *fonts,
                                             .machines = machines,
                                             .compared = &beside},
                                            *findView(view));
    std::vector<std::string> names;
    for (const ComparedFigure& figure : facts.counted)
        names.push_back(figure.what);
    if (times) *times = {facts.timeOfA, facts.timeOfB};
    return names;
}

run::Run counted(u64 divergences, u64 threadInstructions, u64 wavefronts) {
    run::Run run = treeSum(64);
    run.report.counters = {{"ptx__branches_divergent", divergences},
                           {"ptx__inst_executed", 1000},
                           {"ptx__thread_inst_executed", threadInstructions},
                           {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", wavefronts}};
    return run;
}

TEST(CompareFactsTest, DivergenceLeadsWhereLanesIdleForIt) {
    const std::vector<std::string> idle = figures(counted(11, 18000, 400), counted(5, 26000, 100), "stage");
    ASSERT_GE(idle.size(), 3u);
    EXPECT_EQ(idle[0], "divergent PTX branches");
    EXPECT_EQ(idle[1], "active lanes per warp instruction");
    EXPECT_EQ(figures(counted(11, 30000, 400), counted(5, 30500, 100), "stage").front(),
              "shared load wavefronts")
        << "hardly a lane is idle";
    EXPECT_EQ(figures(counted(11, 18000, 400), counted(5, 26000, 100), "banks").front(),
              "shared load wavefronts")
        << "what the view shows comes first";
}

// ncu counts an atomic's sector once for each turn of the lanes at a word of it.
TEST(CompareFactsTest, SectorsAreSaidInBytesButNotWhatAtomicsAccess) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    run::Run a = counted(0, 26000, 100), b = a;
    for (const char* metric :
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_red"})
        a.report.counters[metric] = 544, b.report.counters[metric] = 8;
    const ComparedRun beside{b, {}, model::defaultProfile()};
    std::vector<std::string> sentences;
    for (const ComparedFigure& figure : compareFacts({.run = a,
                                        .cursor = {},
                                        .profile = model::defaultProfile(),
                                        .size = {900, 600},
                                        .metrics = *fonts,
                                        .compared = &beside},
                                                     *findView("memory"))
                                            .counted)
        sentences.push_back(figure.hover);
    EXPECT_TRUE(std::ranges::count(
        sentences, "1/68 as many global atomic (RED) sector accesses in B: 8 instead of 544."));
    EXPECT_TRUE(std::ranges::count(
        sentences,
        "1/68 as many global load sectors in B: 8 instead of 544. That is 256 B instead of 17.4 KB."));
}

TEST(CompareFactsTest, BothTimesAreSaidInBriefWithTheFactor) {
    const TimedRun timed = timedMultiply();
    const auto variant = [&](u32 number) {
        run::Run run = timed.run;
        run.measured.reset();
        run.catalog->variant = &timed.family->variants[number];
        return run;
    };
    std::pair<std::string, std::string> times;
    (void)figures(variant(2), variant(4), "stage", &timed.machines, &times);
    EXPECT_EQ(times.first, "measured, made-up GPU: 610 µs");
    EXPECT_EQ(times.second, "160 µs, 3.81 times as fast");
}

// In Source instructions come first, and a short table shows few rows.
TEST(CompareFactsTest, ConflictsComeBehindWhatTellsMost) {
    run::Run a = counted(0, 26000, 100), b = counted(0, 27000, 100);
    b.report.counters["ptx__inst_executed"] = 860;
    a.report.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"] = 0;
    b.report.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"] = 240;
    a.report.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"] = 544;
    b.report.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"] = 8;
    const std::vector<std::string> all = figures(a, b, "source");
    ASSERT_GE(all.size(), 3u);
    EXPECT_EQ(all[0], "PTX warp instructions");
    EXPECT_EQ(all[1], "extra load wavefronts from bank conflicts");
}

TEST(CompareFactsTest, WhatTheMachineExecutesStandsAboveThePtxInstructions) {
    run::Run a = counted(0, 26000, 100), b = counted(0, 26000, 100);
    b.report.counters["ptx__inst_executed"] = 860;
    a.measured.emplace().device = "made-up GPU";
    b.measured.emplace().device = "made-up GPU";
    a.measured->counters = {{"smsp__inst_executed", 8224}};
    b.measured->counters = {{"smsp__inst_executed", 3936}};
    const std::vector<std::string> all = figures(a, b, "source");
    ASSERT_GE(all.size(), 2u);
    EXPECT_EQ(all[0], "SASS warp instructions");
    EXPECT_EQ(all[1], "PTX warp instructions");
    b.measured->device = "another GPU";
    EXPECT_EQ(figures(a, b, "source").front(), "PTX warp instructions");
}

TEST(CompareFactsTest, ATableWithoutRoomForAllSaysHowManyItLeavesOut) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    run::Run a = counted(3, 18000, 400), b = counted(7, 26000, 100);
    for (const char* operation : {"ld", "st", "atom", "red"}) {
        a.report.counters[std::string("l1tex__t_sectors_pipe_lsu_mem_global_op_") + operation] = 544;
        b.report.counters[std::string("l1tex__t_sectors_pipe_lsu_mem_global_op_") + operation] = 8;
    }
    const ComparedRun beside{b, {}, model::defaultProfile()};
    const auto leftOut = [&](f32 height) -> std::string {
        const Scene scene = findView("compare")->build({.run = a,
                                                        .cursor = {},
                                                        .profile = model::defaultProfile(),
                                                        .size = {1400, height},
                                                        .metrics = *fonts,
                                                        .compared = &beside});
        for (const HitArea& hit : scene.hits)
            if (const std::size_t last = hit.hit.text().rfind("\nglobal"); last != std::string::npos)
                return hit.hit.text();
        return {};
    };
    EXPECT_NE(leftOut(400).find("global store sectors: A 544, B 8 (1/68 as many)"), std::string::npos)
        << leftOut(400);
    EXPECT_EQ(leftOut(1300), "") << "a tall page has room for all";
}

}  // namespace
}  // namespace lockstep::viz
