// Which value of a loop's variable a barrier interval goes with, where that is proven.
#include "explain/phases/phase_variable.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::RunBuilder;

std::vector<std::optional<LoopValue>> valuesOf(const run::Run& run) {
    return loopValues(*run.module, run.recording.launches[0], run.recording.trace.blocks[0].warps[0]);
}

TEST(PhaseVariableTest, TheBooksPhaseStandsBesideTheBarrierInterval) {
    const auto values = valuesOf(viz::tiledMatmul(6, 2, true));
    ASSERT_EQ(values.size(), 7u) << "six barriers";
    for (u32 interval = 0; interval < 6; ++interval)
        EXPECT_EQ(values[interval], (LoopValue{"ph", interval / 2})) << interval;
    EXPECT_FALSE(values[6]) << "behind the loop";
    EXPECT_EQ(intervalText(Language::English, 2, values[2]), "barrier interval 2, ph = 1");
    EXPECT_EQ(intervalText(Language::Chinese, 2, values[2]), "屏障区间 2，ph = 1");
    EXPECT_EQ(intervalText(Language::English, 6, values[6]), "barrier interval 6");
}

// A kernel of one loop around a barrier on line 3, which a warp comes to three times.
std::vector<std::optional<LoopValue>> valuesOf(
    const std::string& head, const std::string& body,
    const std::string& declaration = "__global__ void kernel(float* out) {") {
    RunBuilder b("loop.cu",
                 declaration + "\n  " + head + " {\n    __syncthreads();\n    " + body + "\n  }\n}\n");
    const Pc bar = b.instruction("bar.sync 0", 3);
    b.launch({1, 1, 1}, {64, 1, 1});
    b.block({0, 0, 0});
    for (int round = 0; round < 3; ++round)
        b.barrier(0, bar, LaneMask::all());
    b.barrier(1, bar, LaneMask::all());
    return valuesOf(b.finish());
}

TEST(PhaseVariableTest, AVariableMayHalveOrDouble) {
    const auto third = [](const std::string& head) { return valuesOf(head, "work();")[2]; };
    EXPECT_EQ(third("for (int s = 1; s < blockDim.x; s *= 2)"), (LoopValue{"s", 4}));
    EXPECT_EQ(third("for (unsigned s = blockDim.x / 2; s > 0; s >>= 1)"), (LoopValue{"s", 8}));
    EXPECT_EQ(third("for (int i = 10; i > 0; i -= 3)"), (LoopValue{"i", 4}));
}

TEST(PhaseVariableTest, WhatIsNotProvenIsNotSaid) {
    const auto first = [](const std::string& head, const std::string& body) {
        return valuesOf(head, body)[0];
    };
    ASSERT_TRUE(first("for (int ph = 0; ph < n; ++ph)", "if (a && ph == 2) work(ph);"));
    EXPECT_FALSE(first("for (int ph = 0; ph < n; ++ph)", "ph += 1;")) << "the body changes it";
    EXPECT_FALSE(first("for (int ph = 0; ph < n; ++ph)", "if (x) continue;")) << "a round may be left early";
    EXPECT_FALSE(first("for (int ph = 0; ph < n; ++ph)", "work(&ph);")) << "somebody else may change it";
    EXPECT_FALSE(first("for (int ph = start; ph < n; ++ph)", "work();")) << "where it begins is not known";
    EXPECT_FALSE(first("for (int ph = 0; ph < n; ph += step)", "work();")) << "nor how it goes on";
    EXPECT_FALSE(first("while (more())", "work();"));
    EXPECT_FALSE(first("for (int a = 0; a < n; ++a) for (int ph = 0; ph < n; ++ph)", "work();"))
        << "run more than once";
    EXPECT_FALSE(
        valuesOf("for (int ph = 0; ph < n; ++ph)", "work();", "__device__ void helper(float* out) {")[0])
        << "a function that may be called twice";
    EXPECT_TRUE(first("for (int ph = 0; ph < n; ++ph) /* ph = 7; */", "// ph = 3;"))
        << "comments are no code";
}

}  // namespace
}  // namespace lockstep::explain
