#include "cuda/compiler/minimum_ptx_version.h"

#include <gtest/gtest.h>

namespace lockstep::cuda {
namespace {

std::string text(const std::string& target, const std::string& body) {
    return "// A comment\n.version 9.0\n.target " + target +
           "\n.address_size 64\n\n.visible .entry f(\n\t.param .u64 f_param_0\n)\n{\n" + body +
           "\tret;\n\n}\n";
}

TEST(LeastVersion, IsWhatTargetAndInstructionsNeed) {
    struct Case {
        const char *target, *body;
        PtxVersion least;
    };
    constexpr Case cases[] = {
        {"sm_75", "", {6, 3}},
        {"sm_90", "", {7, 8}},
        {"sm_90a, debug", "", {7, 8}},
        {"sm_75", "\tfma.rn.f32 \t%f10, %f9, %f8, %f56;\n\t@%p1 bra \t$L__BB0_3;\n$L__BB0_3:\n", {6, 3}},
        {"sm_75", "\t.loc\t1 5 0, function_name $L__info_string0, inlined_at 1 7 3\n", {7, 2}},
        {"sm_80", "\tcp.async.ca.shared.global [%r1], [%rd1], 16;\n", {7, 0}},
        {"sm_80", "\tmbarrier.try_wait.shared::cta.b64 %p1, [%r1], %rd1;\n", {7, 8}},
        {"sm_90", "\tmax.s16x2 \t%r1, %r2, %r3;\n", {8, 0}},
        {"sm_75", "\t@%p1 brandnew.b32 \t%r1, %r2;\n", {9, 0}},
        {"sm_70", "", {9, 0}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(minimumPtxVersion(text(c.target, c.body)), c.least) << c.target << "\n" << c.body;
    EXPECT_FALSE(minimumPtxVersion("not PTX"));
}

TEST(LeastVersion, ReplacesTheStatedOne) {
    const std::string lowered = withVersion(text("sm_75", ""), {6, 3});
    EXPECT_EQ(statedVersion(lowered), (PtxVersion{6, 3}));
    EXPECT_EQ(lowered.size(), text("sm_75", "").size());
}

}  // namespace
}  // namespace lockstep::cuda
