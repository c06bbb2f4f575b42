// A multiplication in a hall: what is multiplied stands large, with its numbers and lanes.
#include "viz/cursor/presentation.h"
#include "viz/scene/fonts.h"
#include "viz/scene/scene_text.h"
#include "viz/scene/tokens.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class MultiplyAloneTest : public ::testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene shown(const run::Run& run, const Cursor& cursor) const {
        return presented(*findView("stage"), {.run = run,
                                              .cursor = cursor,
                                              .profile = model::defaultProfile(),
                                              .size = hallLayout({1440, 900}).viewSize(),
                                              .metrics = *fonts_});
    }
    static u32 count(const Scene& scene, const std::string& what) {
        return u32(std::ranges::count_if(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == what;
        }));
    }
    // The largest rectangle of a lane's color.
    static f32 largestCell(const Scene& scene) {
        f32 largest = 0;
        for (const Mark& mark : scene.marks)
            if (const auto* rect = std::get_if<RectMark>(&mark); rect && rect->fill.kind == RoleKind::Warp)
                largest = std::max(largest, std::min(rect->rect.width, rect->rect.height));
        return largest;
    }
    std::optional<Fonts> fonts_;
};

// The first multiplication of block (0,0): 6 steps of set-up, 6 of loading, a barrier, then Mds and Nds are
// read.
TEST_F(MultiplyAloneTest, ShowsBothTilesWholeAndTheSumsWhereTheyAreSmall) {
    const run::Run run = tiledMatmul(3, 2, true);
    const Scene scene =
        shown(run, {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = Lane{1}, .step = 14});
    for (const char* name : {"Mds", "Nds", "P", "×", "="})
        EXPECT_EQ(count(scene, name), 1u) << name;
    EXPECT_EQ(count(scene, "M"), 0u) << "no matrix but what is multiplied";
    EXPECT_GT(largestCell(scene), 50) << "of 593 x 274";
    for (const char* value : {"3.0", "5.0", "2.0", "7.0", "8.0"})
        EXPECT_GE(count(scene, value), 1u) << value;
    EXPECT_EQ(count(scene, "1.0"), 2u) << "M[0][1] and M[1][0]";
    EXPECT_GE(count(scene, "21.0"), 1u) << "lane 1 has added 3 x 7";
    EXPECT_FALSE(scene.sentence.empty());
}

TEST_F(MultiplyAloneTest, SetsTheRowAboveTheColumnWhereTilesAreLarge) {
    const run::Run run = tiledMatmul(64, 16, true);
    const Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = Warp{2}, .lane = Lane{5}, .step = 14};
    const Scene scene = shown(run, cursor);
    EXPECT_EQ(count(scene, "Mds[4][k]"), 1u) << "warp 2 has rows 4 and 5 of the tile";
    EXPECT_EQ(count(scene, "Nds[k][5]"), 1u);
    EXPECT_EQ(count(scene, "sum"), 1u);
    for (u32 k = 0; k < 16; ++k)
        EXPECT_GE(count(scene, std::to_string(k)), 1u) << k;
    EXPECT_GE(largestCell(scene), 25);
}

TEST_F(MultiplyAloneTest, ALoadHasItsMatrixAndItsTile) {
    const run::Run run = tiledMatmul(3, 2, true);
    const Scene scene =
        shown(run, {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = Lane{1}, .step = 7});
    EXPECT_EQ(count(scene, "M"), 1u);
    EXPECT_EQ(count(scene, "Mds"), 1u);
    EXPECT_EQ(count(scene, "Nds"), 0u);
}

// Step 7 of warp 2 loads its two rows of M's tile of 16 x 16; the cursor's thread is in the first of them.
TEST_F(MultiplyAloneTest, ALoadOfALargeTileHasTheCursorsRowOfIt) {
    const run::Run run = tiledMatmul(64, 16, true);
    Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = Warp{2}, .lane = Lane{5}, .step = 7};
    const Scene loading = shown(run, cursor);
    EXPECT_EQ(count(loading, "M[20][c]"), 1u);
    EXPECT_EQ(count(loading, "Mds[4][c]"), 1u);
    const auto filled = [](const Scene& scene) {
        return std::ranges::count_if(scene.marks, [](const Mark& mark) {
            const auto* rect = std::get_if<RectMark>(&mark);
            return rect && rect->fill.kind == RoleKind::Warp && rect->fill.alpha == 1 &&
                   rect->rect.width > 20 && rect->rect.height > 30;
        });
    };
    EXPECT_EQ(filled(loading), 0) << "nothing is in the tile yet";
    ++cursor.step;
    EXPECT_EQ(filled(shown(run, cursor)), 16);
}

}  // namespace
}  // namespace lockstep::viz
