#include "simt/images/image.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace lockstep::simt {
namespace {

using Mode = Image::AddressMode;
using Values = Image::Values;

f32 floatOf(u32 bits) { return std::bit_cast<f32>(bits); }

template <class T> Image imageOf(std::vector<T>& texels, u32 width, u32 height = 1, u32 depth = 1) {
    Image image{.host = reinterpret_cast<std::byte*>(texels.data()),
                .dimensions = u8(depth > 1    ? 3
                                 : height > 1 ? 2
                                              : 1),
                .width = width,
                .height = height,
                .depth = depth,
                .rowBytes = width * sizeof(T),
                .sliceBytes = width * height * sizeof(T),
                .channelBytes = sizeof(T),
                .values = std::is_floating_point_v<T> ? Values::Float
                          : std::is_signed_v<T>       ? Values::Signed
                                                      : Values::Unsigned,
                .border = {-1, -1, -1, -1}};
    image.modes.fill(Mode::Clamp);
    return image;
}

TEST(Image, NearestTexelsInEachMode) {
    std::vector<f32> texels{10, 11, 12, 13};
    struct Case {
        Mode mode;
        bool isNormalized;
        f32 x, value;
    };
    // Between 4.0 and 5.0, the fifth texel is meant, which there is none of.
    constexpr f32 kPast = 4.5f / 4, kBefore = -0.5f / 4;
    const Case cases[] = {
        {Mode::Clamp, false, 0.0f, 10},      {Mode::Clamp, false, 0.99f, 10},
        {Mode::Clamp, false, 1.0f, 11},      {Mode::Clamp, false, 3.99f, 13},
        {Mode::Clamp, false, 4.5f, 13},      {Mode::Clamp, false, -0.5f, 10},
        {Mode::Clamp, false, 1e30f, 13},     {Mode::Clamp, false, -1e30f, 10},
        {Mode::Clamp, true, 0.25f, 11},      {Mode::Clamp, true, kPast, 13},
        {Mode::Wrap, true, kPast, 10},       {Mode::Wrap, true, kBefore, 13},
        {Mode::Wrap, true, 2.3f, 11},        {Mode::Mirror, true, kPast, 13},
        {Mode::Mirror, true, kBefore, 10},   {Mode::Mirror, true, 5.5f / 4, 12},
        {Mode::Mirror, true, -2.5f / 4, 12}, {Mode::Mirror, true, 8.5f / 4, 10},
        {Mode::Border, false, 4.5f, -1},     {Mode::Border, false, -0.5f, -1},
        {Mode::Border, false, 3.5f, 13},     {Mode::Border, true, kPast, -1},
        {Mode::Wrap, false, 4.5f, 13},  // only clamped, as coordinates are not normalized
        {Mode::Mirror, false, 5.5f, 13},
    };
    for (const Case& c : cases) {
        Image image = imageOf(texels, 4);
        image.modes[0] = c.mode;
        image.hasNormalizedCoordinates = c.isNormalized;
        EXPECT_EQ(floatOf(fetch(image, {c.x, 0, 0}, 0)[0]), c.value)
            << u32(c.mode) << " " << c.isNormalized << " " << c.x;
    }
}

TEST(Image, LinearFilterHasEightBitsBehindThePoint) {
    std::vector<f32> texels{0, 256, 512};
    struct Case {
        Mode mode;
        bool isNormalized;
        f32 x, value;
    };
    const Case cases[] = {
        {Mode::Clamp, false, 0.5f, 0},
        {Mode::Clamp, false, 1.0f, 128},
        {Mode::Clamp, false, 0.5f + 1 / 256.0f, 1},
        {Mode::Clamp, false, 0.5f + 1.4f / 256.0f, 1},
        {Mode::Clamp, false, 1.75f, 320},
        {Mode::Clamp, false, 0.1f, 0},
        {Mode::Clamp, false, 2.9f, 512},
        {Mode::Border, false, 0.25f, -0.25f},
        {Mode::Border, false, -1.0f, -1},
        {Mode::Wrap, true, 0.0f, 256},
        {Mode::Mirror, true, 0.0f, 0},
        {Mode::Wrap, true, 1.0f, 256},
        {Mode::Mirror, true, 1.0f, 512},
        {Mode::Clamp, true, 0.5f, 256},
    };
    for (const Case& c : cases) {
        Image image = imageOf(texels, 3);
        image.modes[0] = c.mode;
        image.hasNormalizedCoordinates = c.isNormalized;
        image.isFiltered = true;
        EXPECT_EQ(floatOf(fetch(image, {c.x, 0, 0}, 0)[0]), c.value)
            << u32(c.mode) << " " << c.isNormalized << " " << c.x;
    }
}

TEST(Image, LinearFilterInTwoAndThreeDimensions) {
    std::vector<f32> square{0, 4, 8, 16};
    Image image = imageOf(square, 2, 2);
    image.isFiltered = true;
    EXPECT_EQ(floatOf(fetch(image, {1, 1, 0}, 0)[0]), 7);
    EXPECT_EQ(floatOf(fetch(image, {0.75f, 1.25f, 0}, 0)[0]),
              0.75f * (0.25f * 0 + 0.75f * 8) + 0.25f * (0.25f * 4 + 0.75f * 16));
    std::vector<f32> cube{0, 1, 2, 3, 4, 5, 6, 7};
    Image box = imageOf(cube, 2, 2, 2);
    box.isFiltered = true;
    EXPECT_EQ(floatOf(fetch(box, {1, 1, 1}, 0)[0]), 3.5f);
    EXPECT_EQ(floatOf(fetch(box, {0.5f, 0.5f, 1}, 0)[0]), 2.0f);
}

// Each as measured on an H200.
TEST(Image, FiltersAsHardwareDoes) {
    const auto filtered = [](auto texels, std::array<f32, 3> at, u32 width, u32 height = 1) {
        Image image = imageOf(texels, width, height);
        image.isFiltered = true;
        image.readsFractions = image.values != Values::Float;
        return fetch(image, at, 0)[0];
    };
    // Half a step of the weight is rounded up, half a unit in the last place of the value away from zero.
    EXPECT_EQ(floatOf(filtered(std::vector<f32>{0, 256}, {0.5f + 0.5f / 256, 0, 0}, 2)), 1);
    EXPECT_EQ(filtered(std::vector<f32>{3.14159265f, -2.71828183f}, {0.75f, 0, 0}, 2), 0x3fd69b9fu);
    // Weights of two dimensions have 8 bits together, too.
    EXPECT_EQ(
        floatOf(filtered(std::vector<f32>{0, 0, 0, 256}, {0.5f + 13 / 256.0f, 0.5f + 50 / 256.0f, 0}, 2, 2)),
        3);  // 13 * 50 / 256 is 2.54
    EXPECT_EQ(filtered(std::vector<f32>{1e-40f, 1e-40f}, {1, 0, 0}, 2), 0u);
    EXPECT_EQ(floatOf(filtered(std::vector<f32>{1, std::numeric_limits<f32>::infinity()}, {0.5f, 0, 0}, 2)),
              1);
    EXPECT_EQ(filtered(std::vector<f32>{NAN, NAN}, {1, 0, 0}, 2), 0x7fffffffu);
    // Fractions are filtered as numbers of 16 bits.
    EXPECT_EQ(filtered(std::vector<u8>{100, 101}, {0.5f + 1 / 256.0f, 0, 0}, 2), 0x3ec8cac9u);
    EXPECT_EQ(filtered(std::vector<u16>{3204, 3237}, {0.5f + 4 / 256.0f, 0, 0}, 2),
              std::bit_cast<u32>(3205 / 65535.0f));
}

TEST(Image, NormalizedCoordinatesHave21Bits) {
    std::vector<f32> texels{0, 1, 2, 3, 4};
    Image image = imageOf(texels, 5);
    image.hasNormalizedCoordinates = true;
    EXPECT_EQ(floatOf(fetch(image, {0.2f, 0, 0}, 0)[0]), 0);  // which is 0.20000000298
    EXPECT_EQ(floatOf(fetch(image, {0.2f + 1e-6f, 0, 0}, 0)[0]), 1);
}

TEST(Image, ComponentsThatAreNotThereAreZero) {
    std::vector<f32> texels{7};
    EXPECT_EQ(fetch(imageOf(texels, 1), {0, 0, 0}, 0), (Texel{std::bit_cast<u32>(7.0f), 0, 0, 0}));
}

TEST(Image, ElementTypesAsTheyAreAndAsFractions) {
    const auto first = [](auto value, bool readsFractions) {
        std::vector<decltype(value)> texels{value};
        Image image = imageOf(texels, 1);
        image.readsFractions = readsFractions;
        return fetch(image, {0.5f, 0, 0}, 0)[0];
    };
    EXPECT_EQ(first(u8{200}, false), 200u);
    EXPECT_EQ(first(s8{-2}, false), 0xfffffffeu);
    EXPECT_EQ(first(u16{65000}, false), 65000u);
    EXPECT_EQ(first(s16{-3}, false), 0xfffffffdu);
    EXPECT_EQ(first(u32{0xdeadbeef}, false), 0xdeadbeefu);
    EXPECT_EQ(first(s32{-7}, false), 0xfffffff9u);
    EXPECT_EQ(floatOf(first(1.5f, false)), 1.5f);
    EXPECT_EQ(floatOf(first(u8{255}, true)), 1.0f);
    EXPECT_EQ(floatOf(first(u8{51}, true)), 0.2f);
    EXPECT_EQ(floatOf(first(s8{127}, true)), 1.0f);
    EXPECT_EQ(floatOf(first(s8{-127}, true)), -1.0f);
    EXPECT_EQ(floatOf(first(s8{-128}, true)), -1.0f);
    EXPECT_EQ(floatOf(first(u16{65535}, true)), 1.0f);
    EXPECT_EQ(floatOf(first(s16{-32768}, true)), -1.0f);
    std::vector<u16> halves{0x3c00, 0xc000};
    Image image = imageOf(halves, 2);
    image.values = Values::Float;
    EXPECT_EQ(floatOf(fetch(image, {0, 0, 0}, 0)[0]), 1.0f);
    EXPECT_EQ(floatOf(fetch(image, {1, 0, 0}, 0)[0]), -2.0f);
}

TEST(Image, LayersAreClamped) {
    std::vector<f32> texels{1, 2, 3, 4, 5, 6};
    Image image = imageOf(texels, 2);
    image.isLayered = true;
    image.depth = 3;
    image.sliceBytes = 8;
    const auto of = [&](s32 layer) { return floatOf(fetch(image, {1.5f, 0, 0}, u32(layer))[0]); };
    EXPECT_EQ(of(0), 2);
    EXPECT_EQ(of(2), 6);
    EXPECT_EQ(of(7), 6);
    EXPECT_EQ(of(-1), 6);  // no layer is negative: it is a large number
}

TEST(Image, PlainMemoryIsZeroOutside) {
    std::vector<u32> texels{7, 8, 9};
    Image image = imageOf(texels, 3);
    image.isLinear = true;
    EXPECT_EQ(fetchElement(image, {2, 0, 0}, 0)[0], 9u);
    for (const s32 outside : {3, -1, 1 << 30, std::numeric_limits<s32>::min()})
        EXPECT_EQ(fetchElement(image, {outside, 0, 0}, 0)[0], 0u) << outside;
}

TEST(Image, GathersFourNeighborsFromTheLowerLeftOneOn) {
    std::vector<f32> texels{0, 1, 2, 3};
    const Image image = imageOf(texels, 2, 2);
    const Texel four = gather(image, 1.0f, 1.0f, 0, 0);
    EXPECT_EQ(floatOf(four[0]), 2);
    EXPECT_EQ(floatOf(four[1]), 3);
    EXPECT_EQ(floatOf(four[2]), 1);
    EXPECT_EQ(floatOf(four[3]), 0);
}

TEST(Image, SurfacesTakeBytesAlongX) {
    std::vector<f32> texels(4 * 3 * 2);
    Image image = imageOf(texels, 4, 3, 2);
    image.isTexture = false;
    struct Case {
        std::array<s32, 3> at;
        Boundary boundary;
        s64 offset;  // -1: outside
    };
    const Case cases[] = {
        {{0, 0, 0}, Boundary::Trap, 0},     {{12, 2, 1}, Boundary::Trap, 12 + 32 + 48},
        {{16, 0, 0}, Boundary::Trap, -1},   {{0, 3, 0}, Boundary::Zero, -1},
        {{0, 0, 2}, Boundary::Zero, -1},    {{-4, 0, 0}, Boundary::Zero, -1},
        {{100, 9, 9}, Boundary::Clamp, 92}, {{-4, -1, -1}, Boundary::Clamp, 0},
        {{13, 0, 0}, Boundary::Trap, -1},  // an element would go past the edge
    };
    for (const Case& c : cases) {
        const std::optional<u64> offset = surfaceOffset(image, c.at, 0, 4, c.boundary);
        EXPECT_EQ(offset ? s64(*offset) : -1, c.offset) << c.at[0] << " " << c.at[1] << " " << c.at[2];
    }
}

}  // namespace
}  // namespace lockstep::simt
