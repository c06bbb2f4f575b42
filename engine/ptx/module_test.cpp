#include "ptx/module.h"

#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

namespace lockstep::ptx {
namespace {

TEST(Module, LeadsFromAPcToItsTextFunctionAndLine) {
    const Module module = parsed(kHead + R"(
.visible .entry _Z1fPf(.param .u64 _Z1fPf_param_0)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .loc 1 7 5
    mov.u32 %r1, %tid.x;
    setp.gt.u32 %p1, %r1, 7; // behind
    @!%p1 bra  $L;
    .loc 1 9 1
    exit;
$L: ret;
}
.file 1 "/home/someone/../someone/./f.cu"
)");
    ASSERT_EQ(module.instructions.size(), 5u);
    EXPECT_EQ(module.textOf(Pc{0}), "mov.u32 %r1, %tid.x");
    EXPECT_EQ(module.textOf(Pc{2}), "@!%p1 bra  $L");
    EXPECT_EQ(module.textOf(Pc{4}), "ret");
    EXPECT_EQ(module.functionOf(Pc{4}).value, 0u);
    EXPECT_EQ(module.locationOf(Pc{0}).line, 7u);
    EXPECT_EQ(module.locationOf(Pc{3}).line, 9u);
    EXPECT_EQ(module.files[module.locationOf(Pc{0}).file], "/home/someone/f.cu");
    EXPECT_EQ(module.reconvergence(Pc{2}), kNoPc);
    ASSERT_NE(module.findEntry("_Z1fPf"), nullptr);
    EXPECT_EQ(module.findEntry("f"), nullptr);
}

TEST(Module, KeepsItsTextWhenCopiedAndMoved) {
    Module copy;
    {
        Module first = parsed(kHead + ".entry a_rather_long_name() { ret; }");
        copy = first;
        Module moved = std::move(first);
        EXPECT_EQ(moved.functions[0].name, "a_rather_long_name");
    }
    EXPECT_EQ(copy.functions[0].name, "a_rather_long_name");
    EXPECT_EQ(copy.at(Pc{0}).form, "ret");
}

TEST(ShortName, IsTheNameAsPeopleWriteIt) {
    struct Case {
        const char *mangled, *shortName, *full;
    };
    constexpr Case cases[] = {
        {"_Z8mm_tiledILi16EEvPKfS1_Pfi", "mm_tiled<16>", "mm_tiled<16>"},
        {"_Z1fiPf", "f", "f(int, float*)"},
        {"_Z1gIfLj32EEvPT_", "g<float, 32>", "g<float, 32>"},
        {"_Z1gIfLm32ELb1EEvPT_", "g<float, 32, true>", "g<float, 32, true>"},
        {"_Z1hILs3EEvv", "h<3>", "h<3>"},
        {"_Z1hILin7EEvv", "h<-7>", "h<-7>"},
        {"_ZN3abc1fEPKd", "abc::f", "abc::f(double const*)"},
        {"_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f", "(anonymous namespace)::f()"},
        {"_Z5applyI3AddIiEEvT_Pi", "apply<Add<int> >", "apply<Add<int> >"},
        {"kernel", "kernel", "kernel"},
        {"_Zbroken", "_Zbroken", "_Zbroken"},
        {"", "", ""},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(shortName(c.mangled), c.shortName) << c.mangled;
        EXPECT_EQ(demangle(c.mangled), c.full) << c.mangled;
    }
}

TEST(VariableName, IsWhatStandsInTheSource) {
    struct Case {
        std::string_view ptx, source;
    };
    constexpr Case cases[] = {
        {"_ZZ8mm_tiledILi16EEvPKfS1_PfiE3Mds", "Mds"},
        {"_ZZ4sortPKjPjE3key", "key"},
        {"_ZZ6reducePKiPiE1s_0", "s"},
        {"_ZZ6reducePKiPiE4tile__12_", "tile"},
        {"_ZN4mine5tableE", "table"},
        {"_ZL5table", "table"},
        {"_ZZ1fvE12tile_of_2x16", "tile_of_2x16"},
        {"sdata", "sdata"},
        {"__cuda_local_var_41177_33_non_const_Mds", "Mds"},
        {"_Z", "_Z"},
        {"", ""},
        {"_Z99999999999999999999999x", "_Z99999999999999999999999x"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(variableName(c.ptx), c.source);
}

TEST(ShortName, LeavesNamesAloneThatStandForEndlessTexts) {
    // f(pair<int, int>, pair<that, that>, pair<that, that>, ...): each parameter twice as long as the one
    // before.
    std::string bomb = "_Z1fSt4pairIiiE";
    const auto reference = [](int n) {
        const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        return n == 0    ? std::string("S_")
               : n <= 36 ? std::string("S") + digits[n - 1] + "_"
                         : std::string("S1") + digits[(n - 1) % 36] + "_";
    };
    for (int i = 0; i < 40; ++i)
        bomb += "S_I" + reference(i + 1) + reference(i + 1) + "E";
    EXPECT_EQ(shortName(bomb), bomb);

    const std::string ordinary = "_ZN3cub17CUB_200200_900_NS11EmptyKernelIvEEvv";
    EXPECT_EQ(shortName(ordinary), "cub::CUB_200200_900_NS::EmptyKernel<void>");
    const std::string deep =
        "_ZN3cub17CUB_200200_900_NS18DeviceReduceKernelINS0_18DeviceReducePolicyIijN4cuda3std3__"
        "44plusIiEEE9Policy600EPijS7_iNS5_10"
        "__identityEEEvT0_PT3_T1_NS0_13GridEvenShareISC_EET2_T4_";
    EXPECT_TRUE(shortName(deep).starts_with("cub::CUB_200200_900_NS::DeviceReduceKernel<"))
        << shortName(deep);
}

}  // namespace
}  // namespace lockstep::ptx
