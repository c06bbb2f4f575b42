// How the cursor of one run follows the cursor of another.
#include "viz/compare/comparison.h"

#include "viz/cursor/lookup.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

Cursor at(Dim3 block, u32 step, u32 lane = 0, u32 warp = 0) {
    return {.launch = {}, .block = block, .warp = Warp{warp}, .lane = Lane{lane}, .step = step};
}

u32 phaseOf(const run::Run& run, const Cursor& cursor) {
    return lookUp(run, cursor).warp->phaseOf(cursor.step);
}

TEST(ComparedRunTest, TiedByPhaseTheySitAtTheSameAccessOfTheSamePhase) {
    const run::Run small = tiledMatmul(4, 2, true), large = tiledMatmul(8, 4, true);
    const auto& warp = small.recording.trace.find({}, Dim3{0, 0, 0})->warps[0];
    u32 compared = 0;
    for (u32 step = 0; step < warp.steps.size(); ++step) {
        const Cursor from = at({0, 0, 0}, step, 3), to = tied(small, from, large, Tie::Phase);
        EXPECT_EQ(to.lane, Lane{3});
        EXPECT_EQ(phaseOf(large, to), phaseOf(small, from)) << "at step " << step;
        const CursorContext a = lookUp(small, from), b = lookUp(large, to);
        if (!a.access) continue;
        ASSERT_NE(b.access, nullptr) << "at step " << step;
        EXPECT_EQ(a.access->space, b.access->space);
        EXPECT_EQ(a.access->kind, b.access->kind);
        ++compared;
    }
    EXPECT_GT(compared, 10u);
}

TEST(ComparedRunTest, ARunFollowsItselfStepByStep) {
    const run::Run run = treeSum(64);
    const auto& warps = run.recording.trace.find({}, Dim3{0, 0, 0})->warps;
    for (u32 warp = 0; warp < warps.size(); ++warp)
        for (u32 step = 0; step < warps[warp].steps.size(); ++step)
            for (const Tie tie : {Tie::Phase, Tie::Step})
                EXPECT_EQ(tied(run, at({0, 0, 0}, step, 5, warp), run, tie), at({0, 0, 0}, step, 5, warp))
                    << "warp " << warp << ", step " << step;
}

TEST(ComparedRunTest, TiedByStepTheNumberIsTheSameUpToTheEnd) {
    const run::Run longer = treeSum(64), shorter = treeSum(32);
    const u32 last = u32(shorter.recording.trace.find({}, Dim3{0, 0, 0})->warps[0].steps.size()) - 1;
    EXPECT_EQ(tied(longer, at({0, 0, 0}, 7), shorter, Tie::Step).step, 7u);
    EXPECT_EQ(tied(longer, at({0, 0, 0}, last + 2), shorter, Tie::Step).step, last);
    // The other has one warp: the second warp's cursor stands on it.
    EXPECT_EQ(tied(longer, at({0, 0, 0}, 1, 4, 1), shorter, Tie::Step).warp, Warp{0});
}

TEST(ComparedRunTest, APhaseThatTheOtherLacksIsItsLast) {
    const run::Run longer = treeSum(64), shorter = treeSum(8);
    const auto& from = longer.recording.trace.find({}, Dim3{0, 0, 0})->warps[0];
    const u32 end = u32(from.steps.size()) - 1;
    const Cursor to = tied(longer, at({0, 0, 0}, end), shorter, Tie::Phase);
    EXPECT_EQ(to.step, u32(shorter.recording.trace.find({}, Dim3{0, 0, 0})->warps[0].steps.size()) - 1);
}

// A warp reads global memory in steps of `stride` words and then of twice as many, and writes behind a
// barrier if it is to.
run::Run twoStrides(u32 stride, bool barrier) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("strides.cu", "a\nb\nc\n");
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 1), bar = b.instruction("bar.sync 0", 2),
             store = b.instruction("st.global.f32 [%rd2], %f1", 3);
    b.buffer("in", {4096}, std::vector<f32>(4096));
    b.buffer("out", {4096}, std::vector<f32>(4096));
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const auto zero = [](u32) { return 0.0f; };
    for (const u32 by : {stride, 2 * stride})
        b.access(
            0, load, LaneMask::all(), Space::Global, AccessKind::Load,
            [&](u32 l) { return deviceAddressOf(0) + u64{l} * by * 4; }, zero);
    if (barrier) b.barrier(0, bar, LaneMask::all());
    b.access(
        0, store, LaneMask::all(), Space::Global, AccessKind::Store,
        [&](u32 l) { return deviceAddressOf(1) + u64{l} * 4; }, zero);
    run::Run run = b.finish();
    run.profile = model::defaultProfile();
    return run;
}

TEST(ComparedRunTest, AnAccessThatThePhaseLacksIsFoundInAnother) {
    const run::Run plain = twoStrides(1, false), tiled = twoStrides(1, true);
    EXPECT_EQ(tied(plain, at({0, 0, 0}, 2), tiled, Tie::Phase).step, 3u)
        << "the store lies behind the other's barrier";
    EXPECT_EQ(tied(tiled, at({0, 0, 0}, 3), plain, Tie::Phase).step, 2u);
}

TEST(ComparedRunTest, ACostDiffersMostWhereMostSectorsLieBetween) {
    // Strides 1 and 2 against 2 and 4: 4 sectors more at first, then 8.
    const run::Run near = twoStrides(1, false), far = twoStrides(2, false);
    EXPECT_EQ(greatestDifference(near, at({0, 0, 0}, 2), far, Tie::Phase).step, 1u);
    EXPECT_EQ(greatestDifference(far, at({0, 0, 0}, 2), near, Tie::Phase).step, 1u);
}

TEST(ComparedRunTest, AMistakeThatOnlyOneOfThemMakesComesBeforeAnyCost) {
    const run::Run right = twoStrides(1, false);
    run::Run wrong = twoStrides(2, false);
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.who = {.pc = Pc{2}, .block = {0, 0, 0}, .thread = {5, 0, 0}, .kind = trace::AccessKind::Store};
    wrong.recording.findings = {race};
    EXPECT_EQ(greatestDifference(right, at({0, 0, 0}, 0), wrong, Tie::Phase), at({0, 0, 0}, 2, 5));
    EXPECT_EQ(greatestDifference(wrong, at({0, 0, 0}, 0), right, Tie::Phase), at({0, 0, 0}, 2, 5));
    wrong.recording.findings[0].kind = trace::FindingKind::WarpSynchronous;
    EXPECT_EQ(greatestDifference(right, at({0, 0, 0}, 0), wrong, Tie::Phase).step, 1u)
        << "a remark is no mistake";
}

TEST(ComparedRunTest, TheGreatestDifferenceIsAnAccessThatCostsMoreElseLanesThatAreOff) {
    // A column of a tile of pitch 32 is 32 wavefronts, of pitch 33 one: the read after the index is worked
    // out.
    run::Run column = columnRead(32), padded = columnRead(33);
    for (run::Run* run : {&column, &padded})
        run->profile = model::defaultProfile();
    const Cursor begin{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = Lane{3}, .step = 0};
    EXPECT_EQ(greatestDifference(column, begin, padded, Tie::Phase).step, 1u);
    EXPECT_EQ(greatestDifference(column, begin, padded, Tie::Phase).lane, Lane{3});
    // Without any difference, nowhere else than it was.
    EXPECT_EQ(greatestDifference(column, begin, column, Tie::Step), begin);
}

TEST(ComparedRunTest, WhatIsChosenInOneOfTheTwoIsChosenForBoth) {
    const ViewOptions ptx = SourceOptions{SourceTab::Ptx}, third = StageOptions{3};
    EXPECT_EQ(byItself(comparedOptions(ptx)), ptx);
    EXPECT_EQ(byItself(comparedOptions(third)), third);
    EXPECT_EQ(byItself(comparedOptions(TimesOptions{2})), ViewOptions{}) << "it does not stand there";
}

// In the picture: two panes, what is clicked at the right is a place in the run beside, and the figures that
// differ are said.
TEST(CompareViewTest, BothSidesAnswerTheMouseEachForItsOwnRun) {
    struct Metrics : TextMetrics {
        f32 width(std::string_view text, f32 size, Face) const override {
            return f32(text.size()) * size / 2;
        }
    } metrics;
    run::Run a = columnRead(32), b = columnRead(33);
    a.report.counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 32}};
    b.report.counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 1}};
    const Cursor cursor = at({1, 0, 0}, 1, 9);
    const ComparedRun beside{b, tied(a, cursor, b, Tie::Phase), model::defaultProfile()};
    const Scene scene =
        findView("compare")->build({.run = a,
                                    .cursor = cursor,
                                    .profile = model::defaultProfile(),
                                    .size = {1440, 800},
                                    .language = Language::English,
                                    .metrics = metrics,
                                    .state = {.options = CompareOptions{"banks", Tie::Phase, {}}},
                                    .compared = &beside});
    ASSERT_EQ(scene.panes.size(), 2u);
    EXPECT_LT(scene.panes[0].right(), scene.panes[1].right())
        << "side by side: a row is no wider than a warp";
    EXPECT_EQ(
        scene.sentence,
        "1/32 as many shared load wavefronts in B: 1 instead of 32. (According to the compiler model.) Each "
        "wavefront keeps the shared memory of an SM busy for at least one clock cycle.");
    bool left = false, right = false, chooses = false;
    for (const HitArea& hit : scene.hits) {
        if (hit.hit.options) chooses = true;
        if (!hit.hit.go) continue;
        const bool isRight = scene.panes[1].contains(hit.rect.centre());
        EXPECT_EQ(hit.hit.compared, isRight) << hit.hit.text();
        (isRight ? right : left) = true;
    }
    EXPECT_TRUE(left && right && chooses);
}

TEST(CompareViewTest, WithNothingBesideItSaysSo) {
    struct Metrics : TextMetrics {
        f32 width(std::string_view text, f32 size, Face) const override {
            return f32(text.size()) * size / 2;
        }
    } metrics;
    const run::Run run = columnRead(32);
    const Scene scene = findView("compare")->build({.run = run,
                                                    .cursor = at({1, 0, 0}, 1),
                                                    .profile = model::defaultProfile(),
                                                    .size = {800, 600},
                                                    .language = Language::English,
                                                    .metrics = metrics});
    EXPECT_TRUE(scene.sentence.starts_with("There is nothing beside this run yet"));
}

}  // namespace
}  // namespace lockstep::viz
