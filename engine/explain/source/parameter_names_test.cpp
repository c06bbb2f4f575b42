#include "explain/source/parameter_names.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using Names = std::vector<std::string>;

TEST(ParameterNames, AreReadFromTheSource) {
    struct Case {
        const char *source, *name;
        Names names;
    };
    const Case cases[] = {
        {"__global__ void saxpy(int n, float a, const float* x, float* __restrict__ y)\n{}",
         "saxpy",
         {"n", "a", "x", "y"}},
        {"extern \"C\" __global__ void __launch_bounds__(256)\nscale (float x[], // the data, and\n int /* "
         "how many */ n) {}",
         "scale",
         {"x", "n"}},
        {"template <int T, class V> __global__ void mm(const V *M, V *N, unsigned int width = 4) {}",
         "mm<16, float>",
         {"M", "N", "width"}},
        {"__global__ void f(int a);\nvoid g() { f<<<1, 2>>>(3); }\n__global__ void h(const pair<int, float> "
         "p, int* q) {}",
         "h",
         {"p", "q"}},
        {"// __global__ void old(int wrong)\n__global__ void fold(int x) {}\n__global__ void old(int right) "
         "{}",
         "old",
         {"right"}},
        {"namespace a { __global__ void k(double *d) {} }", "a::k", {"d"}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(parameterNames(c.source, c.name), c.names) << c.source;
}

TEST(ParameterTypes, AreWhatStandsBeforeTheNames) {
    EXPECT_EQ(parameterTypes(
                  "template <class Word> __global__ void f(const Word* in, Word* out, // both\n int n)\n{}",
                  "f<float4>"),
              (Names{"const Word*", "Word*", "int"}));
    EXPECT_EQ(parameterTypes("__global__ void f(int)\n{}", "f"), Names{});
}

TEST(ParameterNames, AreNoneWhereTheyAreNotWrittenPlainly) {
    EXPECT_EQ(parameterNames("__global__ void f(int, float*) {}", "f"), Names{});
    EXPECT_EQ(parameterNames("__global__ void f(int n, unsigned int) {}", "f"), Names{});
    EXPECT_EQ(parameterNames("__global__ void f() {}", "f"), Names{});
    EXPECT_EQ(parameterNames("KERNEL(f)(int n) {}", "f"), Names{});
    EXPECT_EQ(parameterNames("__global__ void f(int n", "f"), Names{});
    EXPECT_EQ(parameterNames("void f(int n) {}", "f"), Names{});
    EXPECT_EQ(parameterNames("__global__ void f(void (*g)(int), int n) {}", "f"), Names{})
        << "what the first one is called is anybody's guess";
    EXPECT_EQ(parameterNames("/* __global__ void f(int n)", "f"), Names{});
    EXPECT_EQ(parameterNames("", ""), Names{});
}

}  // namespace
}  // namespace lockstep::explain
