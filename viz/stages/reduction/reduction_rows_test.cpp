// The rows beside the rounds of a reduction: what is done with the sum, and where the places that are shown
// lie among all.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class ReductionRowsTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const run::Run& run, u32 step, Size size) const {
        const Cursor cursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = step};
        return findView("stage")->build({.run = run,
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
    static std::ptrdiff_t hits(const Scene& scene, std::string_view said) {
        return std::ranges::count_if(scene.hits, [&](const HitArea& area) { return area.hit.hover == said; });
    }
    std::optional<Fonts> fonts_;
};

TEST_F(ReductionRowsTest, TheStoreOfTheResultHasARowOfItsOwn) {
    const run::Run run = treeSum(64, true), without = treeSum(64);
    const Scene scene = draw(run, 3, {1400, 520});
    EXPECT_TRUE(says(scene, "result to total"));
    EXPECT_EQ(hits(scene, "1 of 32 lanes of warp 0 stores the result in total."), 1)
        << "so that warp divides once more";
    EXPECT_EQ(hits(scene, "Warp 1 stores no result."), 1);
    EXPECT_FALSE(says(draw(without, 3, {1400, 520}), "result to total"));
    EXPECT_FALSE(says(draw(run, 3, {1400, 200}), "result to total"))
        << "the rounds come first where there is little height";
}

TEST_F(ReductionRowsTest, WhereAPartIsShownAllPlacesStandAboveIt) {
    const run::Run run = treeSum(1024);
    const Scene part = draw(run, 3, {900, 520});
    EXPECT_TRUE(says(part, "all 1,024 elements"));
    EXPECT_EQ(hits(part, "partial[511]"), 1) << "lit: the first round adds to the lower half";
    EXPECT_EQ(hits(part, "partial[512]"), 0);
    EXPECT_FALSE(says(draw(treeSum(64), 3, {900, 520}), "all 64 elements"));
}

TEST_F(ReductionRowsTest, AsManyPlacesAreNumberedAsHaveRoom) {
    const run::Run run = treeSum(64);
    const Scene wide = draw(run, 3, {1400, 520});
    EXPECT_TRUE(says(wide, "34"));
    EXPECT_TRUE(says(wide, "62"));
    EXPECT_FALSE(says(draw(run, 3, {420, 520}), "34"));
}

}  // namespace
}  // namespace lockstep::viz
