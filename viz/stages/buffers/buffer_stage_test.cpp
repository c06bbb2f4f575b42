// What the stage of any kernel says beside its cells: why lanes are off, what a tile never uses, and a key to
// all that is drawn.
#include "viz/stages/buffers/buffer_stage.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class BufferStageTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    // Step 2 loads the halo above the block of 2 x 2: lanes 0 and 1; step 11 reads the tile with all four.
    Scene draw(u32 step, Size size = {1000, 520}) const {
        const Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = step};
        return buildBufferStage({.run = run_,
                                 .cursor = cursor,
                                 .profile = model::defaultProfile(),
                                 .size = size,
                                 .metrics = *fonts_});
    }
    static bool says(const Scene& scene, std::string_view text) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* t = std::get_if<TextMark>(&mark);
            return t && t->text == text;
        });
    }
    run::Run run_ = stencil(6, 6, 2);
    std::optional<Fonts> fonts_;
};

TEST_F(BufferStageTest, TheCornersOfATileWithAHaloAreHatched) {
    const Scene scene = draw(11);
    const auto unused = [](const HitArea& area) {
        return area.hit.hover.find("this block neither writes nor reads it") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(scene.hits, unused), 4);
    EXPECT_TRUE(says(scene, "never used"));
}

TEST_F(BufferStageTest, SaysWhyLanesAreOffWhereSomeAre) {
    EXPECT_TRUE(says(draw(2), "Lanes 0, 1 are active. Lanes 2, 3: not on this path."))
        << "there is no branch in this record";
    const auto tellsOfLanes = [](const Mark& mark) {
        const auto* t = std::get_if<TextMark>(&mark);
        return t && t->text.starts_with("Lanes ");
    };
    EXPECT_TRUE(std::ranges::none_of(draw(11).marks, tellsOfLanes));
}

TEST_F(BufferStageTest, ItsKeyIsBriefWhereItHasLittleRoom) {
    EXPECT_TRUE(says(draw(15, {1600, 520}), "halo: cells of neighboring blocks"));
    const Scene narrow = draw(15, {980, 520});
    EXPECT_TRUE(says(narrow, "halo"));
    EXPECT_TRUE(says(narrow, "by the cursor's lane"));
    EXPECT_TRUE(says(narrow, "cursor"));
}

TEST_F(BufferStageTest, SaysHowAnElementLiesToTheThreadsOwnAndMarksThatInEachMatrix) {
    const auto lane3 = [&](u32 step) {
        const Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{3}, .step = step};
        return buildBufferStage({.run = run_,
                                 .cursor = cursor,
                                 .profile = model::defaultProfile(),
                                 .size = {1600, 520},
                                 .metrics = *fonts_});
    };
    const auto points = [](const Scene& scene) {
        return std::ranges::count_if(scene.marks, [](const Mark& mark) {
            const auto* r = std::get_if<RectMark>(&mark);
            return r && r->fill.kind == RoleKind::Cursor && r->rect.width <= 6;
        });
    };
    const Scene left = lane3(13);  // after the tile is complete: above, below, left, right
    EXPECT_NE(left.sentence.find("Lane 3 reads tile[2][1], left of its own element tile[2][2]."),
              std::string::npos)
        << left.sentence;
    EXPECT_EQ(points(left), 4) << "in, tile, out and the key";
    const Scene stored = lane3(15);
    EXPECT_NE(stored.sentence.find("Lane 3 writes its own element, out[3][3]."), std::string::npos)
        << stored.sentence;
}

}  // namespace
}  // namespace lockstep::viz
