#include "base/half.h"
#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace lockstep::catalog {
namespace {

constexpr f64 kNan = std::numeric_limits<f64>::quiet_NaN(), kInfinity = std::numeric_limits<f64>::infinity();

template <class T> Buffer bufferOf(ElementType type, const std::vector<T>& elements) {
    Buffer buffer{.name = "y", .type = type, .shape = {elements.size()}, .bytes = {}};
    buffer.bytes.resize(elements.size() * sizeof(T));
    std::memcpy(buffer.bytes.data(), elements.data(), buffer.bytes.size());
    return buffer;
}

Comparison compareBuffers(const Buffer& got, const Buffer& want, std::optional<f64> tolerance) {
    Variant variant;
    variant.buffers.push_back(
        {.name = "y", .type = want.type, .shape = {}, .initial = {}, .output = true, .tolerance = tolerance});
    const Experiment experiment{
        .family = nullptr, .variant = &variant, .values = {}, .buffers = {}, .launches = {}, .expected = {}};
    const std::vector<Buffer> results{got};
    return compare(experiment, {{0, want}}, results);
}

TEST(Compare, RealNumbersExactlyOrWithinTheirTolerance) {
    struct Case {
        const char* what;
        f32 got, want;
        std::optional<f64> tolerance;
        bool correct;
        f64 error;
    };
    const Case cases[] = {
        {"the same", 1, 1, {}, true, 0},
        {"one bit off", std::nextafter(1.0f, 2.0f), 1, {}, false, 0x1p-23},
        {"one bit off, allowed", std::nextafter(1.0f, 2.0f), 1, 1e-5, true, 0x1p-23},
        {"too far off", 1000.5f, 1000, 1e-5, false, 0.5},
        {"both zeros", -0.0f, 0.0f, {}, true, 0},
        {"nothing is close to zero", 1e-30f, 0, 1e-5, false, f64(1e-30f)},
        {"NaN where none belongs", f32(kNan), 1, 1e-5, false, kNan},
        {"NaN where it belongs", f32(kNan), f32(kNan), {}, true, 0},
        {"infinity where none belongs", f32(-kInfinity), 1, 1e-5, false, kInfinity},
        {"infinity where it belongs", f32(kInfinity), f32(kInfinity), {}, true, 0},
        {"the other infinity", f32(-kInfinity), f32(kInfinity), 1e-5, false, kInfinity},
        {"finite where infinity belongs", 1, f32(kInfinity), 1e-5, false, kInfinity},
        {"finite where NaN belongs", 1, f32(kNan), 1e-5, false, kInfinity},
    };
    for (const Case& c : cases) {
        const Comparison comparison =
            compareBuffers(bufferOf<f32>(ElementType::F32, {5, c.got}),
                           bufferOf<f32>(ElementType::F32, {5, c.want}), c.tolerance);
        EXPECT_EQ(comparison.correct, c.correct) << c.what;
        EXPECT_EQ(comparison.wrongCount, c.correct ? 0u : 1u) << c.what;
        if (std::isnan(c.error)) {
            EXPECT_TRUE(std::isnan(comparison.maxError)) << c.what;
        } else {
            EXPECT_EQ(comparison.maxError, c.error) << c.what;
        }
        ASSERT_EQ(comparison.first.has_value(), !c.correct) << c.what;
        if (!c.correct) {
            EXPECT_EQ(comparison.first->index, 1u) << c.what;
        }
    }
}

TEST(Compare, NaNOutranksInfinityOutranksEveryNumber) {
    const auto worst = [](const std::vector<f32>& got) {
        return compareBuffers(bufferOf(ElementType::F32, got), bufferOf<f32>(ElementType::F32, {1, 1, 1}), {})
            .maxError;
    };
    EXPECT_EQ(worst({3, 2, 1}), 2);
    EXPECT_EQ(worst({1, f32(kInfinity), 3}), kInfinity);
    EXPECT_TRUE(std::isnan(worst({f32(kNan), f32(kInfinity), 3})));
    EXPECT_TRUE(std::isnan(worst({f32(kInfinity), f32(kNan), 3})));
}

TEST(Compare, WholeNumbersOf64BitsDifferByOneWhereF64CannotTell) {
    const s64 large = (s64{1} << 62) + 1;
    const Comparison comparison = compareBuffers(bufferOf<s64>(ElementType::I64, {large, -5}),
                                                 bufferOf<s64>(ElementType::I64, {large - 1, 5}), {});
    EXPECT_EQ(comparison.wrongCount, 2u);
    EXPECT_EQ(comparison.maxError, 10);
    EXPECT_EQ(comparison.first->index, 0u);
}

TEST(Compare, HalvesAreComparedByValue) {
    const Comparison comparison = compareBuffers(bufferOf<u16>(ElementType::F16, {floatToHalf(1.5f)}),
                                                 bufferOf<u16>(ElementType::F16, {floatToHalf(2)}), {});
    EXPECT_EQ(comparison.maxError, 0.5);
    EXPECT_EQ(comparison.first->got, 1.5);
    EXPECT_EQ(comparison.first->want, 2);
}

}  // namespace
}  // namespace lockstep::catalog
