// What the divergence stage says and where it leads, on runs written by hand.
#include "viz/stages/divergence/divergence_stage.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

Cursor at(u32 step, u32 warp = 0, u32 lane = 0) {
    return {.launch = {}, .block = {0, 0, 0}, .warp = Warp{warp}, .lane = Lane{lane}, .step = step};
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
    EXPECT_NE(scene.sentence.find(
                  "From step 3 (line 3) on, 2 groups of lanes run one after another: 50% of the lane "
                  "slots are used until they reconverge."),
              std::string::npos)
        << scene.sentence;
    bool leads = false, says = false;
    for (const HitArea& area : scene.hits) {
        leads = leads || (area.hit.go && *area.hit.go == at(5, 0, 7));
        says = says || area.hit.text().find(
                           "Lane 7, thread 7 is inactive: waiting to run another path from line 3.") !=
                           std::string::npos;
    }
    EXPECT_TRUE(leads) << "lane 7 in the row of the odd lanes";
    EXPECT_TRUE(says) << "lane 7 in the row of the even lanes";
}

TEST_F(DivergenceStageTest, BehindTheReconvergenceItIsOver) {
    const std::string text = draw(parity(), at(6)).sentence;
    EXPECT_NE(text.find("2 groups of lanes ran one after another: 50% of the lane slots were used until they "
                        "reconverged."),
              std::string::npos)
        << text;
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
    EXPECT_TRUE(says(draw(unequalLoops(), at(1)), "warp 0: 4 lanes, 4 paths"));
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
    const run::Run run = unequalLoops();
    const std::string text = draw(run, at(4)).sentence;
    EXPECT_EQ(text.find("one after another"), std::string::npos) << text;
    EXPECT_NE(text.find("50% of the lane slots are used until they reconverge"), std::string::npos) << text;
}

}  // namespace
}  // namespace lockstep::viz
