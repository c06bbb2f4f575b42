// Pictures with the sentence of their cursor at the foot.
#include "viz/scene/captioned.h"

#include "viz/scene/canvas.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

std::string lowestText(const Scene& scene) {
    std::string text;
    f32 y = -1;
    for (const Mark& mark : scene.marks)
        if (const auto* written = std::get_if<TextMark>(&mark); written && written->at.y > y)
            y = written->at.y, text = written->text;
    return text;
}

ViewInput inputOf(const run::Run& run, Size size, const Fonts& fonts) {
    return {.run = run,
            .cursor = {.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{2}, .step = 7},
            .profile = model::defaultProfile(),
            .size = size,
            .metrics = fonts};
}

TEST(CaptionedTest, TheSentenceStandsAtTheFootOfASlide) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = tiledMatmul(3, 2, true);
    const ViewRow& stage = *findView("stage");
    ViewInput in = inputOf(run, {1280, 800}, *fonts);
    const Scene slide = buildCaptioned(stage, in), plain = stage.build(in);
    EXPECT_EQ(slide.size.width, 1280);
    EXPECT_EQ(slide.size.height, 800);
    EXPECT_FALSE(slide.sentence.empty());
    EXPECT_EQ(slide.sentence, plain.sentence);
    EXPECT_EQ(slide.caption, plain.caption);
    EXPECT_TRUE(slide.sentence.ends_with(lowestText(slide))) << lowestText(slide);
    EXPECT_NE(lowestText(plain), lowestText(slide));
    in.size = {600, 300};  // the view needs all of it
    EXPECT_EQ(lowestText(buildCaptioned(stage, in)), lowestText(stage.build(in)));
}

TEST(CaptionedTest, ALongSentenceIsSmallerAndWhole) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(3, 2, true);
    const ViewInput in = inputOf(run, {1280, 800}, *fonts);
    const auto slideOf = [&](int words) {
        return buildCaptioned(
            [words](const ViewInput& of) {
                std::string sentence;
                for (int i = 0; i < words; ++i)
                    sentence += "word ";
                return Canvas(of.size, of.metrics).take(sentence + "end.");
            },
            0.0f, in);
    };
    EXPECT_TRUE(lowestText(slideOf(20)).ends_with("end."));
    EXPECT_TRUE(lowestText(slideOf(80)).ends_with("end.")) << "two lines of usual size have no room for it";
    EXPECT_FALSE(lowestText(slideOf(400)).ends_with("end.")) << "nor have small ones";
}

TEST(CaptionedTest, ALowTimelineHasItsSentenceOnOneLine) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(3, 2, true);
    const ViewInput in = inputOf(run, {1280, 180}, *fonts);
    const Scene slide = buildCaptioned(*findView("timeline"), in);
    EXPECT_EQ(lowestText(slide), slide.sentence);
    EXPECT_EQ(slide.size.height, 180);
}

}  // namespace
}  // namespace lockstep::viz
