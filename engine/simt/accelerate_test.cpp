// Accelerated programs do what plain ones do, record by record: hand-written corner cases and random kernels.
#include "simt/accelerate.h"

#include "simt/decode/decode.h"
#include "simt/memory/device_memory.h"
#include "simt/test_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string_view>

namespace lockstep::simt {
namespace {

const char* const kArray = ".shared .align 16 .b8 s[4096];";

KernelRun runOn(const std::string& body, u32 threads, u32 blocks = 3) {
    KernelCase c{.body = body, .before = kArray, .blocks = blocks, .threads = threads};
    for (u32 i = 0; i < c.in.size(); ++i)
        c.in[i] = 0x3f800000u + i * 0x10001u;
    c.options.mostFindings = 100'000;
    c.options.threads = 2;
    return runKernel(c);  // compares the two engines
}

// visit(its accelerated program)
template <class Visit> std::size_t ofAccelerated(const std::string& body, Visit visit) {
    const Expected<ptx::Module> module = ptx::parse(kernelText(body, kArray), "test.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    if (!module) return 0;
    const DeviceMemory memory(*module, {});
    const Expected<Program> plain = decode(*module, *module->findEntry("k"),
                                           {.grid = {1, 1, 1},
                                            .block = {32, 1, 1},
                                            .dynamicSharedBytes = 0,
                                            .parameters = std::vector<std::byte>(16)},
                                           memory);
    EXPECT_TRUE(plain);
    return plain ? visit(accelerate(*plain)) : 0;
}

// Number of ops of a kind in its accelerated program.
std::size_t opsOf(const std::string& body, OpKind kind) {
    return ofAccelerated(body, [&](const Program& program) {
        return std::size_t(std::ranges::count(program.ops, kind, &Op::kind));
    });
}

struct Corner {
    const char* name;
    const char* body;
};
const Corner kCorners[] = {
    {"a chain of multiply-adds", R"(
        shl.b32 %r1, %t, 2; and.b32 %r2, %r1, 64;
        mov.u32 %r4, s; add.u32 %r1, %r1, %r4; add.u32 %r2, %r2, %r4;
        cvt.rn.f32.u32 %f1, %t; st.shared.f32 [%r1], %f1; bar.sync 0;
        mov.f32 %f2, 0f00000000;
        ld.shared.f32 %f3, [%r1]; ld.shared.f32 %f4, [%r2]; fma.rn.f32 %f5, %f4, %f3, %f2;
        ld.shared.f32 %f6, [%r1]; ld.shared.f32 %f7, [%r2+4]; fma.rn.f32 %f8, %f7, %f6, %f5;
        ld.shared.f32 %f9, [%r1]; ld.shared.f32 %f10, [%r2+8]; fma.rn.f32 %f11, %f10, %f9, %f8;
        mov.b32 %r0, %f11;)"},
    {"an intermediate sum that is expected later", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4;
        cvt.rn.f32.u32 %f1, %t; st.shared.f32 [%r1], %f1; bar.sync 0;
        ld.shared.f32 %f3, [%r1]; fma.rn.f32 %f5, %f3, %f1, %f1;
        ld.shared.f32 %f6, [%r1]; fma.rn.f32 %f8, %f6, %f1, %f5;
        add.rn.f32 %f9, %f8, %f5; mov.b32 %r0, %f9;)"},
    {"NaN through a chain", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4;
        mov.b32 %f1, 0xffc12345; st.shared.f32 [%r1], %f1; bar.sync 0;
        ld.shared.f32 %f3, [%r1]; ld.shared.f32 %f4, [%r1]; fma.rn.f32 %f5, %f3, %f4, %f1; mov.b32 %r0, %f5;)"},
    {"addresses that change within the group", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4;
        st.shared.u32 [%r1], %t; st.shared.u32 [%r1+1024], %t; bar.sync 0;
        ld.shared.u32 %r5, [%r1]; add.u32 %r1, %r1, 1024; ld.shared.u32 %r6, [%r1]; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r4;
        ld.shared.u32 %r7, [%r6]; ld.shared.u32 %r4, [%r4]; add.u32 %r0, %r5, %r7; add.u32 %r0, %r0, %r4;)"},
    {"out of bounds and misaligned within a group", R"(
        mul.lo.u32 %r1, %t, 200; mov.u32 %r4, s; add.u32 %r1, %r1, %r4;
        st.shared.u32 [%r4+8], %t; bar.sync 0;
        ld.shared.u32 %r5, [%r1]; ld.shared.u32 %r6, [%r1+2]; ld.shared.u32 %r7, [%r1+4]; ld.shared.u32 %r8, [%r1+-400];
        add.u32 %r0, %r5, %r6; add.u32 %r0, %r0, %r7; add.u32 %r0, %r0, %r8;)"},
    {"a race, the same value, and a phase that repeats", R"(
        mov.u32 %r4, s; mov.u32 %r9, 0;
        $again: st.shared.u32 [%r4], %r9; st.shared.u32 [%r4+4], %t; bar.sync 0;
        ld.shared.u32 %r5, [%r4]; ld.shared.u32 %r6, [%r4+4]; bar.sync 0;
        add.u32 %r0, %r0, %r5; add.u32 %r0, %r0, %r6;
        add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 5; @%p1 bra $again;)"},
    {"half of the warp", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %t; bar.sync 0;
        setp.lt.u32 %p1, %t, 13; @%p1 bra $few;
        ld.shared.u32 %r5, [%r1]; ld.shared.u32 %r6, [%r1+-4]; add.u32 %r0, %r5, %r6; bra $end;
        $few: ld.shared.u32 %r5, [%r1]; ld.shared.u32 %r6, [%r1+4]; sub.u32 %r0, %r5, %r6; st.shared.u32 [%r1+2048], %r0;
        $end: bar.sync 0; ld.shared.u32 %r7, [%r1]; add.u32 %r0, %r0, %r7;)"},
    {"vectors, bytes and wide words", R"(
        shl.b32 %r1, %t, 4; mov.u32 %r4, s; and.b32 %r1, %r1, 2047; add.u32 %r1, %r1, %r4;
        st.shared.v4.u32 [%r1], {%t, %i, %n, %t}; bar.sync 0;
        ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r1]; ld.shared.v2.u32 {%r9, %r10}, [%r1+8]; ld.shared.u64 %d1, [%r1];
        ld.shared.u8 %r11, [%r1+1]; ld.shared.s16 %r12, [%r1+2]; ld.shared.f64 %g1, [%r1+8];
        cvt.u32.u64 %r13, %d1; add.u32 %r0, %r5, %r8; add.u32 %r0, %r0, %r10; add.u32 %r0, %r0, %r11; add.u32 %r0, %r0, %r12; add.u32 %r0, %r0, %r13;)"},
    {"volatile, atomics and fences between", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %t; st.shared.u32 [%r1+2048], %t; bar.sync 0;
        ld.shared.u32 %r5, [%r1]; ld.volatile.shared.u32 %r6, [%r1]; atom.shared.add.u32 %r7, [%r1+2048], 1; membar.cta; ld.shared.u32 %r8, [%r1+2048];
        bar.warp.sync 0xffffffff; ld.shared.u32 %r9, [%r1]; bar.sync 0;
        ld.shared.u32 %r10, [%r1+2048]; add.u32 %r0, %r8, %r9; add.u32 %r0, %r0, %r10;)"},
    {"global loads of changing shape", R"(
        mov.u32 %r1, 0;
        $again: mul.lo.u32 %r2, %t, %r1; and.b32 %r2, %r2, 1023; mul.wide.u32 %d1, %r2, 4; add.s64 %d1, %d1, %in;
        ld.global.u32 %r3, [%d1]; add.u32 %r0, %r0, %r3;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 6; @%p1 bra $again;
        add.s64 %d2, %d1, 4096; ld.global.u32 %r4, [%d2]; ld.global.u32 %r5, [%d1+1];)"},
    {"indexed loads of changing shape, by signed and unsigned indices", R"(
        mov.u32 %r1, 0;
        $again: mul.lo.u32 %r2, %t, %r1; and.b32 %r2, %r2, 1023;
        mul.wide.u32 %d1, %r2, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r3, [%d2]; add.u32 %r0, %r0, %r3;
        sub.s32 %r4, %r1, %t;
        mul.wide.s32 %d3, %r4, 4; add.s64 %d4, %d3, %in; ld.global.u32 %r5, [%d4+1024]; add.u32 %r0, %r0, %r5;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 6; @%p1 bra $again;)"},
    {"indexed loads out of bounds and misaligned", R"(
        shl.b32 %r1, %t, 3; mul.wide.u32 %d1, %r1, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r2, [%d2+2048];
        add.u32 %r3, %t, 0x7ffffff0; mul.wide.s32 %d3, %r3, 4; add.s64 %d4, %in, %d3; ld.global.u32 %r4, [%d4];
        mul.wide.u32 %d5, %r3, 4; add.s64 %d6, %in, %d5; ld.global.u32 %r5, [%d6+-4];
        mul.wide.s32 %d7, %t, 3; add.s64 %d8, %in, %d7; ld.global.u32 %r6, [%d8];
        mul.wide.s32 %d9, %t, -4; add.s64 %d10, %in, %d9; ld.global.u32 %r7, [%d10+64];
        add.u32 %r0, %r2, %r4; add.u32 %r0, %r0, %r5; add.u32 %r0, %r0, %r6; add.u32 %r0, %r0, %r7;)"},
    {"bases that differ from lane to lane, and change", R"(
        mul.wide.u32 %d1, %t, 4; add.s64 %d2, %in, %d1; and.b32 %r1, %t, 7;
        mov.u64 %d9, %in; mov.u32 %r9, 0;
        $again: mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r2, [%d4];
        mul.wide.u32 %d5, %r1, 4; add.s64 %d6, %d9, %d5; ld.global.u32 %r3, [%d6];
        add.s64 %d9, %d9, 32; add.u32 %r0, %r0, %r2; add.u32 %r0, %r0, %r3;
        add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 4; @%p1 bra $again;)"},
    {"a base of which only some lanes know", R"(
        setp.lt.u32 %p1, %t, 5; @%p1 bra $few; bra $all;
        $few: add.s64 %d1, %in, 64;
        $all: mul.wide.u32 %d3, %t, 4; add.s64 %d4, %d1, %d3; ld.global.u32 %r0, [%d4];)"},
    {"products and addresses that are wanted later", R"(
        mul.wide.u32 %d1, %t, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r1, [%d2]; cvt.u32.u64 %r2, %d1;
        mul.wide.u32 %d3, %t, 4; add.s64 %d4, %in, %d3; ld.global.u32 %r3, [%d4]; sub.s64 %d5, %d4, %in; cvt.u32.u64 %r4, %d5;
        add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4;)"},
    {"unwritten words", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; setp.lt.u32 %p1, %t, 7; @%p1 st.shared.u32 [%r1], %t; bar.sync 0;
        ld.shared.u32 %r5, [%r1]; bar.sync 0; st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r0, [%r1];)"},
};

TEST(Accelerated, MoreAccessesBetweenTwoBarriersThanAreNotedAtOnceAreAsPlain) {
    runOn(R"(
        shl.b32 %r1, %t, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; mov.u32 %r9, 0;
        $again: st.shared.u32 [%r1], %r9; ld.shared.u32 %r5, [%r1]; add.u32 %r0, %r0, %r5;
        add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 25000; @%p1 bra $again;
        bar.sync 0; ld.shared.u32 %r6, [%r4]; add.u32 %r0, %r0, %r6;)",
          32, 1);
}

// Which bytes are written, and which threads meet at them, differs from block to block and barrier to
// barrier: more states than are numbered.
TEST(Accelerated, WhatDataDecidesInSharedMemoryIsAsPlain) {
    std::vector<u32> in(4096);
    std::mt19937 random(99);
    for (u32& value : in)
        value = u32(random());
    for (const char* access : {"st.shared.u32 [%r5], %r3; ", "@%p1 st.shared.u32 [%r5], %r3; ",
                               "@%p1 atom.shared.add.u32 %r6, [%r5], %r3; ", "@%p1 st.shared.u8 [%r5], %r3; ",
                               "@%p1 ld.shared.u32 %r6, [%r5]; st.shared.u32 [%r9], %r6; "})
        for (const char* width : {"60", "1020", "8188"}) {
            std::string body =
                "mov.u32 %r8, s; shl.b32 %r9, %t, 2; add.u32 %r9, %r9, %r8; mov.u32 %r1, %i;\n";
            for (int round = 0; round < 5; ++round)
                body +=
                    "mad.lo.u32 %r1, %r1, 977, 331; and.b32 %r2, %r1, 4095; mul.wide.u32 %d1, %r2, 4; "
                    "add.s64 %d1, %in, %d1; ld.global.u32 %r3, [%d1];\n"
                    "and.b32 %r4, %r3, " +
                    std::string(width) +
                    "; add.u32 %r5, %r4, %r8; shr.u32 %r7, %r3, 30; setp.eq.u32 %p1, %r7, 0; " + access +
                    "\nbar.sync 0;\n"
                    "ld.shared.u32 %r6, [%r9+" +
                    std::to_string(64 * round) + "]; add.u32 %r0, %r0, %r6;\nbar.sync 0;\n";
            SCOPED_TRACE(body);
            runKernel({.body = body,
                       .before = ".shared .align 4 .b8 s[8192];\n",
                       .blocks = 3,
                       .threads = 96,
                       .in = in});
        }
}

TEST(Accelerated, CornersAreAsPlain) {
    for (const Corner& corner : kCorners)
        for (u32 threads : {9u, 32u, 75u, 256u}) {
            SCOPED_TRACE(std::string(corner.name) + ", " + std::to_string(threads) + " threads");
            runOn(corner.body, threads);
        }
}

TEST(Accelerated, ElementsOfArraysAreReadByTheirIndex) {
    // An index that changes with the block: what does not is computed once.
    const auto loads = [](const char* body) {
        return opsOf(fmt::format("mov.u32 %r5, %ctaid.x; add.u32 %r5, %r5, %t; {}", body),
                     OpKind::GlobalLoadIndexed);
    };
    EXPECT_EQ(loads("mul.wide.u32 %d1, %r5, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r0, [%d2];"), 1u);
    EXPECT_EQ(loads("cvta.to.global.u64 %d3, %in; mul.wide.s32 %d1, %r5, 8; add.s64 %d2, %d1, %d3; "
                    "ld.global.u32 %r0, [%d2+8];"),
              1u);
    EXPECT_EQ(
        loads("mul.wide.u32 %d1, %r5, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r0, [%d2]; ld.global.u32 "
              "%r1, [%d2+4];"),
        0u)
        << "the address is read twice";
    EXPECT_EQ(loads("mul.wide.u32 %d3, %r5, 4; add.s64 %d4, %in, %d3; mul.wide.u32 %d1, %r5, 4; add.s64 %d2, "
                    "%d4, %d1; ld.global.u32 %r0, [%d2];"),
              0u)
        << "each lane has a base of its own";
    EXPECT_EQ(loads("mul.wide.u32 %d1, %r5, %n; add.s64 %d2, %in, %d1; ld.global.u32 %r0, [%d2];"), 0u)
        << "the scale is not known";
}

TEST(Accelerated, WhatIsTheSameInEveryBlockIsComputedOnce) {
    const auto known = [](const std::string& body) {
        return ofAccelerated(body, [](const Program& program) { return program.prologue.size(); });
    };
    const std::size_t none = known("");  // of the text around it
    EXPECT_EQ(known("shl.b32 %r1, %t, 2; add.u32 %r2, %r1, 7; setp.lt.u32 %p1, %r2, 9;"), none + 3);
    struct Case {
        const char* what;
        const char* body;
        std::size_t known;
    };
    const Case cases[] = {
        {"it changes with the block", "mov.u32 %r1, %ctaid.x; add.u32 %r2, %r1, %t;", 0},
        {"it is written twice", "add.u32 %r1, %t, 1; add.u32 %r1, %t, 2;", 0},
        {"it counts on", "A: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra A;", 0},
        {"it is read before", "mov.u32 %r2, %r1; add.u32 %r1, %t, 1;", 0},
        {"a guard decides", "setp.lt.u32 %p1, %t, 5; @%p1 add.u32 %r1, %t, 1;", 1},
        {"it was loaded", "ld.global.u32 %r1, [%in]; add.u32 %r2, %r1, 1;", 0},
        {"it divides, perhaps by zero", "div.u32 %r1, 5, %t;", 0},
        {"who is active",
         "setp.lt.u32 %p1, %t, 5; @%p1 bra B; activemask.b32 %r1; st.global.u32 [%out], %r1; B:", 1},
        {"other lanes' values", "setp.lt.u32 %p1, %t, 5; @%p1 bra B; shfl.down.b32 %r1, %t, 4, 31; B:", 1},
        {"a carry that others overwrite",
         "add.cc.u32 %r1, %t, -1; addc.u32 %r2, %t, 0; mov.u32 %r3, %ctaid.x; add.cc.u32 %r4, %r3, -1; "
         "addc.u32 %r5, %r3, %r2; st.global.u32 [%out], %r5;",
         0},
        {"on one path only",
         "setp.lt.u32 %p1, %t, 5; @%p1 bra B; shl.b32 %r1, %t, 3; st.global.u32 [%out], %r1; B:", 2},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(known(c.body), none + c.known) << c.what;
        SCOPED_TRACE(c.what);
        runOn(std::string(c.body) + " mov.u32 %r0, %t;", 64);
    }
}

// What a call returns lies in bytes of its own, not in a register.
TEST(Accelerated, WhatACallReturnsIsNotKnown) {
    runKernel(
        {.body =
             R"({ .param .b32 x; .param .b32 y; st.param.b32 [x], %t; call (y), triple, (x); ld.param.b32 %r2, [y]; }
        mul.wide.u32 %d1, %t, 4; cvt.u64.u32 %d3, %r2; and.b64 %d3, %d3, 28; add.s64 %d4, %in, %d3; add.s64 %d2, %d4, %d1;
        ld.global.u32 %r3, [%d2]; add.u32 %r0, %r2, %r3;)",
         .before = R"(.func (.param .b32 result) triple(.param .b32 a) {
            .reg .b32 %r<4>; ld.param.u32 %r1, [a]; mul.lo.u32 %r2, %r1, 3; st.param.b32 [result], %r2; ret; })",
         .blocks = 3,
         .threads = 64});
}

// The layout of a warp's lanes in a tile decides which of their factors are equal, or neighbors.
TEST(Accelerated, MultiplyAddsInTilesOfAnyWidthAreAsPlain) {
    for (u32 width : {4u, 8u, 12u, 16u, 20u, 24u, 32u, 64u})
        for (const bool rowFirst : {true, false}) {
            SCOPED_TRACE("a tile " + std::to_string(width) + " wide" +
                         (rowFirst ? ", the row's factor first" : ""));
            std::string body = "div.u32 %r1, %t, " + std::to_string(width) + "; rem.u32 %r2, %t, " +
                               std::to_string(width) + R"(;
                mul.lo.u32 %r1, %r1, 32; shl.b32 %r2, %r2, 2; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; add.u32 %r2, %r2, %r4;
                shl.b32 %r3, %t, 2; add.u32 %r3, %r3, %r4; cvt.rn.f32.u32 %f1, %t; mul.rn.f32 %f1, %f1, 0f3F8CCCCD; st.shared.f32 [%r3], %f1; st.shared.f32 [%r3+1024], %f1;
                bar.sync 0; mov.f32 %f2, 0f3F800000;)";
            for (u32 k = 0; k < 6; ++k) {
                const std::string row = "%f" + std::to_string(3 + 2 * k),
                                  column = "%f" + std::to_string(4 + 2 * k);
                body += fmt::format(
                    "ld.shared.f32 {}, [%r1+{}]; ld.shared.f32 {}, [%r2+{}]; fma.rn.f32 %f2, {}, {}, %f2;\n",
                    row, 4 * k, column, 4 * width * k, rowFirst ? row : column, rowFirst ? column : row);
            }
            EXPECT_EQ(opsOf(body, OpKind::MultiplyAdd), 1u);
            runOn(body + "mov.b32 %r0, %f2;", 256);
        }
}

// Random kernels: shared words are stored and loaded through two address registers, among arithmetic,
// branches, loops and barriers.
class RandomKernel {
public:
    explicit RandomKernel(u32 seed) : random_(seed) {}

    std::string body() {
        indexed_ = 10;
        text_ =
            "shl.b32 %r1, %t, 2; and.b32 %r2, %r1, 252; mov.u32 %r4, s; add.u32 %r1, %r1, %r4; add.u32 %r2, "
            "%r2, %r4;\n"
            "mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %in; mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1; "
            "mov.f32 %f3, %f1; mov.f32 %f4, %f1;\n"
            "mov.f32 %f5, %f1; mov.f32 %f6, %f1; mov.f32 %f7, %f1; mov.f32 %f8, %f1;\n"
            "st.shared.f32 [%r1], %f1; st.shared.f32 [%r1+1024], %f1; st.shared.f32 [%r1+2048], %f1; "
            "bar.sync 0;\n";
        statements(12, 2);
        text_ +=
            "add.rn.f32 %f1, %f1, %f2; add.rn.f32 %f1, %f1, %f3; add.rn.f32 %f1, %f1, %f8; mov.b32 %r0, "
            "%f1;\n";
        return text_;
    }

private:
    u32 upTo(u32 n) { return u32(random_() % n); }
    // A list, so that what draws random numbers does so in the order of the text.
    void write(std::initializer_list<std::string_view> parts) {
        for (const std::string_view part : parts)
            text_ += part;
    }
    std::string f() { return "%f" + std::to_string(1 + upTo(8)); }
    std::string address() {
        const u32 offset = upTo(8) ? upTo(300) * 4 : upTo(5000);
        return "[%r" + std::to_string(1 + upTo(2)) + "+" + std::to_string(offset) + "]";
    }
    void multiplyAdds() {
        const u32 count = 1 + upTo(6);
        std::string sum = f();
        for (u32 i = 0; i < count; ++i) {
            const std::string a = f(), b = f(), to = upTo(3) ? sum : f();
            write({"ld.shared.f32 ", a, ", ", address(), "; "});
            if (upTo(4)) write({"ld.shared.f32 ", b, ", ", address(), "; "});
            const bool isSwapped = upTo(2) == 0;
            write({"fma.rn.f32 ", to, ", ", isSwapped ? b : a, ", ", isSwapped ? a : b, ", ", sum, ";\n"});
            sum = to;
        }
    }
    void statements(u32 count, u32 depth) {
        for (u32 i = 0; i < count; ++i) {
            switch (upTo(depth ? 13 : 10)) {
                case 0:
                case 1:
                case 2: multiplyAdds(); break;
                case 3: write({"st.shared.f32 ", address(), ", ", f(), ";\n"}); break;
                case 4:
                    if (indexed_ + 1 < 32) {  // registers of their own: nothing else may read them
                        const std::string product = "%d" + std::to_string(indexed_++),
                                          address = "%d" + std::to_string(indexed_++);
                        write({"add.u32 %r19, ", upTo(2) ? "%t" : "%r22", ", ", std::to_string(upTo(64)),
                               "; mul.wide.", upTo(2) ? "u" : "s", "32 ", product, ", %r19, 4; add.s64 ",
                               address, ", %in, ", product, "; ld.global.f32 ", f(), ", [", address, "];\n"});
                        break;
                    }
                    [[fallthrough]];
                case 9:
                    write({"ld.global.f32 ", f(), ", [%d1+", std::to_string(upTo(64) * 4), "];\n"});
                    break;
                case 5:
                    if (upTo(2))
                        write({"xor.b32 %r1, %r1, ", std::to_string(upTo(32) * 4), ";\n"});
                    else
                        write({"add.u32 %r2, %r2, ", std::to_string(upTo(40) * 4), ";\n"});
                    break;
                case 6: write({"mul.rn.f32 ", f(), ", ", f(), ", ", f(), ";\n"}); break;
                case 7: write({"add.s64 %d1, %d1, ", std::to_string(upTo(32) * 4), ";\n"}); break;
                case 8: text_ += depth == 2 ? "bar.sync 0;\n" : "membar.cta;\n"; break;
                case 10:
                case 11: {  // a branch on the lane, or on the block
                    const std::string label = "$l" + std::to_string(labels_++);
                    write({"setp.", upTo(2) ? "lt" : "ne", ".u32 %p1, ", upTo(2) ? "%t" : "%i", ", ",
                           std::to_string(upTo(90)), "; @%p1 bra ", label, ";\n"});
                    statements(1 + upTo(4), 0);
                    write({label, ":\n"});
                    break;
                }
                default: {
                    const std::string label = "$l" + std::to_string(labels_++),
                                      counter = "%r" + std::to_string(20 + depth);
                    write({"mov.u32 ", counter, ", 0;\n", label, ":\n"});
                    statements(1 + upTo(5), depth - 1);
                    write({"add.u32 ", counter, ", ", counter, ", 1; setp.lt.u32 %p2, ", counter, ", ",
                           std::to_string(2 + upTo(4)), "; @%p2 bra ", label, ";\n"});
                }
            }
        }
    }

    std::mt19937 random_;
    std::string text_;
    u32 labels_ = 0, indexed_ = 10;  // of %d: a register for a product, one for an address
};

TEST(Accelerated, RandomKernelsAreAsPlain) {
    for (u32 seed = 1; seed <= 150; ++seed) {
        const std::string body = RandomKernel(seed).body();
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + body);
        runOn(body, 32 + seed % 5 * 20);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace lockstep::simt
