// What lanes move is told element by element, and of an atomic what it was given apart from what it found.
#include "explain/access/access_values.h"

#include "explain/access/atomic_lanes.h"
#include "viz/facts/explained_run.h"
#include "viz/phrases.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::viz {
namespace {

using trace::AccessKind, trace::Space;

// Puts what a lane moves into the record, byte by byte: the builder has room for one float a lane.
template <class T, std::size_t N> void put(run::Run& run, u32 access, u32 lane, const T (&values)[N]) {
    trace::WarpTrace& warp = run.recording.trace.blocks[0].warps[0];
    std::memcpy(
        warp.valuePool.data() + warp.accesses[access].valuesAt + lane * warp.accesses[access].widthBytes,
        values, sizeof values);
}

class AccessValuesTest : public testing::Test {
protected:
    // A warp that executes one instruction on `in` (floats) or on shared memory.
    run::Run runOf(const std::string& instruction, Space space, AccessKind kind, u8 widthBytes,
                   const std::string& source = "__shared__ float tile[512];\n") {
        RunBuilder b("one.cu", source);
        b.shared("tile", 2048);
        b.buffer("in", {512}, std::vector<f32>(512));
        const Pc pc = b.instruction(instruction, 1);
        b.launch({1, 1, 1}, {32, 1, 1});
        b.block({0, 0, 0});
        b.access(
            0, pc, LaneMask::all(), space, kind,
            [&](u32 lane) {
                return (space == Space::Global ? deviceAddressOf(0) : 0) + u64{lane} * widthBytes;
            },
            [](u32) { return 0.0f; }, widthBytes);
        return b.finish();
    }
    std::string sentenceOf(const run::Run& run, u32 lane, Language language = Language::English) const {
        const ViewInput in{
            .run = run,
            .cursor = {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = Lane{lane}, .step = 0},
            .profile = model::defaultProfile(),
            .size = {800, 600},
            .language = language,
            .metrics = *fonts};
        return laneSentence(in, lookUp(run, in.cursor), Lane{lane});
    }
    Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
};

TEST_F(AccessValuesTest, AVectorIsAllOfItsElements) {
    ASSERT_TRUE(fonts);
    run::Run run =
        runOf("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", Space::Global, AccessKind::Load, 16);
    put(run, 0, 2, {1.0f, 2.5f, -3.0f, 4.0f});
    EXPECT_EQ(sentenceOf(run, 2), "Lane 2, thread 2 reads in[8] to in[11] = 1.0, 2.5, -3.0, 4.0 (f32 × 4).");
    EXPECT_EQ(sentenceOf(run, 2, Language::Chinese),
              "通道 2，线程 2 读取 in[8] 到 in[11] = 1.0, 2.5, -3.0, 4.0（f32 × 4）。");
}

TEST_F(AccessValuesTest, AWordOfTwoFloatsIsTwoFloats) {
    ASSERT_TRUE(fonts);
    run::Run global = runOf("ld.global.u64 %rd2, [%rd1]", Space::Global, AccessKind::Load, 8);
    put(global, 0, 1, {7.0f, 8.0f});
    EXPECT_EQ(sentenceOf(global, 1), "Lane 1, thread 1 reads in[2] and in[3] = 7.0, 8.0 (f32 × 2).");
    run::Run shared = runOf("st.shared.v2.u64 [%r1], {%rd2, %rd3}", Space::Shared, AccessKind::Store, 16);
    put(shared, 0, 1, {1.0f, 2.0f, 3.0f, 4.0f});
    EXPECT_EQ(sentenceOf(shared, 1),
              "Lane 1, thread 1 writes tile[4] to tile[7] = 1.0, 2.0, 3.0, 4.0 (f32 × 4).");
}

TEST_F(AccessValuesTest, TheTypeOfSharedMemoryIsTheDeclaredOne) {
    ASSERT_TRUE(fonts);
    run::Run halves = runOf("ld.shared.u32 %r2, [%r1]", Space::Shared, AccessKind::Load, 4,
                            "__shared__ float tile[512];\n");
    put(halves, 0, 0, {1.5f});
    EXPECT_EQ(sentenceOf(halves, 0), "Lane 0, thread 0 reads tile[0] = 1.5.")
        << "the bits of a float in a register of whole numbers";
    run::Run ints =
        runOf("ld.shared.u32 %r2, [%r1]", Space::Shared, AccessKind::Load, 4, "__shared__ int tile[512];\n");
    put(ints, 0, 0, {-5});
    EXPECT_EQ(sentenceOf(ints, 0), "Lane 0, thread 0 reads tile[0] = -5.");
}

TEST(DeclaredTypeTest, OfVectorsThatOfTheirComponents) {
    struct Case {
        const char *declaration, *name;
        ptx::Type type;
    };
    constexpr Case cases[] = {{"__shared__ float tile[4];", "tile", ptx::Type::F32},
                              {"extern __shared__ double sdata[];", "sdata", ptx::Type::F64},
                              {"__shared__ unsigned int counts[256];", "counts", ptx::Type::U32},
                              {"__shared__ unsigned counts[256];", "counts", ptx::Type::U32},
                              {"__shared__ unsigned char bytes[64];", "bytes", ptx::Type::U8},
                              {"__shared__ alignas(16) float4 wide[64];", "wide", ptx::Type::F32},
                              {"__shared__ uint2 wide[64];", "wide", ptx::Type::U32},
                              {"__shared__ __half tile[8][8];", "tile", ptx::Type::F16},
                              {"__shared__ unsigned long long sums[8];", "sums", ptx::Type::U64},
                              {"__shared__ volatile short s[8];", "s", ptx::Type::S16},
                              {"__shared__ T tile[8];", "tile", ptx::Type::None}};
    for (const Case& c : cases)
        EXPECT_EQ(explain::declaredType(c.declaration, c.name), c.type) << c.declaration;
    // Of a template the instance says it.
    EXPECT_EQ(explain::declaredType(
                  "__shared__ Word words[1024];", "words",
                  explain::templateTypesOf("template <class Word, int N>\n__global__ void k(Word* in) {}",
                                           "void k<float4, 16>(float4*)")),
              ptx::Type::F32);
}

TEST_F(AccessValuesTest, AnAtomicThatReturnsHasOperandOldAndNewValue) {
    ASSERT_TRUE(fonts);
    run::Run run = runOf("atom.shared.add.u32 %r2, [%r1], 3", Space::Shared, AccessKind::Atomic, 4,
                         "__shared__ int tile[512];\n");
    put(run, 0, 1, {7});
    EXPECT_EQ(sentenceOf(run, 1),
              "Lane 1, thread 1: atomicAdd on tile[1] with operand 3; old value 7, new value 10.");
    EXPECT_EQ(sentenceOf(run, 1, Language::Chinese),
              "通道 1，线程 1：对 tile[1] 执行 atomicAdd，操作数 3；旧值 7，新值 10。");
}

TEST_F(AccessValuesTest, WhatAReductionIsGivenIsNoOldValue) {
    ASSERT_TRUE(fonts);
    run::Run run = runOf("red.global.add.f32 [%rd1], %f1", Space::Global, AccessKind::Reduction, 4);
    put(run, 0, 4, {2.5f});
    EXPECT_EQ(sentenceOf(run, 4),
              "Lane 4, thread 4: atomicAdd on in[4] with operand 2.5; the result (the old value) is unused.");
}

TEST_F(AccessValuesTest, ACompareAndSwapHasTwoOperands) {
    ASSERT_TRUE(fonts);
    run::Run run = runOf("atom.shared.cas.b32 %r2, [%r1], 5, 9", Space::Shared, AccessKind::Atomic, 4,
                         "__shared__ int tile[512];\n");
    put(run, 0, 0, {5});
    put(run, 0, 1, {6});
    EXPECT_EQ(sentenceOf(run, 0),
              "Lane 0, thread 0: atomicCAS on tile[0]: compares with 5, stores 9 where they are equal; old "
              "value 5, new value 9.");
    EXPECT_EQ(sentenceOf(run, 1),
              "Lane 1, thread 1: atomicCAS on tile[1]: compares with 5, stores 9 where they are equal; old "
              "value 6, new value 6.");
}

TEST(AfterAtomicTest, EveryOperationIsDoneAsTheEmulatorDoesIt) {
    struct Case {
        const char* instruction;
        u32 old, operand, after;
    };
    constexpr Case cases[] = {{"atom.global.add.u32 %r2, [%rd1], %r3", 0xffffffff, 2, 1},
                              {"atom.global.min.s32 %r2, [%rd1], %r3", 4, 0xffffffff, 0xffffffff},
                              {"atom.global.max.s32 %r2, [%rd1], %r3", 4, 0xffffffff, 4},
                              {"atom.global.and.b32 %r2, [%rd1], %r3", 12, 10, 8},
                              {"atom.global.or.b32 %r2, [%rd1], %r3", 12, 10, 14},
                              {"atom.global.xor.b32 %r2, [%rd1], %r3", 12, 10, 6},
                              {"atom.global.exch.b32 %r2, [%rd1], %r3", 12, 10, 10},
                              {"atom.global.inc.u32 %r2, [%rd1], %r3", 3, 3, 0},
                              {"atom.global.dec.u32 %r2, [%rd1], %r3", 0, 3, 3}};
    for (const Case& c : cases) {
        RunBuilder b("one.cu", "\n");
        const Pc pc = b.instruction(c.instruction, 1);
        b.launch({1, 1, 1}, {32, 1, 1});
        b.block({0, 0, 0});
        b.step(0, pc, LaneMask::all());
        const run::Run run = b.finish();
        const auto after = explain::afterAtomic(run.module->at(pc), std::as_bytes(std::span(&c.old, 1)),
                                                std::as_bytes(std::span(&c.operand, 1)));
        ASSERT_TRUE(after) << c.instruction;
        u32 value = 0;
        std::memcpy(&value, after->data(), sizeof value);
        EXPECT_EQ(value, c.after) << c.instruction;
    }
}

}  // namespace
}  // namespace lockstep::viz
