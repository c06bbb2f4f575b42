// Points and parts of curves.
#include "viz/scene/geometry.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(GeometryTest, PartsOfACurveLieOnIt) {
    const Curve curve{Point{0, 0}, {0, 10}, {10, 10}, {10, 0}};
    EXPECT_EQ(pointAt(curve, 0), (Point{0, 0}));
    EXPECT_EQ(pointAt(curve, 1), (Point{10, 0}));
    EXPECT_NEAR(pointAt(curve, 0.5f).x, 5, 1e-5);
    EXPECT_NEAR(pointAt(curve, 0.5f).y, 7.5, 1e-5);
    const Curve middle = part(curve, 0.25f, 0.75f);
    for (const f32 t : {0.0f, 0.3f, 1.0f}) {
        EXPECT_NEAR(pointAt(middle, t).x, pointAt(curve, 0.25f + t * 0.5f).x, 1e-4);
        EXPECT_NEAR(pointAt(middle, t).y, pointAt(curve, 0.25f + t * 0.5f).y, 1e-4);
    }
}

TEST(GeometryTest, EasingStartsAndEndsAtRest) {
    EXPECT_EQ(ease(0), 0);
    EXPECT_EQ(ease(0.5f), 0.5f);
    EXPECT_EQ(ease(1), 1);
    EXPECT_LT(ease(0.1f), 0.01f);
}

}  // namespace
}  // namespace lockstep::viz
