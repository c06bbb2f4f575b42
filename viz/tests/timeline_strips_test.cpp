// What the timeline's strips say where the rows show a part of the run.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/views/views.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

struct Strip {
    u32 first = 0xffffffffu, last = 0;
    u32 hits = 0;
};

// The steps that clicks at this height lead to.
Strip stripAt(const Scene& scene, f32 y) {
    Strip strip;
    for (const auto& [rect, hit] : scene.hits)
        if (hit.go && rect.x >= 100 && y >= rect.y && y < rect.bottom() && rect.height < 25) {
            strip.first = std::min(strip.first, hit.go->step),
            strip.last = std::max(strip.last, hit.go->step);
            ++strip.hits;
        }
    return strip;
}

class TimelineStripsTest : public ::testing::Test {
protected:
    Scene timeline(const run::Run& run, f32 width) {
        fonts_ = Fonts::load(LOCKSTEP_FONT_FOLDER);
        EXPECT_TRUE(fonts_);
        const Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = Warp{2}, .lane = Lane{0}, .step = 60};
        return buildTimeline({.run = run,
                              .cursor = cursor,
                              .profile = run.profile,
                              .size = {width, 140},
                              .language = Language::English,
                              .metrics = *fonts_});
    }
    static bool says(const Scene& scene, std::string_view wanted) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const TextMark* text = std::get_if<TextMark>(&mark);
            return text && text->text == wanted;
        });
    }
    Expected<Fonts> fonts_ = Unexpected{Fault{}};
};

TEST_F(TimelineStripsTest, PhasesAreThoseOfTheStepsThatTheRowsShow) {
    const run::Run run = tiledMatmul(64, 16, true);
    const u32 steps = u32(run.recording.trace.find({}, {1, 1, 0})->warps[2].steps.size());
    const Scene scene = timeline(run, 400);  // too narrow for all of them
    EXPECT_TRUE(says(scene, "Whole run"));
    const Strip whole = stripAt(scene, 10), phases = stripAt(scene, 32);
    EXPECT_EQ(whole.first, 0u);
    EXPECT_GT(whole.last, steps - 5);
    EXPECT_GT(phases.hits, 20u);
    EXPECT_GT(phases.first, 0u) << "the rows begin after the run's first step";
    EXPECT_LT(phases.last - phases.first, 80u) << "268 pixels at 4 a step";
    EXPECT_LE(phases.first, 60u);
    EXPECT_GE(phases.last, 60u);
}

TEST_F(TimelineStripsTest, HasOneStripWhereAllStepsHaveRoom) {
    const run::Run run = tiledMatmul(64, 16, true);
    const Scene scene = timeline(run, 1400);
    EXPECT_FALSE(says(scene, "Whole run"));
    EXPECT_EQ(stripAt(scene, 12).first, 0u);
}

}  // namespace
}  // namespace lockstep::viz
