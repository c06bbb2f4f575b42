#include "viz/scene/scaled.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(ScaledTest, AllOfASceneIsLarger) {
    Scene scene;
    scene.size = {100, 50};
    scene.marks = {RectMark{.rect = {10, 20, 30, 8}, .radius = 2, .stroke = {role(RoleKind::Line), 1.5f}},
                   TextMark{.at = {4, 9}, .text = "41", .size = 12},
                   LineMark{{1, 2}, {3, 4}, {role(RoleKind::Line), 2}, 6}, ClipMark{Rect{0, 0, 10, 10}},
                   ClipMark{}};
    scene.hits = {{{5, 5, 10, 10}, {.hover = "here"}}};
    scene.panes = {{20, 10, 2, 4}};
    scene.keys = {{2, 30, 40, 6}};
    const Scene larger = scaled(scene, 1.5f);
    EXPECT_EQ(larger.size.width, 150);
    const auto& rect = std::get<RectMark>(larger.marks[0]);
    EXPECT_EQ(rect.rect, (Rect{15, 30, 45, 12}));
    EXPECT_EQ(rect.radius, 3);
    EXPECT_EQ(rect.stroke.width, 2.25f);
    const auto& text = std::get<TextMark>(larger.marks[1]);
    EXPECT_EQ(text.at, (Point{6, 13.5f}));
    EXPECT_EQ(text.size, 18);
    EXPECT_EQ(std::get<LineMark>(larger.marks[2]).arrow, 9);
    EXPECT_EQ(std::get<ClipMark>(larger.marks[3]).rect, (Rect{0, 0, 15, 15}));
    EXPECT_FALSE(std::get<ClipMark>(larger.marks[4]).rect);
    EXPECT_EQ(larger.hits[0].rect, (Rect{7.5f, 7.5f, 15, 15}));
    EXPECT_EQ(larger.hitAt({20, 20})->hover, "here");
    EXPECT_EQ(larger.panes[0], (Rect{30, 15, 3, 6}));
    EXPECT_EQ(larger.keys[0], (Rect{3, 45, 60, 9}));
}

}  // namespace
}  // namespace lockstep::viz
