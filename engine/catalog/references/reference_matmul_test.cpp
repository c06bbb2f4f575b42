#include "catalog/references/reference_matmul.h"

#include "catalog/values/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep::catalog {
namespace {

// Not integers, so that every rounding and the order of the sum matter.
std::vector<f32> numbers(u64 count, u64 key) {
    std::vector<f32> values(count);
    for (u64 i = 0; i < count; ++i)
        values[i] = f32(randomUnit(randomBits(key, i)) * 200 - 100);
    return values;
}

TEST(MatmulReference, IsTheTripleLoopBitForBit) {
    struct Case {
        u64 rows, inner, columns;
    };
    constexpr Case cases[] = {{1, 1, 1},    {3, 3, 3},     {4, 7, 16}, {5, 9, 17},
                              {64, 64, 64}, {37, 101, 50}, {8, 1, 33}, {2, 300, 40}};
    for (const Case& c : cases) {
        const std::vector<f32> M = numbers(c.rows * c.inner, 1), N = numbers(c.inner * c.columns, 2);
        std::vector<f32> P(c.rows * c.columns, -1);
        ASSERT_TRUE(multiply(M.data(), N.data(), P.data(), c.rows, c.inner, c.columns, nullptr));
        for (u64 row = 0; row < c.rows; ++row)
            for (u64 column = 0; column < c.columns; ++column) {
                f32 sum = 0;
                for (u64 k = 0; k < c.inner; ++k)
                    sum = std::fmaf(M[row * c.inner + k], N[k * c.columns + column], sum);
                ASSERT_EQ(P[row * c.columns + column], sum)
                    << c.rows << " x " << c.inner << " x " << c.columns << ", element " << row << ", "
                    << column;
            }
    }
}

TEST(MatmulReference, AgreesWithTheTextbooksLoopAsFarAsRoundingGoes) {
    constexpr u64 kRows = 37, kInner = 101, kColumns = 50;
    const std::vector<f32> M = numbers(kRows * kInner, 1), N = numbers(kInner * kColumns, 2);
    std::vector<f32> P(kRows * kColumns), taught(kRows * kColumns);
    multiply(M.data(), N.data(), P.data(), kRows, kInner, kColumns, nullptr);
    multiplyAsTaught(M.data(), N.data(), taught.data(), kRows, kInner, kColumns, nullptr);
    // Factors of up to 100: each of the 101 sums so far is at most 1.01e6, and rounded twice by half of 2^-23
    // of that.
    for (u64 i = 0; i < P.size(); ++i)
        ASSERT_NEAR(P[i], taught[i], 2 * kInner * 1.01e6 * 0x1p-24) << i;
}

TEST(MatmulReference, StopsWhenNobodyWantsItAnyMore) {
    const std::vector<f32> M = numbers(64 * 64, 1);
    std::vector<f32> P(64 * 64);
    const std::atomic<bool> cancelled{true};
    EXPECT_FALSE(multiply(M.data(), M.data(), P.data(), 64, 64, 64, &cancelled));
}

}  // namespace
}  // namespace lockstep::catalog
