#include "viz/parts/variant_row.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

// One that reads in order, one that reads every eighth word; the second runs.
class VariantRow : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(fonts_) << describe(fonts_.error());
        family_.variants.resize(2);
        family_.variants[0].name = "in-order", family_.variants[1].name = "apart";
        run_.catalog = catalog::Experiment{.family = &family_,
                                           .variant = &family_.variants[1],
                                           .values = {},
                                           .buffers = {},
                                           .launches = {},
                                           .expected = {}};
        run_.variants = {variant("in-order", 4), variant("apart", 32)};
    }

    static run::VariantAccess variant(const std::string& name, u64 distance) {
        trace::WarpAccess access{.pc = {},
                                 .active = LaneMask::firstLanes(kWarpSize),
                                 .space = trace::Space::Global,
                                 .kind = trace::AccessKind::Load,
                                 .widthBytes = 4,
                                 .addresses = {}};
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            access.addresses[lane] = 4096 + lane * distance;
        return {.variant = name,
                .title = {"Title of " + name, "题目 " + name},
                .ofWarps = {access},
                .threads = 32};
    }

    Scene draw(f32 width, u32 warp = 0) {
        Canvas canvas({width, 400}, *fonts_);
        const ViewInput in{.run = run_,
                           .cursor = {.launch = {}, .block = {}, .warp = Warp{warp}, .lane = {}, .step = 0},
                           .profile = *model::findProfile("cc90"),
                           .size = {width, 400},
                           .metrics = *fonts_};
        height_ = drawVariantRow(canvas, in, {0, 0, width, 400});
        return std::move(canvas).take("");
    }
    static bool says(const Scene& scene, const std::string& text) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* t = std::get_if<TextMark>(&mark);
            return t && t->text == text;
        });
    }

    Expected<Fonts> fonts_ = Fonts::load(LOCKSTEP_FONT_FOLDER);
    catalog::Family family_;
    run::Run run_ = stencil(6, 6, 2);
    f32 height_ = 0;
};

TEST_F(VariantRow, HasAPictureWithItsSectorsForEachVariant) {
    const Scene scene = draw(400);
    EXPECT_GT(height_, 0);
    for (const char* text : {"Title of in-order", "Title of apart", "4 sectors", "32 sectors"})
        EXPECT_TRUE(says(scene, text)) << text;
    ASSERT_EQ(scene.hits.size(), 2u);
    EXPECT_EQ(scene.hits[0].hit.variant, "in-order");
    EXPECT_EQ(scene.hits[1].hit.variant, std::nullopt) << "it runs already";
    EXPECT_EQ(scene.hits[0].hit.hover,
              "Title of in-order: warp 0 loads 128 bytes, 4 per lane, in 4 sectors under compute capability "
              "9.0. The "
              "picture shows lanes 0 to 15. Click to run this variant.");
}

TEST_F(VariantRow, ColorIsWhatLanesUseOfTheirSectors) {
    // Of one variant alone beside itself: how much of the sectors' width has a lane's color.
    const auto used = [&](u64 distance) {
        run_.variants = {variant("in-order", distance), variant("in-order", distance)};
        const Scene scene = draw(400);
        f32 sectors = 0, color = 0, ground = 0;
        for (const Mark& mark : scene.marks)
            if (const auto* rect = std::get_if<RectMark>(&mark); rect && rect->fill.kind == RoleKind::Wasted)
                sectors += rect->rect.width, ground = rect->rect.y;
        for (const Mark& mark : scene.marks)
            if (const auto* rect = std::get_if<RectMark>(&mark);
                rect && rect->fill.kind == RoleKind::Warp && rect->rect.y == ground)
                color += rect->rect.width;
        return color / sectors;
    };
    EXPECT_GT(used(4), 0.9f);
    EXPECT_NEAR(used(8), 0.47f, 0.05f);
    EXPECT_LT(used(32), 0.2f);
}

TEST_F(VariantRow, IsLeftOutWhereThereIsNoRoomOrNothingToShow) {
    (void)draw(70);
    EXPECT_EQ(height_, 0);
    const Scene narrow = draw(130);
    EXPECT_GT(height_, 0);
    EXPECT_FALSE(says(narrow, "Title of apart"));
    EXPECT_TRUE(says(narrow, "32")) << "the number alone";
    EXPECT_EQ(draw(400, 1).hits[0].hit.hover,
              "Title of in-order: warp 1 loads nothing. The picture shows lanes 0 to 15. Click to run this "
              "variant.");
    run_.variants.clear();
    (void)draw(400);
    EXPECT_EQ(height_, 0);
}

}  // namespace
}  // namespace lockstep::viz
