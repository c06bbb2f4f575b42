#include "viz/stages/divergence/divergence_facts.h"

#include "viz/scene/fonts.h"
#include "viz/stages/divergence/divergence_stage.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr LaneMask kOdd{0xaaaaaaaau}, kEven{0x55555555u};

Cursor at(u32 step, u32 warp = 0, u32 lane = 0) {
    return {.launch = {}, .block = {0, 0, 0}, .warp = Warp{warp}, .lane = Lane{lane}, .step = step};
}

// Lane k of 4 goes round k + 1 times.
run::Run loops() {
    using trace::AccessKind, trace::Space;
    RunBuilder b("loops.cu",
                 "__global__ void kernel(const float* in) {\n  for (int k = 0; k <= threadIdx.x; ++k)\n    "
                 "sum += in[i + k];\n}\n");
    b.buffer("in", {8}, std::vector<f32>(8, 1));
    b.label("LOOP");
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 3),
             test = b.instruction("setp.lt.s32 %p1, %r1, %r2", 2), jump = b.instruction("@%p1 bra LOOP", 2),
             end = b.instruction("mov.u32 %r3, %r1", 4);
    b.launch({1, 1, 1}, {4, 1, 1});
    b.block({0, 0, 0});
    for (u32 round = 0; round < 4; ++round) {
        const LaneMask on = LaneMask::firstLanes(4) & ~LaneMask::firstLanes(round);
        b.access(
            0, load, on, Space::Global, AccessKind::Load,
            [&](u32 l) { return deviceAddressOf(0) + u64{l + round} * 4; }, [](u32) { return 1.0f; });
        b.step(0, test, on);
        b.step(0, jump, on & ~LaneMask::of(Lane{round}));
    }
    b.step(0, end, LaneMask::firstLanes(4));
    b.catalog(staged("divergence"));
    return b.finish();
}

// Warp 0 jumps, warp 1 goes on.
run::Run wholeWarps() {
    RunBuilder b("warps.cu",
                 "__global__ void kernel() {\n  if (threadIdx.x / 32)\n    x = 1;\n  y = 2;\n}\n");
    const Pc test = b.instruction("setp.eq.s32 %p1, %r1, 0", 2), jump = b.instruction("@%p1 bra DONE", 2),
             way = b.instruction("mov.u32 %r1, 1", 3);
    b.label("DONE");
    const Pc done = b.instruction("mov.u32 %r2, 2", 4);
    b.launch({1, 1, 1}, {64, 1, 1});
    b.block({0, 0, 0});
    for (u32 w = 0; w < 2; ++w) {
        b.step(w, test, LaneMask::all());
        b.step(w, jump, w == 0 ? LaneMask::all() : LaneMask{});
        if (w == 1) b.step(w, way, LaneMask::all());
        b.step(w, done, LaneMask::all());
    }
    b.catalog(staged("divergence"));
    return b.finish();
}

TEST(DivergenceFactsTest, OddAndEvenLanesPartAtTheBranchAndMeetAtTheStore) {
    const run::Run run = parity();
    const auto facts = divergenceFacts(run, at(3));
    ASSERT_TRUE(facts);
    struct Row {
        Stretch::Kind kind;
        u32 first, end;
        LaneMask lanes;
    };
    using enum Stretch::Kind;
    const Row expected[] = {{Together, 0, 2, LaneMask::all()},
                            {Branch, 2, 3, LaneMask::all()},
                            {Way, 3, 5, kEven},
                            {Way, 5, 6, kOdd},
                            {Together, 6, 7, LaneMask::all()}};
    ASSERT_EQ(facts->stretches.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        const Stretch& stretch = facts->stretches[i];
        EXPECT_TRUE(stretch.kind == expected[i].kind && stretch.first == expected[i].first &&
                    stretch.end == expected[i].end && stretch.lanes == expected[i].lanes)
            << i;
    }
    ASSERT_EQ(facts->partings.size(), 1u);
    const Parting& parting = facts->partings[0];
    EXPECT_EQ(parting.taken, kOdd);
    EXPECT_TRUE(parting.meets);
    EXPECT_EQ(parting.groups, (std::vector{kEven, kOdd}));
    EXPECT_EQ(parting.slots, 3u * 32);
    EXPECT_EQ(parting.used, 3u * 16);
    EXPECT_EQ(facts->slots, 7u * 32);
    EXPECT_EQ(facts->used, 4u * 32 + 3 * 16);
    EXPECT_EQ(facts->reads[5], 1u);
    EXPECT_EQ(facts->stretchAt(4), 2u);
}

TEST(DivergenceFactsTest, ALoopHasARowForEachRoundWithTheLanesStillInIt) {
    const auto facts = divergenceFacts(loops(), at(0));
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->exist, 4u);
    std::vector<int> lanes;
    for (const Stretch& stretch : facts->stretches)
        lanes.push_back(stretch.lanes.count());
    EXPECT_EQ(lanes, (std::vector{4, 4, 3, 2, 1, 4}));
    for (u32 lane = 0; lane < 4; ++lane)
        EXPECT_EQ(facts->reads[lane], lane + 1);
    ASSERT_EQ(facts->partings.size(), 1u);
    EXPECT_EQ(facts->partings[0].groups.size(), 4u);
    EXPECT_EQ(facts->partings[0].groups.back(), LaneMask::of(Lane{0}));  // went straight to where they meet
    EXPECT_EQ(facts->partings[0].slots, 4u * 9);
    EXPECT_EQ(facts->partings[0].used, 3u * 3 + 2 * 3 + 1 * 3);
}

TEST(DivergenceFactsTest, MoreThanTwoPathsAreCountedForEachWarp) {
    const auto facts = divergenceFacts(loops(), at(0));
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->partings[0].paths, std::vector{4u});
    EXPECT_TRUE(divergenceFacts(parity(), at(3))->partings[0].paths.empty())
        << "which lanes go where says more of two";
}

TEST(DivergenceFactsTest, WholeWarpsThatGoDifferentWaysDoNotPart) {
    const run::Run run = wholeWarps();
    for (u32 warp = 0; warp < 2; ++warp) {
        const auto facts = divergenceFacts(run, at(0, warp));
        ASSERT_TRUE(facts);
        ASSERT_EQ(facts->partings.size(), 1u);
        EXPECT_EQ(facts->partings[0].groups, std::vector{LaneMask::all()});
        EXPECT_EQ(facts->used, facts->slots);
        const auto warps = warpsAtBranch(run, at(0, warp), facts->partings[0].pc);
        ASSERT_EQ(warps.size(), 2u);
        EXPECT_EQ(warps[0]->jump, 32);
        EXPECT_EQ(warps[1]->goOn, 32);
    }
}

class DivergenceStageTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const run::Run& run, const Cursor& cursor, f32 motion = 1) const {
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = model::defaultProfile(),
                                         .size = {900, 560},
                                         .metrics = *fonts_,
                                         .motion = motion});
    }
    std::optional<Fonts> fonts_;
};

TEST_F(DivergenceStageTest, SaysWhatTheWaysCostAndLeadsToEachOfThem) {
    const run::Run run = parity();
    const Scene scene = draw(run, at(3));
    EXPECT_NE(scene.sentence.find("From line 3 on, 2 groups of lanes run one after another: 50% of the lane "
                                  "slots are used until they reconverge."),
              std::string::npos)
        << scene.sentence;
    bool leads = false, says = false;
    for (const HitArea& area : scene.hits) {
        leads = leads || (area.hit.go && *area.hit.go == at(5, 0, 7));
        says =
            says || area.hit.text().find(
                        "Lane 7, thread x 7 is inactive: took the other path at line 3, which runs later.") !=
                        std::string::npos;
    }
    EXPECT_TRUE(leads) << "lane 7 in the row of the odd lanes";
    EXPECT_TRUE(says) << "lane 7 in the row of the even lanes";
}

// What each warp does at the branch, in words where they have room, and in figures where they have none.
TEST_F(DivergenceStageTest, SaysWhichLanesTakeTheBranchAndOfWhomEachFigureIs) {
    const run::Run run = parity(), whole = wholeWarps();
    const auto says = [](const Scene& scene, std::string_view wanted) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text.find(wanted) != std::string::npos;
        });
    };
    const Scene scene = draw(run, at(3));
    EXPECT_TRUE(says(scene, "warp 0: 16 to line 4, 16 to line 6"));
    EXPECT_TRUE(says(scene, "Warp 0, whole run: "));
    EXPECT_TRUE(says(draw(whole, at(1)), "warp 0: 32 to line 4, 0 to line 3"));
    EXPECT_TRUE(says(draw(whole, at(1)), "warp 1: 0 to line 4, 32 to line 3"));
    const Scene narrow = findView("stage")->build({.run = whole,
                                                   .cursor = at(1),
                                                   .profile = model::defaultProfile(),
                                                   .size = {460, 560},
                                                   .metrics = *fonts_});
    EXPECT_TRUE(says(draw(loops(), at(1)), "warp 0: 4 lanes, 4 paths"));
    EXPECT_TRUE(says(narrow, "1: 0|32"));
    EXPECT_TRUE(says(narrow, "go to line 4 | to line 3"));
}

TEST_F(DivergenceStageTest, OnlyTheFirstStepOfAWayMoves) {
    const run::Run run = parity();
    EXPECT_TRUE(draw(run, at(3), 0.5f).animating);
    EXPECT_FALSE(draw(run, at(4), 0.5f).animating);
    EXPECT_FALSE(draw(run, at(3), 1).animating);
}

TEST_F(DivergenceStageTest, ALoopIsNotSaidToRunItsLanesOneAfterAnother) {
    const run::Run run = loops();
    const std::string text = draw(run, at(4)).sentence;
    EXPECT_EQ(text.find("one after another"), std::string::npos) << text;
    EXPECT_NE(text.find("50% of the lane slots are used until they reconverge"), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep::viz
