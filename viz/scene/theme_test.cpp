// Every theme can be read: contrast by WCAG 2.1, distances by CIEDE2000, also as color-blind eyes see them
// (Machado 2009).
#include "viz/scene/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace lockstep::viz {
namespace {

using Lab = std::array<f64, 3>;
using Matrix = std::array<std::array<f64, 3>, 3>;

struct Vision {
    const char* name;
    std::optional<Matrix> simulation;
};

// Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency,
// 2009; severity 1.
const std::array<Vision, 4> kVisions{{
    {"normal", std::nullopt},
    {"protanopia", Matrix{{{0.152286, 1.052583, -0.204868},
                           {0.114503, 0.786281, 0.099216},
                           {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     Matrix{
         {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.01182, 0.04294, 0.968881}}}},
    {"tritanopia",
     Matrix{
         {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.3039}}}},
}};

std::array<f64, 3> linear(Color c) {
    const auto one = [](u8 v) {
        const f64 x = v / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    };
    return {one(c.r), one(c.g), one(c.b)};
}

Lab lab(Color color, const Vision& vision) {
    std::array<f64, 3> c = linear(color);
    if (vision.simulation) {
        const std::array<f64, 3> seen = c;
        for (u32 i = 0; i < 3; ++i) {
            const auto& row = (*vision.simulation)[i];
            c[i] = std::clamp(row[0] * seen[0] + row[1] * seen[1] + row[2] * seen[2], 0.0, 1.0);
        }
    }
    const auto f = [](f64 t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const f64 x = f((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047),
              y = f(0.2126729 * c[0] + 0.7151522 * c[1] + 0.072175 * c[2]),
              z = f((0.0193339 * c[0] + 0.119192 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// CIEDE2000: Sharma, Wu, Dalal, 2005.
f64 distance(const Lab& p, const Lab& q) {
    constexpr f64 kDegree = std::numbers::pi / 180;
    const auto seventh = [](f64 c) {
        return std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
    };
    const f64 mean = (std::hypot(p[1], p[2]) + std::hypot(q[1], q[2])) / 2, g = 0.5 * (1 - seventh(mean));
    const f64 a1 = p[1] * (1 + g), a2 = q[1] * (1 + g), c1 = std::hypot(a1, p[2]), c2 = std::hypot(a2, q[2]);
    const auto hue = [&](f64 b, f64 a) { return std::fmod(std::atan2(b, a) / kDegree + 360, 360); };
    const f64 h1 = hue(p[2], a1), h2 = hue(q[2], a2);
    f64 dh = c1 * c2 == 0 ? 0 : h2 - h1;
    if (dh > 180) dh -= 360;
    if (dh < -180) dh += 360;
    const f64 dH = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * kDegree), l = (p[0] + q[0]) / 2,
              c = (c1 + c2) / 2;
    f64 h = h1 + h2;
    if (c1 * c2 != 0) {
        if (std::fabs(h1 - h2) > 180) h += h < 360 ? 360 : -360;
        h /= 2;
    }
    const f64 t = 1 - 0.17 * std::cos((h - 30) * kDegree) + 0.24 * std::cos(2 * h * kDegree) +
                  0.32 * std::cos((3 * h + 6) * kDegree) - 0.2 * std::cos((4 * h - 63) * kDegree);
    const f64 sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50)), sc = 1 + 0.045 * c,
              sh = 1 + 0.015 * c * t;
    const f64 rt = -std::sin(60 * kDegree * std::exp(-std::pow((h - 275) / 25, 2))) * 2 * seventh(c);
    const f64 dl = (q[0] - p[0]) / sl, dc = (c2 - c1) / sc, dhh = dH / sh;
    return std::sqrt(dl * dl + dc * dc + dhh * dhh + rt * dc * dhh);
}

TEST(ThemeTest, CiedeOf2000AgreesWithItsPublishedPairs) {
    // Sharma et al., table 1, pairs 1, 7 and 25.
    EXPECT_NEAR(distance({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 1e-4);
    EXPECT_NEAR(distance({50, 0, 0}, {50, -1, 2}), 2.3669, 1e-4);
    EXPECT_NEAR(distance({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
}

TEST(ThemeTest, TextReadsOnEveryGround) {
    for (const Theme& t : themes()) {
        for (const Color ground : {t.ground, t.panel, t.raised})
            for (const Color text : {t.text, t.textSecond})
                EXPECT_GE(contrast(text, ground), 4.5) << t.name;
        for (const Color ground : {t.ground, t.panel})
            for (const Color text : {t.textThird, t.load, t.store, t.finding})
                EXPECT_GE(contrast(text, ground), 4.5) << t.name;
        EXPECT_GE(contrast(t.cursorInk, t.cursor), 4.5) << t.name;
        for (const Color mark : {t.edge, t.ghost})
            EXPECT_GE(contrast(mark, t.ground), 3.0) << t.name;
    }
}

// Lines of code lie on any of the grounds: the cursor's is raised. Hues are data there too, so that words are
// told apart by lightness and weight.
TEST(ThemeTest, CodeReadsOnEveryGroundAndItsWordsDiffer) {
    constexpr f64 kNotAlike = 1.5;
    for (const Theme& t : themes()) {
        for (const Color ground : {t.ground, t.panel, t.raised})
            for (const Color text : {t.text, t.textSecond, t.textThird, t.load, t.store})
                EXPECT_GE(contrast(text, ground), 4.5) << t.name;
        EXPECT_GE(contrast(t.text, t.textSecond), kNotAlike) << t.name;
        EXPECT_GE(contrast(t.textSecond, t.textThird), kNotAlike) << t.name;
    }
}

TEST(ThemeTest, WarpsAndDegreesStandOutFromTheGroundAndBearInk) {
    for (const Theme& t : themes()) {
        for (u32 warp = 0; warp < 8; ++warp) {
            EXPECT_GE(contrast(t.warps[warp], t.ground), 3.0) << t.name << " warp " << warp;
            for (u32 lane = 0; lane < 32; ++lane) {
                const Role fill = warpRole(Warp{warp}, Lane{lane}, 32);
                EXPECT_GE(contrast(colorOf(inkOn(fill), t), colorOf(fill, t)), 4.5)
                    << t.name << " warp " << warp << " lane " << lane;
            }
        }
        for (u32 degree = 1; degree <= 32; ++degree) {
            EXPECT_GE(contrast(colorOf(degreeRole(degree), t), t.ground), 3.0)
                << t.name << " degree " << degree;
            EXPECT_GE(contrast(colorOf(inkOn(degreeRole(degree)), t), colorOf(degreeRole(degree), t)), 4.5)
                << t.name << " degree " << degree;
        }
    }
}

TEST(ThemeTest, WarpsAreToldApartByColorBlindEyes) {
    for (const Theme& t : themes())
        for (const Vision& vision : kVisions)
            for (u32 a = 0; a < 8; ++a)
                for (u32 b = 0; b < a; ++b)
                    EXPECT_GE(distance(lab(t.warps[a], vision), lab(t.warps[b], vision)), 13)
                        << t.name << ", " << vision.name << ": warps " << b << " and " << a;
}

TEST(ThemeTest, LoadsAndStoresAreToldApartByColorBlindEyes) {
    for (const Theme& t : themes())
        for (const Vision& vision : kVisions)
            EXPECT_GE(distance(lab(t.load, vision), lab(t.store, vision)), 20)
                << t.name << ", " << vision.name;
}

TEST(ThemeTest, DegreesGoOneWayInLightness) {
    for (const Theme& t : themes())
        for (const Vision& vision : kVisions)
            for (u32 i = 1; i < 6; ++i) {
                const f64 before = lab(t.degrees[i - 1], vision)[0], after = lab(t.degrees[i], vision)[0];
                EXPECT_TRUE(t.dark ? after > before : after < before)
                    << t.name << ", " << vision.name << ", step " << i;
                EXPECT_GE(distance(lab(t.degrees[i - 1], vision), lab(t.degrees[i], vision)), 8)
                    << t.name << ", " << vision.name << ", step " << i;
            }
}

TEST(ThemeTest, RolesTurnIntoTheTokensColors) {
    const Theme& dark = *findTheme("dark");
    EXPECT_EQ(colorOf(warpRole(Warp{0}), dark), rgb(0x6FAFF9));
    EXPECT_EQ(colorOf(warpRole(Warp{9}), dark), rgb(0xE39637)) << "hue by warp mod 8";
    EXPECT_EQ(colorOf(warpRole(Warp{0}, Lane{0}, 32), dark), rgb(0x6FAFF9)) << "lane 0 is the pure hue";
    EXPECT_EQ(colorOf(warpRole(Warp{0}, Lane{31}, 32), dark), mix(rgb(0x6FAFF9), dark.ground, 0.42f))
        << "the last lane goes 42% towards the ground";
    EXPECT_EQ(colorOf(degreeRole(8), dark), rgb(0xF2849A));
    EXPECT_EQ(colorOf(degreeRole(24), dark), mix(rgb(0xFCBA80), rgb(0xFFF04A), std::log2(24.0f) - 4))
        << "between 16 and 32 by log2";
    EXPECT_EQ(colorOf(Role{}, dark).alpha, 0);
    EXPECT_EQ(colorOf(role(RoleKind::Text, 0.5f), dark).alpha, 0.5f);
    EXPECT_EQ(colorOf(inkOn(role(RoleKind::Cursor)), dark), rgb(0x0B0D10));
    EXPECT_EQ(findTheme("sepia"), nullptr);
}

}  // namespace
}  // namespace lockstep::viz
