#include "simt/decode/math_functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace lockstep::simt {
namespace {

f64 of64(const char* name, f64 x, f64 y = 0) {
    const MathFunction* const function = findMathFunction(name);
    EXPECT_NE(function, nullptr) << name;
    return function ? std::bit_cast<f64>(function->compute({std::bit_cast<u64>(x), std::bit_cast<u64>(y)}))
                    : NAN;
}
f32 of32(const char* name, f32 x, f32 y = 0) {
    const MathFunction* const function = findMathFunction(name);
    EXPECT_NE(function, nullptr) << name;
    return function
               ? std::bit_cast<f32>(u32(function->compute({std::bit_cast<u32>(x), std::bit_cast<u32>(y)})))
               : NAN;
}

TEST(MathFunctions, AreFoundByTheNamesOfLibdevice) {
    EXPECT_EQ(findMathFunction("sin"), nullptr);
    EXPECT_EQ(findMathFunction("__nv_remquo"), nullptr);
    EXPECT_EQ(of64("__nv_sin", 0.5), std::sin(0.5));
    EXPECT_EQ(of32("__nv_sinf", 0.5f), f32(std::sin(0.5)));
    EXPECT_EQ(of64("__nv_pow", 2, 10), 1024);
    EXPECT_EQ(of32("__nv_powf", 2, 10), 1024);
    EXPECT_EQ(of64("__nv_fmod", 7, 4), 3);
}

TEST(MathFunctions, ReachTheirEdges) {
    EXPECT_EQ(of64("__nv_sinpi", 1), 0);
    EXPECT_EQ(of64("__nv_cospi", 0.5), 0);
    EXPECT_EQ(of64("__nv_cospi", 1), -1);
    EXPECT_NEAR(of64("__nv_erfinv", 0.5), 0.476936276204469873, 1e-15);
    EXPECT_NEAR(of64("__nv_erfinv", -0.999), -2.326753765513525, 1e-13);
    EXPECT_EQ(of64("__nv_erfinv", 1), INFINITY);
    EXPECT_NEAR(of64("__nv_normcdfinv", 0.975), 1.959963984540054, 1e-13);
    EXPECT_EQ(of64("__nv_exp10", 3), 1000);
    EXPECT_TRUE(std::isnan(of64("__nv_log", -1)));
}

TEST(MathFunctions, TakeAndGiveIntegers) {
    const MathFunction* const ldexp = findMathFunction("__nv_ldexpf");
    ASSERT_NE(ldexp, nullptr);
    EXPECT_EQ(std::bit_cast<f32>(u32(ldexp->compute({std::bit_cast<u32>(0.75f), 3}))), 6);
    const MathFunction* const round = findMathFunction("__nv_llround");
    ASSERT_NE(round, nullptr);
    EXPECT_EQ(s64(round->compute({std::bit_cast<u64>(-2.5)})), -3);
}

}  // namespace
}  // namespace lockstep::simt
