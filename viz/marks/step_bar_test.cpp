// What bars of steps show of their cost.
#include "viz/marks/step_bar.h"

#include "viz/scene/fonts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class StepBarTest : public testing::Test {
protected:
    // Top of what is drawn in that kind of color; the slot's lower edge where nothing is.
    f32 topOf(const StepSign& sign, RoleKind kind, f32 width) const {
        Canvas canvas({40, 100}, *fonts);
        drawStep(canvas, {10, 0, width, 100}, sign, warpRole(Warp{3}));
        f32 top = 100;
        for (const Mark& mark : std::move(canvas).take("").marks) {
            if (const auto* rect = std::get_if<RectMark>(&mark); rect && rect->fill.kind == kind)
                top = std::min(top, rect->rect.y);
            if (const auto* shape = std::get_if<PolygonMark>(&mark); shape && shape->fill.kind == kind)
                for (const Point& p : shape->points)
                    top = std::min(top, p.y);
        }
        return top;
    }
    Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    static constexpr f32 kWide = 12, kNarrow = 3;
};

TEST_F(StepBarTest, WhatExceedsTheLeastPossibleIsFilledAndNothingElse) {
    ASSERT_TRUE(fonts);
    for (const f32 width : {kWide, kNarrow})
        for (const StepDoes does : {StepDoes::Load, StepDoes::Store, StepDoes::Atomic}) {
            const StepSign ideal{StepKind::Global, does, {16, 16}}, worst{StepKind::Global, does, {32, 4}};
            EXPECT_EQ(topOf(ideal, RoleKind::Degree, width), 100);
            EXPECT_LT(topOf(ideal, RoleKind::Warp, width), 100);
            const f32 top = topOf(worst, RoleKind::Degree, width),
                      least = topOf(worst, RoleKind::Warp, width);
            EXPECT_NEAR(top, 0, 0.01);
            EXPECT_NEAR(least, 100 * (1 - heightOf({StepKind::Global, does, {4, 4}})), 0.01);
        }
}

TEST_F(StepBarTest, EvenASmallExcessIsSeen) {
    ASSERT_TRUE(fonts);
    const StepSign sign{StepKind::Global, StepDoes::Load, {5, 4}};
    Canvas canvas({40, 8}, *fonts);
    drawStep(canvas, {0, 0, kNarrow, 8}, sign, warpRole(Warp{0}));
    f32 seen = 0;
    for (const Mark& mark : std::move(canvas).take("").marks)
        if (const auto* rect = std::get_if<RectMark>(&mark); rect && rect->fill.kind == RoleKind::Degree)
            seen += rect->rect.height;
    EXPECT_GE(seen, 3);
}

TEST_F(StepBarTest, HeightGrowsWithTheCostOnOneScale) {
    f32 before = heightOf({.kind = StepKind::Arithmetic});
    for (u16 cost = 1; cost <= 32; ++cost) {
        const f32 height = heightOf({StepKind::Shared, StepDoes::Load, {cost, 1}});
        EXPECT_GT(height, before);
        EXPECT_EQ(height, heightOf({StepKind::Global, StepDoes::Store, {cost, cost}}));
        before = height;
    }
    EXPECT_NEAR(before, 1, 0.001);
    EXPECT_NEAR(heightOf({StepKind::Global, StepDoes::Load, {64, 4}}), 1, 0.001);
}

TEST_F(StepBarTest, OfStepsThatShareAPixelTheMostWastefulIsSeen) {
    const StepSign nothing{}, ideal{StepKind::Global, StepDoes::Load, {16, 16}},
        twice{StepKind::Global, StepDoes::Load, {8, 4}}, conflict{StepKind::Shared, StepDoes::Load, {4, 1}};
    EXPECT_TRUE(outranks(ideal, nothing));
    EXPECT_TRUE(outranks(twice, ideal));
    EXPECT_TRUE(outranks(conflict, twice));
    EXPECT_FALSE(outranks(nothing, conflict));
    EXPECT_FALSE(outranks(ideal, ideal));
}

}  // namespace
}  // namespace lockstep::viz
