// Every case was compiled with ptxas 13.0 for cc 9.0: an atomic is aggregated if one lane alone executes its
// REDG, ATOMG or ATOMS.
#include "model/access/warp_aggregation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::model {
namespace {

// %rd1 is an argument, %r1 tid.x, %r2 ctaid.x, %r3 the old value, %rd2 a sum of the argument and the thread's
// number.
bool oneLaneGoes(std::string_view atomic, std::string_view after = "") {
    const Expected<ptx::Module> module = ptx::parse(fmt::format(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<8>;
    .shared .align 4 .b8 s[256];
    ld.param.u64 %rd1, [k_param_0];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd2, %rd1, %rd3;
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd5, %rd1, %rd4;
    ld.global.u32 %r4, [%rd1+12];
    mul.wide.u32 %rd6, %r4, 4;
    add.s64 %rd7, %rd1, %rd6;
    cvt.rn.f32.u32 %f1, %r1;
    {}
    {}
    ret;
}}
)",
                                                                atomic, after),
                                                    "k.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return false;
    }
    const std::vector<bool> aggregated = warpAggregatedAtomics(*module, module->functions[0]);
    return std::ranges::count(aggregated, true) == 1;
}

TEST(WarpAggregation, NeedsAnAddressThatDoesNotDependOnTheThread) {
    EXPECT_TRUE(oneLaneGoes("atom.global.add.u32 %r3, [%rd1], %r1;"));
    EXPECT_TRUE(oneLaneGoes("red.global.max.s32 [%rd1], %r1;"));
    EXPECT_TRUE(oneLaneGoes("red.global.add.u32 [%rd5], %r1;"));  // by the block's number
    EXPECT_TRUE(oneLaneGoes("red.global.add.u32 [%rd7], %r1;"));  // by what all lanes have read at one place
    EXPECT_TRUE(oneLaneGoes("atom.shared.max.s32 %r3, [s], %r1;"));
    EXPECT_FALSE(oneLaneGoes("red.global.add.u32 [%rd2], %r1;"));
}

TEST(WarpAggregation, IsForIntegerSumsAndTheLike) {
    EXPECT_TRUE(oneLaneGoes("red.global.and.b32 [%rd1], %r1;"));
    EXPECT_FALSE(oneLaneGoes("red.global.add.f32 [%rd1], %f1;"));
    EXPECT_FALSE(oneLaneGoes("red.global.inc.u32 [%rd1], 7;"));
    EXPECT_FALSE(oneLaneGoes("atom.global.exch.b32 %r3, [%rd1], 7;"));
    EXPECT_TRUE(oneLaneGoes("red.global.add.u64 [%rd1], 1;"));
    EXPECT_FALSE(oneLaneGoes("red.global.add.u64 [%rd1], %rd3;"));
}

TEST(WarpAggregation, OfThoseWhoseOldValueIsUsedOnlySumsAre) {
    EXPECT_TRUE(oneLaneGoes("atom.global.add.u32 %r3, [%rd1], 1;", "st.global.u32 [%rd2], %r3;"));
    EXPECT_FALSE(oneLaneGoes("atom.global.max.s32 %r3, [%rd1], %r1;", "st.global.u32 [%rd2], %r3;"));
}

TEST(WarpAggregation, LeavesTheLowestLane) {
    trace::WarpAccess access;
    access.active = LaneMask{0xff00u};
    EXPECT_EQ(byOneLane(access).active, LaneMask{0x100u});
}

}  // namespace
}  // namespace lockstep::model
