#include "ptx/analysis/register_pressure.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::ptx {
namespace {

u32 registersOf(const std::string& body, const std::string& before = {}) {
    const Expected<Module> module = parse(".version 8.0\n.target sm_90\n.address_size 64\n" + before +
                                              ".visible .entry k(.param .u64 p) { .reg .pred %p<4>; .reg "
                                              ".b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<8>;\n" +
                                              body + "\nret; }",
                                          "pressure.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    return module ? registersLiveAtOnce(*module, *module->findEntry("k")) : 0;
}

TEST(RegisterPressure, IsWhatIsLiveAtOnce) {
    struct Case {
        const char* name;
        const char* body;
        u32 registers;
    };
    const Case cases[] = {
        {"nothing", "", 0},
        {"parameters and constants are made again",
         "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d2, %d1; mov.u32 %r1, 5; mov.u32 %r2, %tid.x; "
         "st.global.u32 [%d2], %r1; st.global.u32 [%d2], %r2;",
         0},
        {"one after the other",
         "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1; ld.global.u32 %r2, "
         "[%d1+4]; st.global.u32 [%d1], %r2;",
         1},
        {"two at once, and an address of two registers",
         "ld.param.u64 %d1, [p]; ld.global.u64 %d3, [%d1]; ld.global.u32 %r1, [%d3]; ld.global.u32 %r2, "
         "[%d3+4]; add.u32 %r3, %r1, %r2; st.global.u32 [%d3], %r3;",
         4},
        {"four of a vector",
         "ld.param.u64 %d1, [p]; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]; st.global.v4.f32 [%d1], {%f4, "
         "%f3, %f2, %f1};",
         4},
        {"kept over a loop",
         "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1]; mov.u32 %r2, 0; A: add.u32 %r2, %r2, 1; "
         "setp.lt.u32 %p1, %r2, 9; @%p1 bra A; add.u32 %r3, %r1, %r2; st.global.u32 [%d1], %r3;",
         2},
        {"written under a guard: the old value is needed",
         "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4]; setp.lt.u32 %p1, %r2, "
         "9; @%p1 mov.u32 %r1, %r2; st.global.u32 [%d1], %r1;",
         2},
    };
    for (const Case& c : cases)
        EXPECT_EQ(registersOf(c.body), c.registers) << c.name;
}

TEST(RegisterPressure, CallsNeedTheCallersToo) {
    const std::string callee =
        ".func f() { .reg .b64 %d<3>; .reg .b32 %r<4>; mov.u64 %d1, 64; ld.global.u32 %r1, [%d1]; "
        "ld.global.u32 %r2, [%d1+4]; add.u32 %r3, %r1, %r2; st.global.u32 [%d1], %r3; ret; }\n";
    EXPECT_EQ(
        registersOf(
            "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1]; call.uni f, (); st.global.u32 [%d1], %r1;",
            callee),
        3u);
}

}  // namespace
}  // namespace lockstep::ptx
