#include "explain/source/unrolled.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::explain {
namespace {

using viz::kUnrolledSum, viz::thrice, viz::unrolledKernel;

TEST(UnrolledLinesTest, AnInstructionIsOfACopy) {
    const run::Run run = unrolledKernel("sum += a[k] * b[k];", kUnrolledSum);
    UnrolledLines lines(*run.module);
    EXPECT_EQ(lines.copyAt(Pc{0}), std::nullopt);
    for (u32 i = 0; i < 9; ++i)
        EXPECT_EQ(lines.copyAt(Pc{1 + i}), (LineCopy{i / 3 + 1, 3})) << i;
    EXPECT_EQ(lines.copyAt(Pc{10}), std::nullopt);
    EXPECT_EQ(lines.copyAt(Pc{99}), std::nullopt);
}

TEST(UnrolledLinesTest, ThatStandsApartFromTheRestOfIt) {
    // All loads come first.
    std::vector<std::string> mixed = kUnrolledSum;
    std::ranges::stable_sort(mixed, {}, [](const std::string& text) { return text.starts_with("fma"); });
    const run::Run run = unrolledKernel("sum += a[k] * b[k];", mixed);
    UnrolledLines lines(*run.module);
    EXPECT_EQ(lines.copyAt(Pc{3}), (LineCopy{2, 3})) << "two of six loads are of one copy";
    EXPECT_EQ(lines.copyAt(Pc{9}), (LineCopy{3, 3}));
}

TEST(UnrolledLinesTest, CopiesThatShareArithmeticAreAsManyAsTheirLoads) {
    // Four turns, of which two have an address in common.
    std::vector<std::string> body(4, "ld.shared.f32 %f1, [%r1]");
    body.insert(body.end(), 4, "st.global.f32 [%rd1], %f1");
    body.insert(body.end(), 2, "mad.lo.s32 %r1, %r2, %r2, %r2");
    const run::Run run = unrolledKernel("out[y + k] = tile[x][y];", body);
    UnrolledLines lines(*run.module);
    for (u32 i = 0; i < 4; ++i)
        EXPECT_EQ(lines.copyAt(Pc{1 + i}), (LineCopy{i + 1, 4}));
    EXPECT_EQ(lines.copyAt(Pc{9}), std::nullopt);
}

TEST(UnrolledLinesTest, WhatTheTextAsksForIsNoCopy) {
    struct Case {
        const char* line;
        std::vector<std::string> instructions;
        const char* loop;
    };
    const Case cases[] = {
        {"sum += a[k] + a[k + 1] + a[k + 2];", thrice({"ld.shared.f32 %f1, [%r1]"}),
         "for (;;)"},                                                             // three loads are written
        {"big = all[k];", thrice({"ld.global.f32 %f1, [%rd1]"}), "// for each"},  // a structure, in no loop
        {"sum += a[k] * b[k];", {"ld.shared.f32 %f1, [%r1]", "ld.shared.f32 %f2, [%r2]"}, "for (;;)"},
        {"x = y;", {"mov.u32 %r1, %r2"}, "for (;;)"},
    };
    for (const Case& c : cases) {
        const run::Run run = unrolledKernel(c.line, c.instructions, c.loop);
        UnrolledLines lines(*run.module);
        EXPECT_EQ(lines.copyAt(Pc{1}), std::nullopt) << c.line;
    }
}

}  // namespace
}  // namespace lockstep::explain
