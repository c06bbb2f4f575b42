// Shapes as SVG text.
#include "viz/painters/svg/svg.h"

#include "viz/scene/canvas.h"

#include <gtest/gtest.h>

#include <functional>

namespace lockstep::viz {
namespace {

struct NoMetrics : TextMetrics {
    f32 width(std::string_view, f32, Face) const override { return 0; }
};

// The lines between the ground and the end.
std::string bodyOf(const Canvas& canvas) {
    const std::string svg = toSvg(canvas.scene(), *findTheme("light"));
    const std::size_t ground = svg.find("/>\n") + 3;
    return svg.substr(ground, svg.size() - ground - std::string("</svg>\n").size());
}

TEST(SvgTest, EveryShapeIsOneElementWithShortNumbers) {
    const NoMetrics metrics;
    struct Case {
        std::function<void(Canvas&)> draw;
        const char* svg;
    };
    const Case cases[] = {
        {[](Canvas& c) {
             c.rect({1, 2.5f, 3.333f, 4}, {.fill = role(RoleKind::Text), .radius = 2});
         },
         "<rect x=\"1\" y=\"2.5\" width=\"3.33\" height=\"4\" rx=\"2\" fill=\"#14181E\"/>\n"},
        {[](Canvas& c) {
             c.rect({0, 0, 9, 9}, {.stroke = {role(RoleKind::Load, 0.5f), 1.5f, Dash::Dashed}});
         },
         "<rect x=\"0\" y=\"0\" width=\"9\" height=\"9\" fill=\"none\" stroke=\"#005FB8\" "
         "stroke-width=\"1.5\" stroke-opacity=\"0.5\" stroke-dasharray=\"5 4\"/>\n"},
        {[](Canvas& c) {
             c.line({0, -0.001f}, {5, 5}, {role(RoleKind::Store), 1});
         },
         "<line x1=\"0\" y1=\"0\" x2=\"5\" y2=\"5\" stroke=\"#B04600\" stroke-width=\"1\"/>\n"},
        {[](Canvas& c) {
             c.curve({Point{0, 0}, {1, 1}, {2, 2}, {3, -3.25f}}, {role(RoleKind::Text), 2});
         },
         "<path d=\"M0 0C1 1 2 2 3 -3.25\" fill=\"none\" stroke=\"#14181E\" stroke-width=\"2\"/>\n"},
        {[](Canvas& c) {
             c.polygon({{0, 0}, {4, 0}, {2, 3}}, role(RoleKind::Finding));
         },
         "<polygon points=\"0,0 4,0 2,3\" fill=\"#B3261E\"/>\n"},
        {[](Canvas& c) {
             c.text({3, 4}, "a<b & \"c\"\x01",
                    {.size = 10, .bold = true, .mono = true, .align = Align::Right});
         },
         "<text x=\"3\" y=\"7.55\" font-family='\"JetBrains Mono\",\"Noto Sans CJK SC\",monospace' "
         "font-size=\"10\" font-weight=\"600\" text-anchor=\"end\" fill=\"#14181E\">a&lt;b &amp; "
         "&quot;c&quot; </text>\n"},
        {[](Canvas& c) {
             c.hit({1, 2, 3, 4}, {.hover = "Lane 2"});
         },
         "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#000\" fill-opacity=\"0\"><title>Lane "
         "2</title></rect>\n"},
        {[](Canvas& c) {
             c.clip({0, 0, 5, 5});
             c.line({0, 0}, {1, 0}, {role(RoleKind::Text), 1});
             c.unclip();
         },
         "<clipPath id=\"c0\"><rect x=\"0\" y=\"0\" width=\"5\" height=\"5\"/></clipPath>\n<g "
         "clip-path=\"url(#c0)\">\n<line x1=\"0\" y1=\"0\" x2=\"1\" y2=\"0\" stroke=\"#14181E\" "
         "stroke-width=\"1\"/>\n</g>\n"},
    };
    for (const Case& c : cases) {
        Canvas canvas({10, 10}, metrics);
        c.draw(canvas);
        EXPECT_EQ(bodyOf(canvas), c.svg);
    }
}

TEST(SvgTest, HatchesAreOnePathWithinTheRectangle) {
    const NoMetrics metrics;
    Canvas canvas({20, 20}, metrics);
    canvas.rect({0, 0, 10, 10}, {.hatch = role(RoleKind::Ghost)});
    EXPECT_EQ(bodyOf(canvas),
              "<path d=\"M5 1L1 5M9 5L5 9\" fill=\"none\" stroke=\"#8792A0\" stroke-width=\"1\"/>\n");
}

}  // namespace
}  // namespace lockstep::viz
