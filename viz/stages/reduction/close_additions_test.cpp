// Where a reduction's cells are too small for digits, the additions of the cursor's warp stand below them
// with their values.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

u32 textsLike(const Scene& scene, const std::string& wanted) {
    u32 count = 0;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) count += text->text.starts_with(wanted);
    return count;
}

TEST(CloseAdditionsTest, EachLaneHasItsValueTheOtherAndTheirSum) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = treeSum(256);  // 1 + 2 + ... + 256; steps 3 to 6 of a warp are its first round
    const auto sceneAt = [&](u32 warp, u32 step, u32 lane, Size size) {
        const Cursor cursor{
            .launch = {}, .block = {0, 0, 0}, .warp = Warp{warp}, .lane = Lane{lane}, .step = step};
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = model::defaultProfile(),
                                         .size = size,
                                         .language = Language::English,
                                         .metrics = *fonts});
    };
    const Scene during = sceneAt(0, 3, 2, {1200, 640}), after = sceneAt(0, 6, 2, {1200, 640});
    EXPECT_EQ(textsLike(during, "+ partial[i+128]"), 1u);
    EXPECT_EQ(textsLike(during, "131.0"), 1u) << "lane 2 has 3 and adds 131";
    EXPECT_EQ(textsLike(during, "134.0"), 1u) << "what lane 5 adds; the sum of lane 2 is not made yet";
    EXPECT_EQ(textsLike(after, "134.0"), 2u) << "now it is";
    EXPECT_TRUE(std::ranges::any_of(after.hits, [](const HitArea& area) {
        return area.hit.hover == "partial[2] = partial[2] + partial[130]: 134.0 = 3.0 + 131.0" &&
               area.hit.go->lane == Lane{2};
    }));
    EXPECT_EQ(textsLike(sceneAt(7, 3, 0, {1200, 640}), "Warp 7 adds nothing in round "), 1u);
    EXPECT_EQ(textsLike(sceneAt(0, 3, 2, {1200, 300}), "+ partial[i+128]"), 0u) << "there is no room for it";
    // Narrow: those around the cursor's lane.
    const Scene narrow = sceneAt(0, 3, 31, {700, 640});
    EXPECT_EQ(textsLike(narrow, "160.0"), 1u) << "lane 31";
    EXPECT_EQ(textsLike(narrow, "129.0"), 0u) << "lane 0";
    // How many are left out is said, and the key has the dots of what is still to be added only while there
    // are any.
    const auto columns = std::ranges::count_if(narrow.hits, [](const HitArea& area) {
        return area.hit.hover.starts_with("partial[") &&
               area.hit.hover.find("] + partial[") != std::string::npos && area.hit.go;
    });
    EXPECT_EQ(textsLike(narrow, fmt::format("{} more", 32 - columns)), 1u);
    EXPECT_EQ(textsLike(during, "later addend"), 1u);
    EXPECT_EQ(
        textsLike(sceneAt(0, u32(run.recording.trace.blocks[0].warps[0].steps.size()) - 1, 2, {1200, 640}),
                  "later addend"),
        0u);
}

}  // namespace
}  // namespace lockstep::viz
