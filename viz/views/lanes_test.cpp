// What the lanes view says of lanes and lines.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

TEST(LanesTest, SaysWhyLanesAreInactive) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = parity();
    Cursor cursor;
    cursor.step = 3;
    const Scene scene = findView("lanes")->build({.run = run,
                                                  .cursor = cursor,
                                                  .profile = model::defaultProfile(),
                                                  .size = {900, 500},
                                                  .language = Language::English,
                                                  .metrics = *fonts});
    const std::string reason = "Lanes 1, 3, …, 31: waiting to run another path from line 3.";
    EXPECT_EQ(scene.sentence, "16 of 32 lanes of warp 0 execute add.f32. " + reason);
    EXPECT_TRUE(std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text == reason;
    }));
    EXPECT_TRUE(std::ranges::any_of(scene.hits, [&](const HitArea& area) {
        return area.hit.text() == "Lane 5, thread 5 is inactive: waiting to run another path from line 3.";
    }));
    const run::Run small = tiledMatmul(3, 2, true);
    cursor.step = 0;
    const Scene partial = findView("lanes")->build({.run = small,
                                                    .cursor = cursor,
                                                    .profile = model::defaultProfile(),
                                                    .size = {900, 500},
                                                    .language = Language::English,
                                                    .metrics = *fonts});
    EXPECT_TRUE(partial.sentence.ends_with("Lanes 4–31 do not exist: warp 0 has only 4 threads."))
        << partial.sentence;
}

TEST(LanesTest, SaysWhichCopyOfAnUnrolledLineRuns) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = unrolledKernel("sum += a[k] * b[k];", kUnrolledSum);
    const auto says = [&](f32 width, Language language, std::string_view words) {
        const Scene scene = findView("lanes")->build(
            {.run = run,
             .cursor = {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 5},
             .profile = model::defaultProfile(),
             .size = {width, 600},
             .language = language,
             .metrics = *fonts});
        return std::ranges::any_of(scene.marks,
                                   [&](const Mark& mark) {
                                       const auto* text = std::get_if<TextMark>(&mark);
                                       return text && text->text == words;
                                   }) &&
               std::ranges::any_of(scene.hits,
                                   [&](const HitArea& area) { return area.hit.hover.ends_with(words); });
    };
    for (const f32 width : {430.0f, 460.0f, 900.0f, 1280.0f}) {
        EXPECT_TRUE(says(width, Language::English, "copy 2 of 3, unrolled")) << width;
        EXPECT_TRUE(says(width, Language::Chinese, "循环体展开后的第 2 份，共 3 份")) << width;
    }
}

}  // namespace
}  // namespace lockstep::viz
