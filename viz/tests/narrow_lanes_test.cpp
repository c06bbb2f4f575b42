// In the narrowest place that the lanes have in the window, the operation is read all the same.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

TEST(NarrowLanesTest, TheOperationHasRoom) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = columnRead(32);
    const Scene scene = findView("lanes")->build(
        {.run = run,
         .cursor = {.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1},
         .profile = model::defaultProfile(),
         .size = {460, 600},
         .metrics = *fonts});
    EXPECT_TRUE(std::ranges::any_of(scene.marks, [](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text.starts_with("ld.shared.f32");
    }));
}

TEST(NarrowLanesTest, ABranchLeadsToItsTarget) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    for (const char* branch : {"@%p1 bra $L__BB0_12", "bra.uni $L__BB0_12"}) {
        RunBuilder b("jump.cu", "__global__ void kernel() {\n  jump();\n}\n");
        b.launch({1, 1, 1}, {32, 1, 1});
        b.block({0, 0, 0});
        b.step(0, b.instruction(branch, 2), LaneMask::all());
        b.label("$L__BB0_12");
        b.step(0, b.instruction("mov.u32 %r1, 0", 3), LaneMask::all());
        const run::Run run = b.finish();
        const auto shown = [&](f32 width, std::string_view words) {
            const Scene scene = findView("lanes")->build(
                {.run = run,
                 .cursor = {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 1},
                 .profile = model::defaultProfile(),
                 .size = {width, 600},
                 .metrics = *fonts});
            return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
                const auto* text = std::get_if<TextMark>(&mark);
                return text && text->text == words;
            });
        };
        EXPECT_TRUE(shown(460, "bra $L__BB0_12")) << branch;
        EXPECT_TRUE(shown(1280, branch));
    }
}

}  // namespace
}  // namespace lockstep::viz
