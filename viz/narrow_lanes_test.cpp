// In the narrowest place that the lanes have in the window, the operation is read all the same.
#include <algorithm>

#include <gtest/gtest.h>

#include "viz/fonts.h"
#include "viz/test_run.h"
#include "viz/view.h"

namespace lockstep::viz {
namespace {

TEST(NarrowLanesTest, TheOperationHasRoom) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = columnRead(32);
    const Scene scene = findView("lanes")->build({.run = run, .cursor = {.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1}, .profile = model::defaultProfile(), .size = {460, 600}, .metrics = *fonts});
    EXPECT_TRUE(std::ranges::any_of(scene.marks, [](const Mark& mark) { const auto* text = std::get_if<TextMark>(&mark); return text && text->text.starts_with("ld.shared.f32"); }));
}

}  // namespace
}  // namespace lockstep::viz
