// Which frames an animation has, and how long each is shown.
#include "viz/cursor/animation.h"

#include "viz/scene/motion.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lockstep::viz {
namespace {

u32 length(const std::vector<AnimationFrame>& frames) {
    return std::accumulate(frames.begin(), frames.end(), 0u,
                           [](u32 sum, const AnimationFrame& f) { return sum + f.milliseconds; });
}

TEST(FilmTest, WhatMovesIsShownTwentyFiveTimesASecondAndThenStands) {
    const std::vector<AnimationFrame> frames =
        animationOf({.first = 3, .last = 5}, [](u32 step) { return step == 4; });
    // Step 3 stands for half a second; step 4 travels for 300 ms in frames at 40 .. 280 ms, then stands; step
    // 5 switches.
    ASSERT_EQ(frames.size(), 1u + 8 + 1);
    EXPECT_EQ(frames[0].step, 3u);
    EXPECT_EQ(frames[0].milliseconds, 500u);
    for (u32 i = 1; i <= 7; ++i) {
        EXPECT_EQ(frames[i].step, 4u);
        EXPECT_FLOAT_EQ(frames[i].motion, f32(i) * 40 / 300);
        EXPECT_EQ(frames[i].milliseconds, 40u);
    }
    EXPECT_EQ(frames[8].motion, 1);
    EXPECT_EQ(frames[8].milliseconds, 220u);
    EXPECT_EQ(frames[9].step, 5u);
    EXPECT_EQ(length(frames), 3 * 500 + 1000u) << "the last is held a second longer";
}

TEST(FilmTest, NothingTravelsWhereMotionIsReducedOrTooFastToFollow) {
    const auto always = [](u32) { return true; };
    EXPECT_EQ(animationOf({.first = 0, .last = 9, .reducedMotion = true}, always).size(), 10u);
    EXPECT_EQ(animationOf({.first = 0, .last = 9, .stepsPerSecond = 10}, always).size(), 10u);
    const std::vector<AnimationFrame> fast =
        animationOf({.first = 0, .last = 1, .stepsPerSecond = 1000}, always);
    EXPECT_EQ(fast.front().milliseconds, 20u);
}

TEST(MotionTest, SlowMotionTravelsSlowerAndNeverLongerThanItsStep) {
    EXPECT_DOUBLE_EQ(motionSeconds(2, false), 0.3);
    EXPECT_DOUBLE_EQ(motionSeconds(1, false), 0.32);
    EXPECT_DOUBLE_EQ(motionSeconds(0.25, false), 1.28);
    EXPECT_DOUBLE_EQ(motionSeconds(6, false), 0.1);
    EXPECT_DOUBLE_EQ(motionSeconds(9, false), 0);
    EXPECT_DOUBLE_EQ(motionSeconds(1, true), 0);
    for (f64 speed = 0.25; speed < 20; speed *= 1.1)
        EXPECT_LT(motionSeconds(speed, false), 1 / speed);
}

}  // namespace
}  // namespace lockstep::viz
