// What stages answer to the mouse where they show much in little: maps of blocks, segments, a whole buffer in
// one bar.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class StageHitsTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const run::Run& run, const Cursor& cursor, Size size) const {
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = model::defaultProfile(),
                                         .size = size,
                                         .metrics = *fonts_});
    }
    static const Hit* hitThatSays(const Scene& scene, std::string_view text) {
        const auto found = std::ranges::find_if(
            scene.hits, [&](const HitArea& area) { return area.hit.text().find(text) != std::string::npos; });
        return found == scene.hits.end() ? nullptr : &found->hit;
    }
    static bool shows(const Scene& scene, std::string_view text) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* t = std::get_if<TextMark>(&mark);
            return t && t->text == text;
        });
    }
    std::optional<Fonts> fonts_;
};

TEST_F(StageHitsTest, AMapOfMatricesLeadsToBlocksAndToAccesses) {
    const run::Run run = tiledMatmul(64, 16, true);
    const Cursor cursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 7};
    const Scene scene = draw(run, cursor, {587, 359});
    const Hit* block = hitThatSays(scene, "rows 16–31, columns 32–47 of P");
    ASSERT_TRUE(block && block->go);
    EXPECT_EQ(block->go->block, (Dim3{2, 1, 0}));
    const Hit* tile = hitThatSays(scene, "rows 0–15, columns 16–31 of M");
    ASSERT_TRUE(tile && tile->go) << "the block's second tile";
    EXPECT_GT(tile->go->step, cursor.step);
    const Hit* others = hitThatSays(scene, "rows 16–31, columns 0–15 of M");
    ASSERT_TRUE(others);
    EXPECT_FALSE(others->go) << "another block's";
    EXPECT_TRUE(shows(scene, "block's tile")) << "its key is a row below, where there is no room beside";
    EXPECT_FALSE(shows(draw(run, cursor, {1200, 700}), "block's tile"));
}

TEST_F(StageHitsTest, SegmentsAndTheWholeBufferLeadToLanesAndAccesses) {
    const run::Run run = stridedCopy(2);
    const Cursor cursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 1};
    const Scene scene = draw(run, cursor, {1000, 600});
    const Hit* moved = hitThatSays(scene, "32 bytes from byte 64, transferred for lanes 8–11.");
    ASSERT_TRUE(moved && moved->go);
    EXPECT_EQ(moved->go->lane, Lane{8});
    EXPECT_TRUE(hitThatSays(scene, "64 bytes from byte 128, accessed by lanes 16–23."));
    const Hit* element = hitThatSays(scene, "in[8].");
    ASSERT_TRUE(element && element->go);
    EXPECT_EQ(element->go->step, 1u);
    EXPECT_EQ(element->go->lane, Lane{4});
    EXPECT_TRUE(hitThatSays(scene, "This block does not access this part of in[]."));
}

}  // namespace
}  // namespace lockstep::viz
