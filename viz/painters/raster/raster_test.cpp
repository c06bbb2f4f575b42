// Pixels of simple shapes, at places where their color is known.
#include "viz/painters/raster/raster.h"

#include "viz/scene/canvas.h"

#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <cmath>
#include <filesystem>

namespace lockstep::viz {
namespace {

class RasterTest : public testing::Test {
protected:
    RasterTest()
        : fonts(Fonts::load(LOCKSTEP_FONT_FOLDER).value()), painter(fonts), canvas({64, 48}, fonts) {}
    Image paint(f32 scale = 1) { return painter.paint(canvas.scene(), theme, scale); }

    static void expectColor(const Image& image, u32 x, u32 y, Color want, int tolerance = 1) {
        const Color got = image.at(x, y);
        EXPECT_NEAR(got.r, want.r, tolerance) << x << ", " << y;
        EXPECT_NEAR(got.g, want.g, tolerance) << x << ", " << y;
        EXPECT_NEAR(got.b, want.b, tolerance) << x << ", " << y;
    }

    Fonts fonts;
    RasterPainter painter;
    Canvas canvas;
    const Theme& theme = defaultTheme();
};

TEST_F(RasterTest, RectanglesFillTheirPixelsAndPartsOfTheirEdges) {
    canvas.rect({10, 10, 20, 10.5f}, {.fill = role(RoleKind::Cursor)});
    const Image image = paint();
    EXPECT_EQ(image.width, 64u);
    expectColor(image, 5, 5, theme.ground);
    expectColor(image, 10, 10, theme.cursor);
    expectColor(image, 29, 19, theme.cursor);
    expectColor(image, 30, 19, theme.ground);
    expectColor(image, 20, 20, mix(theme.ground, theme.cursor, 0.5f), 2);
    EXPECT_EQ(image.at(20, 15).alpha, 1);
}

TEST_F(RasterTest, RoundedCornersAreCutAndOutlinesAreHollow) {
    canvas.rect({4, 4, 24, 24}, {.fill = role(RoleKind::Text), .radius = 8});
    canvas.rect({36, 4, 20, 20}, {.stroke = {role(RoleKind::Finding), 2}, .radius = 4});
    const Image image = paint();
    expectColor(image, 4, 4, theme.ground);
    expectColor(image, 16, 4, theme.text);
    expectColor(image, 16, 16, theme.text);
    expectColor(image, 46, 14, theme.ground);
    expectColor(image, 46, 3, theme.finding);
    expectColor(image, 46, 4, theme.finding);
    expectColor(image, 35, 14, theme.finding);
    expectColor(image, 46, 24, theme.finding);
    expectColor(image, 55, 14, theme.finding);
}

TEST_F(RasterTest, AlphaMixesWithWhatLiesBelow) {
    canvas.rect({0, 0, 64, 48}, {.fill = role(RoleKind::Cursor)});
    canvas.rect({0, 0, 20, 20}, {.fill = role(RoleKind::Ground, 0.25f)});
    expectColor(paint(), 10, 10, mix(theme.cursor, theme.ground, 0.25f), 2);
}

TEST_F(RasterTest, DashesLeaveGaps) {
    canvas.line({2, 10}, {62, 10}, {role(RoleKind::Text), 2, Dash::Dashed});  // 5 on, 4 off
    const Image image = paint();
    expectColor(image, 4, 10, theme.text);
    expectColor(image, 9, 10, theme.ground);
    expectColor(image, 13, 10, theme.text);
    expectColor(image, 4, 14, theme.ground);
}

TEST_F(RasterTest, PolygonsAndArrowHeadsAreFilled) {
    canvas.polygon({{10, 40}, {30, 40}, {20, 20}}, role(RoleKind::Load));
    canvas.line({40, 40}, {60, 40}, {role(RoleKind::Store), 1}, 10);
    const Image image = paint();
    expectColor(image, 20, 35, theme.load);
    expectColor(image, 11, 25, theme.ground);
    expectColor(image, 52, 42, theme.store);
    expectColor(image, 44, 42, theme.ground);
}

TEST_F(RasterTest, CurvesPassThroughTheirPoints) {
    canvas.curve({Point{4, 40}, {4, 10}, {60, 10}, {60, 40}}, {role(RoleKind::Text), 3});
    const Image image = paint();
    const Point middle = pointAt({Point{4, 40}, {4, 10}, {60, 10}, {60, 40}}, 0.5f);
    expectColor(image, u32(middle.x), u32(middle.y), theme.text, 30);
    expectColor(image, 32, 40, theme.ground);
}

TEST_F(RasterTest, ClipsCutWhatFollowsUntilTheyEnd) {
    canvas.clip({0, 0, 20, 48});
    canvas.rect({0, 0, 64, 10}, {.fill = role(RoleKind::Text)});
    canvas.unclip();
    canvas.rect({0, 20, 64, 10}, {.fill = role(RoleKind::Text)});
    const Image image = paint();
    expectColor(image, 10, 5, theme.text);
    expectColor(image, 40, 5, theme.ground);
    expectColor(image, 40, 25, theme.text);
}

TEST_F(RasterTest, TextIsInkWhereItsMetricsSay) {
    canvas.text({4, 24}, "线程", {.size = 20, .role = role(RoleKind::Text)});
    const Image image = paint(2);
    EXPECT_EQ(image.width, 128u);
    u32 inside = 0, outside = 0;
    const f32 width = fonts.width("线程", 20, Face::Text);
    for (u32 y = 0; y < image.height; ++y)
        for (u32 x = 0; x < image.width; ++x)
            if (image.at(x, y).r > 120)
                ++(f32(x) >= 8 && f32(x) < 8 + 2 * width && y > 24 && y < 70 ? inside : outside);
    EXPECT_GT(inside, 300u);
    EXPECT_EQ(outside, 0u);
}

TEST_F(RasterTest, ShapesFarOutsideAndDegenerateOnesDrawNothingAndDoNotFail) {
    canvas.rect({-1e30f, -1e30f, 1, 1}, {.fill = role(RoleKind::Text), .stroke = {role(RoleKind::Text)}});
    canvas.rect({10, 10, -5, 0},
                {.fill = role(RoleKind::Text), .stroke = {role(RoleKind::Text)}, .radius = 3});
    canvas.line({5, 5}, {5, 5}, {role(RoleKind::Text)}, 8);
    canvas.polygon({}, role(RoleKind::Text), {role(RoleKind::Text)});
    canvas.line({-1e6f, 30}, {1e6f, 30}, {role(RoleKind::Text), 2});
    const Image image = paint();
    expectColor(image, 32, 29, theme.text);
    expectColor(image, 32, 40, theme.ground);
}

TEST_F(RasterTest, PicturesComeBackFromTheirPngUnchanged) {
    canvas.rect({10, 10, 20, 10}, {.fill = role(RoleKind::Finding)});
    const Image image = paint();
    const std::vector<u8> png = encodePng(image);
    int width = 0, height = 0, channels = 0;
    u8* pixels = stbi_load_from_memory(png.data(), int(png.size()), &width, &height, &channels, 4);
    ASSERT_NE(pixels, nullptr);
    EXPECT_EQ(u32(width), image.width);
    EXPECT_TRUE(std::equal(image.rgba.begin(), image.rgba.end(), pixels));
    stbi_image_free(pixels);
    EXPECT_FALSE(writePng(image, "/no/such/folder/picture.png"));
}

}  // namespace
}  // namespace lockstep::viz
