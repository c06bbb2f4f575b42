#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::ptx {
namespace {

const Variable* find(const Module& module, std::string_view name) {
    for (const Variable& variable : module.variables)
        if (variable.name == name) return &variable;
    ADD_FAILURE() << name;
    return nullptr;
}

template <class T> std::vector<T> valuesOf(const Variable& variable) {
    std::vector<T> values(variable.initial.size() / sizeof(T));
    std::memcpy(values.data(), variable.initial.data(), values.size() * sizeof(T));
    return values;
}

TEST(Variables, HaveTheirSizeAlignmentAndSpace) {
    struct Case {
        const char* text;
        StateSpace space;
        Type type;
        u32 alignBytes;
        u64 sizeBytes;
        bool isExtern;
    };
    constexpr Case cases[] = {
        {".global .u32 x;", StateSpace::Global, Type::U32, 4, 4, false},
        {".visible .global .align 16 .b8 x[100];", StateSpace::Global, Type::B8, 16, 100, false},
        {".const .f64 x[2][3];", StateSpace::Const, Type::F64, 8, 48, false},
        {".extern .shared .align 16 .b8 x[];", StateSpace::Shared, Type::B8, 16, 0, true},
        {".weak .shared .v4 .f32 x;", StateSpace::Shared, Type::F32, 16, 16, false},
        {".global .attribute(.managed) .s32 x;", StateSpace::Global, Type::S32, 4, 4, false},
        {".global .align 8 .b8 x[2*(3+1)];", StateSpace::Global, Type::B8, 8, 8, false},
        {".extern .global .u32 x; .global .u32 x = 3;", StateSpace::Global, Type::U32, 4, 4, false},
        {".global.align 4 .b8 x[8];", StateSpace::Global, Type::B8, 4, 8, false},
    };
    for (const Case& c : cases) {
        const Module module = parsed(c.text);
        const Variable* x = find(module, "x");
        if (!x) continue;
        EXPECT_EQ(x->space, c.space) << c.text;
        EXPECT_EQ(x->type, c.type) << c.text;
        EXPECT_EQ(x->alignBytes, c.alignBytes) << c.text;
        EXPECT_EQ(x->sizeBytes, c.sizeBytes) << c.text;
        EXPECT_EQ(x->isExtern, c.isExtern) << c.text;
        EXPECT_FALSE(x->function) << c.text;
    }
}

TEST(Variables, HaveTheirInitialValues) {
    const Module module = parsed(
        ".global .s32 a[4] = {1, -2, 0x10};\n"
        ".global .f32 b[] = {0f3F800000, 2.5};\n"
        ".global .b8 c[2][3] = {{1}, {4, 5, 6}};\n"
        ".global .u64 d = 18446744073709551615;\n"
        ".global .u16 e;\n"
        ".global .v2 .u8 f[2] = {{1, 2}, {3, 4}};\n"
        ".global .u8 g[2][2][2] = {1, 2, 3, 4, {{5}}};\n");
    EXPECT_EQ(valuesOf<s32>(*find(module, "a")), (std::vector<s32>{1, -2, 16, 0}));
    EXPECT_EQ(valuesOf<f32>(*find(module, "b")), (std::vector<f32>{1.0f, 2.5f}));
    EXPECT_EQ(find(module, "b")->sizeBytes, 8u);
    EXPECT_EQ(valuesOf<u8>(*find(module, "c")), (std::vector<u8>{1, 0, 0, 4, 5, 6}));
    EXPECT_EQ(valuesOf<u64>(*find(module, "d")), (std::vector<u64>{~u64{0}}));
    EXPECT_TRUE(find(module, "e")->initial.empty());
    EXPECT_EQ(valuesOf<u8>(*find(module, "f")), (std::vector<u8>{1, 2, 3, 4}));
    EXPECT_EQ(valuesOf<u8>(*find(module, "g")), (std::vector<u8>{1, 2, 3, 4, 5, 0, 0, 0}));
}

TEST(Variables, HoldAddresses) {
    const Module module = parsed(
        ".address_size 64\n.global .u32 x[4]; .func one() { ret; }\n"
        ".global .u64 a[3] = {generic(x)+8, x, generic(x+4)};\n"
        ".global .b8 b[12] = {7, 0, 0, 0, 0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), 0xFF00000000(x),"
        " 0xFF0000000000(x), 0xFF000000000000(x), 0xFF00000000000000(x)};\n"
        ".global .u64 c[1] = {one};\n");
    const Variable& a = *find(module, "a");
    ASSERT_EQ(a.initialAddresses.size(), 3u);
    EXPECT_EQ(a.initialAddresses[0].offsetBytes, 8);
    EXPECT_TRUE(a.initialAddresses[0].generic);
    EXPECT_EQ(a.initialAddresses[1].atByte, 8u);
    EXPECT_FALSE(a.initialAddresses[1].generic);
    EXPECT_EQ(a.initialAddresses[2].offsetBytes, 4);
    const Variable& b = *find(module, "b");
    ASSERT_EQ(b.initialAddresses.size(), 1u);
    EXPECT_EQ(b.initialAddresses[0].atByte, 4u);
    EXPECT_EQ(module.variables[b.initialAddresses[0].of.value].name, "x");
    EXPECT_EQ(b.initial[0], std::byte{7});
    const Variable& c = *find(module, "c");
    ASSERT_EQ(c.initialAddresses.size(), 1u);
    ASSERT_TRUE(c.initialAddresses[0].function);
    EXPECT_EQ(module.functions[c.initialAddresses[0].function->value].name, "one");
}

TEST(Functions, HaveParametersResultsAndLimits) {
    const Module module = parsed(kHead + R"(
.extern .func  (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.func (.param .align 8 .b8 r[16]) twice(.param .b32 a);
.visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24])
.maxntid 256, 2
.reqntid 32, 1, 1
.minnctapersm 3
.maxnreg 64
{ ret; }
.func (.param .align 8 .b8 r[16]) twice(.param .b32 a) { ret; }
)");
    ASSERT_EQ(module.functions.size(), 3u);
    EXPECT_EQ(module.functions[0].name, "vprintf");
    EXPECT_TRUE(module.functions[0].isDeclaration);
    EXPECT_EQ(module.functions[0].parameters.size(), 2u);
    EXPECT_EQ(module.functions[0].results.size(), 1u);
    const Function& twice = module.functions[1];
    EXPECT_FALSE(twice.isDeclaration);
    EXPECT_EQ(twice.first, Pc{1});
    EXPECT_EQ(twice.end, Pc{2});
    EXPECT_EQ(module.variables[twice.results[0].value].sizeBytes, 16u);
    EXPECT_EQ(module.variables[twice.results[0].value].function, FunctionId{1});
    const Function& kernel = module.functions[2];
    EXPECT_TRUE(kernel.isEntry);
    EXPECT_EQ(kernel.maxThreads, (Dim3{256, 2, 1}));
    EXPECT_EQ(kernel.requiredThreads, (Dim3{32, 1, 1}));
    EXPECT_EQ(kernel.minBlocksPerSm, 3u);
    EXPECT_EQ(module.variables[kernel.parameters[0].value].alignBytes, 8u);
    EXPECT_EQ(module.variables[kernel.parameters[1].value].sizeBytes, 24u);
    EXPECT_EQ(module.functionOf(Pc{0}), FunctionId{2});
    EXPECT_EQ(module.functionOf(Pc{1}), FunctionId{1});
}

TEST(Functions, AreCalledDirectlyAndThroughPointers) {
    const Module module = parsed(kHead + R"(
.func (.param .b32 r) f(.param .b32 a, .param .b64 b) { ret; }
.func g() { ret; }
.entry k() {
    .reg .b64 %rd<4>; .reg .b32 %r<3>;
    { .param .b32 retval0; .param .b32 param0; .param .b64 param1;
      st.param.b32 [param0+0], %r1;
      call.uni (retval0), f, (param0, param1);
      ld.param.b32 %r2, [retval0+0]; }
    call g;
    mov.u64 %rd1, g;
p0: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);
    { .param .b32 retval0; .param .b32 param0; .param .b64 param1;
      call (retval0), %rd1, (param0, param1), p0; }
}
)");
    ASSERT_EQ(module.instructions.size(), 2 + 7u);
    const auto direct = module.operandsOf(module.at(Pc{3}));
    ASSERT_EQ(direct.size(), 3u);
    EXPECT_EQ(std::get<VectorOperand>(direct[0]).elements.size(), 1u);
    EXPECT_EQ(std::get<FunctionOperand>(direct[1]).id, FunctionId{0});
    EXPECT_EQ(std::get<VectorOperand>(direct[2]).elements.size(), 2u);
    EXPECT_EQ(module.at(Pc{3}).form, "call");
    EXPECT_EQ(module.operandsOf(module.at(Pc{5})).size(), 1u);
    EXPECT_EQ(std::get<FunctionOperand>(module.operandsOf(module.at(Pc{6}))[1]).id, FunctionId{1});
    const auto indirect = module.operandsOf(module.at(Pc{7}));
    ASSERT_EQ(indirect.size(), 4u);
    EXPECT_TRUE(std::holds_alternative<RegisterOperand>(indirect[1]));
    const Function& prototype = module.functions[std::get<FunctionOperand>(indirect[3]).id.value];
    EXPECT_TRUE(prototype.isDeclaration);
    EXPECT_EQ(prototype.parameters.size(), 2u);
}

TEST(Registers, BelongToTheirScope) {
    const Module module = parsed(kernelOf(
        "{ .reg .b64 %r1; .reg .b64 t<2>; mov.u64 %r1, 1; mov.u64 t1, 1; { .reg .b32 t<9>; mov.u32 t1, 1;"
        " mov.u32 t8, 1; } mov.u64 t1, 2; } mov.u32 %r1, 1; { .reg .b16 t1; mov.u16 t1, 3; }"));
    ASSERT_EQ(module.instructions.size(), 8u);
    const std::vector<Register>& registers = module.functions[0].registers;
    auto written = [&](u32 pc) {
        return std::get<RegisterOperand>(module.operandsOf(module.at(Pc{pc}))[0]).id.value;
    };
    constexpr Type types[] = {Type::B64, Type::B64, Type::B32, Type::B32, Type::B64, Type::B32, Type::B16};
    for (u32 pc = 0; pc < 7; ++pc)
        EXPECT_EQ(registers[written(pc)].type, types[pc]) << pc;
    EXPECT_EQ(written(1), written(4));
    EXPECT_NE(written(1), written(2));
    EXPECT_EQ(registers[written(3)].name, "t8");
}

TEST(Locations, NameFilesByTheirCharacters) {
    const Module module = parsed(kHead + R"(
.entry k() {
    .loc 2 3 5
    ret;
}
.file 1 "/home/\345\212\240\346\263\225.cu"
.file 2 "/home/a \"b\"\\c%d.cu", 1, 2
)");
    EXPECT_EQ(module.files[1], "/home/加法.cu");
    EXPECT_EQ(module.files[2], "/home/a \"b\"\\c%d.cu");
    EXPECT_EQ(module.locationOf(Pc{0}).line, 3u);
}

TEST(Locations, LeadOutwardsThroughInlinedCalls) {
    const Module module = parsed(kHead + R"(
.entry k() {
    .reg .b32 %r<2>;
    mov.u32 %r1, 1;
    .loc 1 20 5
    mov.u32 %r1, 2;
    .loc 1 12 3, function_name $L__info_string0, inlined_at 1 20 5
    mov.u32 %r1, 3;
    .loc 2 5 9, function_name $L__info_string0+3, inlined_at 1 12 3
    mov.u32 %r1, 4;
    .loc 1 0 0
    mov.u32 %r1, 5;
    .loc 1 20 5
    ret;
}
.file 1 "/home/a/./b/../k.cu"
.file 2 "/usr/include/h.h", 12345, 678
.section .debug_info { .b8 1, 2 L: .b32 .debug_abbrev }
.section .debug_str
{
$L__info_string0:
.b8 95,90,49,102,118,0
}
)");
    ASSERT_EQ(module.instructions.size(), 6u);
    EXPECT_EQ(module.at(Pc{0}).location, 0u);
    EXPECT_EQ(module.at(Pc{4}).location, 0u);
    EXPECT_EQ(module.at(Pc{1}).location, module.at(Pc{5}).location);
    const Location& deepest = module.locationOf(Pc{3});
    EXPECT_EQ(module.files[deepest.file], "/usr/include/h.h");
    EXPECT_EQ(deepest.line, 5u);
    EXPECT_EQ(deepest.column, 9u);
    EXPECT_EQ(deepest.function, "fv");
    EXPECT_EQ(deepest.inlinedAt, module.at(Pc{2}).location);
    const Location& middle = module.locations[deepest.inlinedAt];
    EXPECT_EQ(middle.function, "_Z1fv");
    EXPECT_EQ(middle.inlinedAt, module.at(Pc{1}).location);
    EXPECT_EQ(module.locations[middle.inlinedAt].line, 20u);
    EXPECT_EQ(module.locations[middle.inlinedAt].inlinedAt, 0u);
    EXPECT_EQ(module.files[1], "/home/a/k.cu");
    EXPECT_EQ(module.sources.size(), 3u);
}

TEST(Headers, AreRead) {
    const Module module = parsed("// made by hand\n.version 8.4\n.target sm_90a, debug\n.address_size 32\n");
    EXPECT_EQ(module.versionMajor, 8u);
    EXPECT_EQ(module.versionMinor, 4u);
    EXPECT_EQ(module.targetSm, 90u);
    EXPECT_EQ(module.addressBits, 32u);
    EXPECT_TRUE(parsed("").functions.empty());
}

}  // namespace
}  // namespace lockstep::ptx
