// Loads, stores, atomics in every space, and what happens at an invalid address.
#include "base/device_addresses.h"
#include "simt/decode/printed_text.h"
#include "simt/memory/device_memory.h"
#include "simt/test_kernel.h"

#include <cstring>

namespace lockstep::simt {
namespace {

std::vector<u32> iota(u32 count) {
    std::vector<u32> values(count);
    for (u32 i = 0; i < count; ++i)
        values[i] = i;
    return values;
}

struct Case {
    const char* name;
    const char* body;
    std::function<u32(u32)> want;
    const char* before = "";
};

const Case kCases[] = {
    {"a gather", R"(
        xor.b32 %r1, %t, 5; mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %in, %d1; ld.global.u32 %r0, [%d1+8];
    )",
     [](u32 t) { return (t ^ 5) + 2; }},
    {"bytes with and without sign", R"(
        mul.wide.u32 %d1, %t, 4; add.s64 %d1, %in, %d1; mov.u32 %r1, 0x80; st.global.u8 [%d1+1], %r1;
        ld.global.s8 %r0, [%d1+1]; ld.global.u8 %r2, [%d1+1]; add.u32 %r0, %r0, %r2;
    )",
     [](u32) { return 0xffffff80u + 0x80u; }},
    {"a vector of two and of four", R"(
        shl.b32 %r1, %t, 4; cvt.u64.u32 %d1, %r1; add.s64 %d1, %in, %d1;
        ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d1]; ld.global.v2.u32 {%r6, %r7}, [%d1+8];
        mad.lo.u32 %r0, %r3, 1000, %r5; sub.u32 %r6, %r6, %r4; sub.u32 %r7, %r7, %r5; add.u32 %r0, %r0, %r6; add.u32 %r0, %r0, %r7;
    )",
     [](u32 t) { return (4 * t + 1) * 1000 + 4 * t + 3; }},
    {"shared memory through a generic pointer", R"(
        mov.u32 %r1, tile; shl.b32 %r2, %t, 2; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1+4], %t;
        cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; isspacep.shared %p1, %d1; isspacep.global %p2, %d1;
        ld.u32 %r0, [%d1+4]; @%p1 add.u32 %r0, %r0, 1000; @%p2 mov.u32 %r0, 0;
        cvta.to.shared.u64 %d2, %d1; ld.shared.u32 %r3, [%d2+4]; add.u32 %r0, %r0, %r3;
    )",
     [](u32 t) { return 2 * t + 1000; }, ".shared .align 4 .b8 tile[1024];"},
    {"a thread's own stack, directly and through a generic pointer", R"(
        .local .align 8 .b8 depot[32];
        mov.u64 %d1, depot; st.local.u32 [%d1+4], %t; st.local.u8 [%d1+8], 7; cvta.local.u64 %d2, %d1; ld.u32 %r0, [%d2+4];
        ld.u8 %r1, [%d2+8]; add.u32 %r0, %r0, %r1;
        mov.u64 %d3, 0x0000000500000006; st.local.u64 [%d1+16], %d3; ld.local.u32 %r2, [%d1+20]; add.u32 %r0, %r0, %r2;
    )",
     [](u32 t) { return t + 12; }},
    {"constants and variables with initial values", R"(
        mov.u64 %d1, table; and.b32 %r1, %t, 3; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2; ld.const.u32 %r0, [%d1];
        ld.global.u32 %r2, [counter]; add.u32 %r0, %r0, %r2;
        mov.u64 %d3, pointer; ld.global.u64 %d4, [%d3]; ld.global.u32 %r3, [%d4]; add.u32 %r0, %r0, %r3;
    )",
     [](u32 t) {
         return std::array{10u, 20u, 30u, 40u}[t % 4] + 5 + 5;
     },
     ".const .align 4 .u32 table[4] = {10, 20, 30, 40}; .global .align 4 .u32 counter = 5; .global .align 8 "
     ".u64 pointer = counter;"},
    {"halves of registers", R"(
        mov.b64 %d1, {%t, %n}; mov.b64 {%r1, %r2}, %d1; mad.lo.u32 %r0, %r2, 100, %r1; mov.b32 {%h1, %h2}, %r1; mov.b32 %r3, {%h2, %h1}; add.u32 %r0, %r0, %r3;
    )",
     [](u32 t) { return 48 * 100 + t + (t << 16); }},
    {"asynchronous copies", R"(
        shl.b32 %r1, %t, 4; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; cvt.u64.u32 %d1, %r1; add.s64 %d1, %in, %d1;
        cp.async.cg.shared.global [%r2], [%d1], 16; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r0, [%r2+12];
    )",
     [](u32 t) { return 4 * t + 3; }, ".shared .align 16 .b8 tile[1024];"},
    {"a fill of what is not copied", R"(
        shl.b32 %r1, %t, 4; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; cvt.u64.u32 %d1, %r1; add.s64 %d1, %in, %d1;
        cp.async.ca.shared.global [%r2], [%d1], 16, 4; cp.async.wait_all; ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2]; mad.lo.u32 %r0, %r4, 1000, %r3;
    )",
     [](u32 t) { return 4 * t; }, ".shared .align 16 .b8 tile[1024];"},
};

TEST(Memory, IsReadAndWritten) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.name);
        const KernelRun run =
            runKernel({.body = c.body, .before = c.before, .threads = 48, .in = iota(1024)});
        expectOut(run, c.want);
        EXPECT_EQ(run.findings(), "");
    }
}

TEST(Memory, AtomicsWorkLaneByLane) {
    struct Atomic {
        const char* operation;
        u32 initial;
        u32 want;
    };
    const Atomic kAtomics[] = {{"add.u32 %r0, [%d1], %t", 5, 5 + 31 * 16},
                               {"min.s32 %r0, [%d1], -3", 5, u32(-3)},
                               {"max.u32 %r0, [%d1], %t", 5, 31},
                               {"and.b32 %r0, [%d1], 6", 5, 4},
                               {"or.b32 %r0, [%d1], 2", 5, 7},
                               {"xor.b32 %r0, [%d1], %t", 5, 5},
                               {"exch.b32 %r0, [%d1], %t", 5, 31},
                               {"cas.b32 %r0, [%d1], %t, 100", 7, 100},
                               {"inc.u32 %r0, [%d1], 9", 5, 7},
                               {"dec.u32 %r0, [%d1], 9", 5, 3},
                               {"add.f32 %f0, [%d1], 0f3F800000", 0, 0x42000000}};
    for (const Atomic& a : kAtomics) {
        for (const std::string space : {"global", "shared", "generic"}) {
            SCOPED_TRACE(space + " " + a.operation);
            const std::string prefix = space == "generic" ? "atom." : "atom." + space + ".";
            std::string body =
                space == "shared" ? "cvt.u64.u32 %d1, 0; mov.u64 %d1, word; " : "mov.u64 %d1, %in; ";
            body +=
                space == "shared" ? "ld.global.u32 %r1, [%in]; st.shared.u32 [word], %r1; bar.sync 0; " : "";
            body += prefix + a.operation + "; bar.sync 0; ";
            body += space == "shared" ? "ld.shared.u32 %r1, [word]; st.global.u32 [%in], %r1;" : "";
            std::vector<u32> in(16);
            in[0] = a.initial;
            const KernelRun run =
                runKernel({.body = body, .before = ".shared .align 4 .u32 word;", .in = in});
            EXPECT_EQ(run.buffers[1].as<u32>()[0], a.want);
            EXPECT_EQ(run.findings(), "");
        }
    }
}

TEST(Memory, AnAddressOutsideItsBufferGivesPoisonAndAFindingPerThread) {
    const KernelRun run = runKernel({.body = R"(
        mul.wide.u32 %d1, %t, 4; add.s64 %d1, %in, %d1; ld.global.u32 %r0, [%d1+64]; st.global.u32 [%d1+64], 1;
    )",
                                     .in = iota(40)});
    expectOut(run, [](u32 t) { return t + 16 < 40 ? t + 16 : 0xffffffffu; });
    ASSERT_EQ(run.result.findings.size(), 16u) << "eight threads, a load and a store each";
    const trace::Finding& first = run.result.findings[0];
    EXPECT_EQ(first.kind, trace::FindingKind::OutOfBounds);
    EXPECT_EQ(first.buffer, 1);
    EXPECT_EQ(first.offsetBytes, 160);
    EXPECT_EQ(first.sizeBytes, 160u);
    EXPECT_EQ(first.who.thread, (Dim3{24, 0, 0}));
    EXPECT_EQ(first.address, deviceAddressOf(1) + 160);
}

struct Fault {
    const char* name;
    const char* body;
    const char* want;
};
const Fault kFaults[] = {
    {"null", "mov.u64 %d1, 0; ld.global.u32 %r1, [%d1];", "invalid_address"},
    {"far below", "ld.global.u32 %r1, [%in+-4096];", "out_of_bounds"},
    {"odd address", "ld.global.u32 %r1, [%in+2];", "misaligned"},
    {"a vector at half its alignment", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%in+8];", "misaligned"},
    {"behind shared memory", "ld.shared.u32 %r1, [word+4];", "out_of_bounds"},
    {"behind shared memory, generically", "mov.u64 %d1, word; cvta.shared.u64 %d1, %d1; st.u32 [%d1+4], 1;",
     "out_of_bounds"},
    {"behind the stack", ".local .b8 depot[8]; mov.u64 %d1, depot; ld.local.u32 %r1, [%d1+8];",
     "out_of_bounds"},
    {"shared memory that nobody wrote", "ld.shared.u32 %r1, [word];", "uninitialized_read"},
    {"division by zero", "mov.u32 %r1, 0; div.u32 %r2, %t, %r1; rem.s32 %r2, %t, %r1;", "division_by_zero"},
    {"two warps at one word", "st.shared.u32 [word], %t;", "race"},
    {"one warp, no order", "setp.eq.u32 %p1, %t, 3; @%p1 st.shared.u32 [word], 1; ld.shared.u32 %r1, [word];",
     "warp_synchronous"},
    {"a barrier for some lanes only",
     "setp.lt.u32 %p1, %t, 5; @%p1 bra B; xor.b32 %r0, %r0, 1; bra.uni E; B: bar.sync 0; E: add.u32 %r0, "
     "%r0, 1;",
     "divergent_barrier"},
    {"two barriers for one warp",
     "setp.lt.u32 %p1, %t, 5; @%p1 bra B; bar.sync 0; bra.uni E; B: bar.sync 0; E: add.u32 %r0, %r0, 1;",
     "divergent_barrier"},
    {"a barrier that nobody else comes to", "bar.sync 1, 128;", "divergent_barrier"},
    {"a barrier that another warp goes round",
     "setp.ge.u32 %p1, %t, 32; @%p1 bra E; bar.sync 0; E: add.u32 %r0, %r0, 1;", "divergent_barrier"},
    {"a trap", "trap;", "limit"},
    {"a call of a function at no address", "{ mov.u64 %d1, 0; P: .callprototype ()_ (); call %d1, (), P; }",
     "invalid_address"},
    {"a __syncwarp() that half of the lanes go round",
     "setp.ge.u32 %p1, %t, 16; @%p1 bra E; bar.warp.sync -1; E: add.u32 %r0, %r0, 1;", "divergent_barrier"},
    {"a shuffle that some lanes go round",
     "setp.ge.u32 %p1, %t, 20; @%p1 bra E; shfl.sync.down.b32 %r0, %t, 8, 31, -1; E: add.u32 %r0, %r0, 1;",
     "divergent_barrier"},
    {"a shuffle from lanes that have exited",
     "setp.ge.u32 %p1, %t, 20; @%p1 ret; shfl.sync.down.b32 %r0, %t, 8, 31, -1;", "inactive_lane"},
    {"a shuffle from lanes outside its mask",
     "setp.ge.u32 %p1, %t, 16; @%p1 bra E; shfl.sync.down.b32 %r0, %t, 8, 31, 0xffff; E: add.u32 %r0, %r0, "
     "1;",
     "inactive_lane"},
    {"a ballot by lanes that are not in its mask", "vote.sync.ballot.b32 %r0, 1, 0xffff0000;",
     "divergent_barrier"},
};

// Two arrays of 32 words. Nothing stops an access that leaves one array for the other, neither here nor on a
// GPU.
TEST(Memory, AnAccessThatLeavesItsSharedArrayForAnotherIsDoneAndFound) {
    struct Stray {
        const char* name;
        const char* body;
        const char* want;
        u64 lanes;
        s64 offset;
    };
    const std::string fill =
        "mov.u32 %r1, a; mov.u32 %r2, b; shl.b32 %r3, %t, 2; add.u32 %r1, %r1, %r3; add.u32 %r2, %r2, %r3; "
        "st.shared.u32 [%r1], %t; add.u32 %r4, %t, 100; st.shared.u32 [%r2], %r4; bar.sync 0; ";
    const Stray kStrays[] = {
        {"none", "ld.shared.u32 %r0, [%r1];", "", 0, 0},
        {"one behind, in one lane", "ld.shared.u32 %r0, [%r1+4];", "a", 1, 128},
        {"before the start", "ld.shared.u32 %r0, [%r2+-8];", "b", 2, -8},
        {"by name", "ld.shared.u32 %r0, [a+128];", "a", 32, 128},
        {"generically", "cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; ld.u32 %r0, [%d1+4];", "a", 1, 128},
        {"a vector",
         "mov.u32 %r1, a; shl.b32 %r3, %t, 3; add.u32 %r1, %r1, %r3; ld.shared.v2.u32 {%r0, %r4}, [%r1];",
         "a", 16, 128},
        {"either array", "setp.lt.u32 %p1, %t, 4; selp.u32 %r1, %r1, %r2, %p1; ld.shared.u32 %r0, [%r1+-4];",
         "", 0, 0},
        {"a store", "st.shared.u32 [%r1+4], 7; mov.u32 %r0, 0;", "a", 1, 128},
        {"an atomic", "atom.shared.add.u32 %r0, [%r1+4], 7;", "a", 1, 128},
        {"in a loop",
         "mov.u32 %r5, 0; L: ld.shared.u32 %r0, [%r1]; add.u32 %r1, %r1, 4; add.u32 %r5, %r5, 1; setp.lt.u32 "
         "%p1, %r5, 2; @%p1 bra L;",
         "a", 1, 128},
    };
    for (const Stray& stray : kStrays) {
        SCOPED_TRACE(stray.name);
        const KernelRun run =
            runKernel({.body = fill + stray.body,
                       .before = ".shared .align 4 .b8 a[128]; .shared .align 4 .b8 b[128];",
                       .threads = 32,
                       .in = iota(1)});
        u64 lanes = 0;
        for (const trace::Finding& finding : run.result.findings) {
            if (!finding.strayed()) continue;
            ++lanes;
            EXPECT_EQ(finding.detail, stray.want);
            EXPECT_EQ(finding.sizeBytes, 128u);
            if (lanes == 1) {
                EXPECT_EQ(finding.offsetBytes, stray.offset);
            }
        }
        EXPECT_EQ(lanes, stray.lanes);
    }
    // It reads the first word of b.
    const KernelRun read = runKernel({.body = fill + kStrays[1].body,
                                      .before = ".shared .align 4 .b8 a[128]; .shared .align 4 .b8 b[128];",
                                      .threads = 32,
                                      .in = iota(1)});
    expectOut(read, [](u32 t) { return t < 31 ? t + 1 : 100u; });
}

TEST(Memory, EveryKindOfFaultIsAFindingAndTheRunGoesOn) {
    for (const Fault& fault : kFaults) {
        SCOPED_TRACE(fault.name);
        const bool alone = std::string(fault.want) != "race" &&
                           !std::string(fault.name).ends_with("another warp goes round");
        const KernelRun run = runKernel(
            {.body = fault.body, .before = ".shared .align 4 .u32 word;", .threads = alone ? 32u : 64u});
        std::string seen = run.findings();
        EXPECT_NE(seen.find(fault.want), std::string::npos) << seen;
    }
}

TEST(Memory, LanesThatHaveReturnedAreNotMissedByOthers) {
    for (const char* body :
         {"setp.ge.u32 %p1, %t, 20; @%p1 ret; vote.sync.ballot.b32 %r0, 1, -1; bar.warp.sync -1;",
          "setp.ge.u32 %p1, %t, 20; @%p1 bra END; shfl.sync.idx.b32 %r0, %t, 8, 31, -1; st.global.u32 "
          "[%out], %r0; END: ret;"}) {
        SCOPED_TRACE(body);
        EXPECT_EQ(runKernel({.body = body}).findings(), "");
    }
}

// The CAS loop of the CUDA programming guide: the first read may coincide with another thread's swap.
TEST(Memory, AFirstGuessForACompareAndSwapIsNoRace) {
    struct Loop {
        const char* name;
        const char* body;
        const char* want;
    };
    const Loop loops[] = {
        {"global memory",
         "cvta.to.global.u64 %d1, %in; ld.global.u32 %r1, [%d1]; A: add.u32 %r2, %r1, 1; atom.global.cas.b32 "
         "%r3, [%d1], %r1, %r2; setp.ne.u32 %p1, %r1, %r3; mov.u32 %r1, %r3; @%p1 bra A;",
         ""},
        {"another word is read",
         "ld.global.u32 %r1, [%in+4]; atom.global.cas.b32 %r3, [%in], %r1, 5; atom.global.add.u32 %r4, "
         "[%in+4], 1;",
         "race"},
        {"shared memory, by name and by register",
         "setp.ne.u32 %p2, %t, 0; @%p2 bra B; st.shared.u32 [word], 0; B: bar.sync 0; ld.shared.u32 %r1, "
         "[word]; mov.u64 %d1, word;"
         "A: add.u32 %r2, %r1, 1; atom.shared.cas.b32 %r3, [%d1], %r1, %r2; setp.ne.u32 %p1, %r1, %r3; "
         "mov.u32 %r1, %r3; @%p1 bra A;",
         ""},
        {"the value is not what is compared",
         "ld.global.u32 %r1, [%in]; atom.global.cas.b32 %r3, [%in], 0, %r1;", "race"},
        {"a store comes between",
         "ld.global.u32 %r1, [%in]; atom.global.cas.b32 %r3, [%in], %r1, 5; st.global.u32 [%in], %t;",
         "race"},
    };
    for (const Loop& loop : loops) {
        SCOPED_TRACE(loop.name);
        EXPECT_EQ(
            runKernel(
                {.body = loop.body, .before = ".shared .align 4 .u32 word;", .blocks = 2, .threads = 64})
                .findings(),
            loop.want);
    }
}

TEST(Memory, FunctionsAreCalledThroughTables) {
    const char* const functions = R"(
        .func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }
        .func (.param .b32 r) seven(.param .b32 a) { .reg .b32 %r<3>; mov.u32 %r2, 7; st.param.b32 [r], %r2; ret; }
        .global .align 8 .u64 inner[2] = {twice, seven};
        .global .align 8 .u64 outer[1] = {inner};
    )";
    const KernelRun run = runKernel({.body = R"(
        ld.global.u64 %d1, [outer]; and.b32 %r1, %t, 1; mul.wide.u32 %d2, %r1, 8; add.s64 %d1, %d1, %d2; ld.u64 %d3, [%d1];
        { .param .b32 a; .param .b32 r; st.param.b32 [a], %t; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (r), %d3, (a), P; ld.param.b32 %r0, [r]; }
    )",
                                     .before = functions});
    EXPECT_EQ(run.findings(), "");
    expectOut(run, [](u32 t) { return t % 2 ? 7 : 2 * t; });
}

TEST(Memory, AFailedAssertionEndsItsThreads) {
    const KernelRun run = runKernel(
        {.body = R"(
        setp.lt.u32 %p1, %t, 20; @%p1 bra GOOD;
        mov.u64 %d2, 0; mov.u64 %d1, condition; mov.u32 %r1, 12;
        { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
          cvta.global.u64 %d1, %d1; st.param.b64 [m], %d1; st.param.b64 [f], %d2; st.param.b32 [l], %r1; st.param.b64 [n], %d2; st.param.b64 [s], %d2;
          call.uni __assertfail, (m, f, l, n, s); }
        GOOD: mov.u32 %r0, 5;
    )",
         .before = ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
                   ".param .b64 s); .global .align 1 .b8 condition[6] = {116, 60, 50, 48, 0, 0};"});
    expectOut(run, [](u32 t) { return t < 20 ? 5 : 0; });
    ASSERT_EQ(run.result.findings.size(), 1u);
    EXPECT_EQ(run.result.findings[0].kind, trace::FindingKind::Limit);
    EXPECT_EQ(run.result.findings[0].detail, "assertion t<20");
    EXPECT_EQ(run.result.findings[0].who.thread, (Dim3{20, 0, 0}));
    EXPECT_EQ(run.result.findings[0].lanes.bits, 0xfff00000u);
    EXPECT_TRUE(run.result.statistics.complete);
}

TEST(Memory, PrintedTextBeyondAMegabyteIsCountedNotKept) {
    PrintedText text;
    text.add(std::string(PrintedText::kMostBytes - 3, 'a'));
    text.add("bcdef");
    text.add("g");
    EXPECT_EQ(text.text.size(), PrintedText::kMostBytes);
    EXPECT_TRUE(text.text.ends_with("abcd"));
    EXPECT_EQ(text.dropped, 3u);
    PrintedText of;
    of.add("12");
    of.add(text);
    EXPECT_EQ(of.text.substr(0, 4), "12aa");
    EXPECT_EQ(of.dropped, 5u);
}

TEST(Memory, FindingsBeyondTheMostAreCounted) {
    KernelCase c{.body = "ld.global.u32 %r0, [%in+-4];", .blocks = 3, .threads = 64};
    c.options.mostFindings = 10;
    const KernelRun run = runKernel(c);
    ASSERT_EQ(run.result.findings.size(), 11u);
    EXPECT_EQ(run.result.findings.back().kind, trace::FindingKind::Truncated);
    EXPECT_EQ(run.result.findings.back().count, 3u * 64 - 10);
}

// Memory of a program has many allocations within what is one slot of an experiment's buffers.
TEST(Memory, LanesOfAWarpAccessSeveralAllocationsOfAProgram) {
    const auto module = ptx::parse(kernelText(R"(
        and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 1; mul.wide.u32 %d1, %t, 4; selp.b64 %d2, %in, %outs, %p1;
        add.s64 %d1, %d2, %d1; ld.global.u32 %r0, [%d1]; add.u32 %r0, %r0, 1000; st.global.u32 [%d1], %r0;
    )"),
                                   "test.ptx");
    ASSERT_TRUE(module);
    constexpr u32 kShift = 30;
    constexpr u64 kFirst = u64{0x2000} << 32;
    for (const Engine engine : {Engine::Plain, Engine::Fast}) {
        std::vector<u32> even = iota(32), odd = iota(32);
        const auto allocationOf = [](u64 place, std::vector<u32>& values, s32 buffer) {
            return Allocation{.base = kFirst + (place << kShift),
                              .bytes = values.size() * 4,
                              .host = reinterpret_cast<std::byte*>(values.data()),
                              .buffer = buffer};
        };
        const LastingMemory memory{.allocations = {allocationOf(0, even, 0), allocationOf(2, odd, 1)},
                                   .variableAddresses = std::vector<u64>(module->variables.size()),
                                   .placeShift = kShift,
                                   .firstPlace = kFirst >> kShift,
                                   .allocationAt = {1, 1, 2, 2}};
        const auto pointerTo = [&](u32 number) {
            ScalarArgument argument{std::vector<std::byte>(8)};
            std::memcpy(argument.bytes.data(), &memory.allocations[number].base, 8);
            return argument;
        };
        const Launch launch{
            .entry = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {pointerTo(0), pointerTo(1)}};
        Options options;
        options.engine = engine;
        options.memory = &memory;
        const auto result = lockstep::simt::run(*module, {&launch, 1}, {}, options);
        ASSERT_TRUE(result) << describe(result.error());
        EXPECT_TRUE(result->findings.empty());
        for (u32 i = 1; i < 32; i += 2)
            EXPECT_EQ(odd[i], i + 1000) << "thread " << i;
        for (u32 i = 0; i < 32; i += 2)
            EXPECT_EQ(even[i], i + 1000) << "thread " << i;
    }
}

TEST(Memory, FocusBlocksKeepAddressesAndValues) {
    const KernelRun run =
        runKernel({.body = "mul.wide.u32 %d1, %t, 8; add.s64 %d1, %in, %d1; ld.global.u32 %r0, [%d1];",
                   .threads = 32,
                   .in = iota(100)});
    const trace::WarpTrace& warp = run.result.trace.blocks.at(0).warps.at(0);
    ASSERT_EQ(warp.accesses.size(), 2u);
    for (u32 lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(warp.address(warp.accesses[0], Lane{lane}), deviceAddressOf(1) + 8 * lane);
        u32 value;
        std::memcpy(&value, warp.value(warp.accesses[0], Lane{lane}).data(), 4);
        EXPECT_EQ(value, 2 * lane);
    }
    EXPECT_EQ(warp.accesses[1].kind, trace::AccessKind::Store);
}

}  // namespace
}  // namespace lockstep::simt
