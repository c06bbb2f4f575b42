// Small kernels whose contents affect control flow or addresses, or do not.
#include "run/data_dependence.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

struct Case {
    const char*
        body;  // %d1 and %d2 hold the two buffers, %d3 the address of `counter`, %r1 the thread's number
    std::vector<u32> dataDependence, ordered;
    std::vector<std::pair<std::string, bool>> variables;
};

class Cases : public testing::TestWithParam<Case> {};

TEST_P(Cases, NamesWhatDecides) {
    const std::string text = std::string(
                                 ".version 7.8\n.target sm_90\n.address_size 64\n.global .u32 "
                                 "counter;\n.visible .entry k(.param .u64 a, .param .u64 b) {\n"
                                 ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .pred %p<4>; "
                                 ".shared .align 4 .b8 tile[128];\n"
                                 "ld.param.u64 %d1, [a]; ld.param.u64 %d4, [b]; cvta.to.global.u64 %d2, %d4; "
                                 "mov.u64 %d3, counter; mov.u32 %r1, %tid.x;\n") +
                             GetParam().body + "\nret; }\n";
    const Expected<ptx::Module> module = ptx::parse(text, "k.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    const Launch launch{.entry = "k",
                        .grid = {},
                        .block = {32, 1, 1},
                        .dynamicSharedBytes = 0,
                        .arguments = {BufferArgument{0}, BufferArgument{1}}};
    const DataDependence dataDependence = dataDependenceOf(*module, {&launch, 1}, 2);
    EXPECT_EQ(dataDependence.buffers, GetParam().dataDependence);
    EXPECT_EQ(dataDependence.ordered, GetParam().ordered);
    std::vector<std::pair<std::string, bool>> variables;
    for (const cuda::ChangingVariable& variable : dataDependence.variables)
        variables.emplace_back(variable.name, variable.steers);
    EXPECT_EQ(variables, GetParam().variables);
}

INSTANTIATE_TEST_SUITE_P(
    DataDependence, Cases,
    testing::Values(
        // a copy, an addition in place, a histogram that ignores the old value: contents are only data
        Case{"ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, 1; st.global.u32 [%d2], %r2;", {}, {}, {}},
        Case{"ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, 1; st.global.u32 [%d1], %r2;", {}, {}, {}},
        Case{"red.global.add.u32 [%d1], 1; atom.global.add.u32 %r2, [%d2], %r1;", {}, {}, {}},
        // an index, a condition, a guarded store
        Case{"ld.global.u32 %r2, [%d1]; mul.wide.u32 %d5, %r2, 4; add.u64 %d6, %d2, %d5; st.global.u32 "
             "[%d6], 1;",
             {0},
             {},
             {}},
        Case{"ld.global.u32 %r2, [%d2]; setp.eq.u32 %p1, %r2, 0; @%p1 bra done; add.u32 %r3, %r3, 1; done:",
             {1},
             {},
             {}},
        Case{"ld.global.u32 %r2, [%d2]; setp.eq.u32 %p1, %r2, 0; @%p1 st.global.u32 [%d1], 1;", {1}, {}, {}},
        // through shared memory, through another buffer, through a vector
        Case{"ld.global.u32 %r2, [%d1]; st.shared.u32 [tile], %r2; ld.shared.u32 %r3, [tile]; setp.eq.u32 "
             "%p1, %r3, 0; @%p1 ret;",
             {0},
             {},
             {}},
        Case{"ld.global.u32 %r2, [%d1]; st.global.u32 [%d2], %r2; ld.global.u32 %r3, [%d2]; setp.eq.u32 %p1, "
             "%r3, 0; @%p1 ret;",
             {0, 1},
             {},
             {}},
        Case{"ld.global.v2.u32 {%r2, %r3}, [%d1]; setp.eq.u32 %p1, %r3, 0; @%p1 ret;", {0}, {}, {}},
        // a turn flag, and the index of the next free place
        Case{"again: atom.global.add.u32 %r2, [%d1], 0; setp.ne.u32 %p1, %r2, %r1; @%p1 bra again; "
             "st.global.u32 [%d2], 1;",
             {0},
             {0, 1},
             {}},
        Case{"atom.global.add.u32 %r2, [%d1], 1; mul.wide.u32 %d5, %r2, 4; add.u64 %d6, %d2, %d5; "
             "st.global.u32 [%d6], %r1;",
             {0},
             {1},
             {}},
        // of the module
        Case{"atom.global.inc.u32 %r2, [%d3], 7; setp.eq.u32 %p1, %r2, 7; @%p1 ret;",
             {},
             {},
             {{"counter", true}}},
        Case{"red.global.add.u32 [counter], 1;", {}, {}, {{"counter", false}}},
        Case{"ld.global.u32 %r2, [counter]; setp.eq.u32 %p1, %r2, 7; @%p1 ret;", {}, {}, {}}));

}  // namespace
}  // namespace lockstep::run
