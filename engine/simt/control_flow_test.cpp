// Branches, loops, calls: what divergent lanes compute, and in which steps.
#include "simt/test_kernel.h"

namespace lockstep::simt {
namespace {

struct Case {
    const char* name;
    const char* body;
    std::function<u32(u32)> want;
    const char* before = "";
};

const char* const kFunctions = R"(
.func (.param .b32 result) triple(.param .b32 a)
{
    .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u32 %r1, [a];
    setp.gt.u32 %p1, %r1, 20;
    @%p1 bra BIG;
    mul.lo.u32 %r2, %r1, 3;
    st.param.b32 [result], %r2;
    ret;
BIG:
    mov.u32 %r2, 7;
    st.param.b32 [result], %r2;
    ret;
}
.func (.param .b32 result) factorial(.param .b32 a)
{
    .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u32 %r1, [a];
    mov.u32 %r2, 1;
    setp.le.u32 %p1, %r1, 1;
    @%p1 bra DONE;
    sub.u32 %r3, %r1, 1;
    { .param .b32 x; .param .b32 y;
      st.param.b32 [x], %r3;
      call.uni (y), factorial, (x);
      ld.param.b32 %r2, [y]; }
    mul.lo.u32 %r2, %r2, %r1;
DONE:
    st.param.b32 [result], %r2;
    ret;
}
)";

const Case kCases[] = {
    {"if and else", R"(
        setp.lt.u32 %p1, %t, 10;
        @%p1 bra SMALL;
        mov.u32 %r0, 2;
        bra.uni MEET;
    SMALL: mov.u32 %r0, 1;
    MEET: add.u32 %r0, %r0, 100;
    )",
     [](u32 t) { return t < 10 ? 101 : 102; }},
    {"predicated instructions", R"(
        setp.lt.u32 %p1, %t, 5;
        mov.u32 %r0, 9;
        @%p1 mov.u32 %r0, 1;
        @!%p1 add.u32 %r0, %r0, %t;
    )",
     [](u32 t) { return t < 5 ? 1 : 9 + t; }},
    {"a loop that each lane leaves in its own round", R"(
        mov.u32 %r1, 0;
    AGAIN:
        add.u32 %r0, %r0, %r1;
        add.u32 %r1, %r1, 1;
        setp.le.u32 %p1, %r1, %t;
        @%p1 bra AGAIN;
    )",
     [](u32 t) { return t * (t + 1) / 2; }},
    {"a loop in a loop", R"(
        mov.u32 %r1, 0;
    OUTER:
        mov.u32 %r2, 0;
    INNER:
        add.u32 %r0, %r0, 1;
        add.u32 %r2, %r2, 1;
        setp.lt.u32 %p1, %r2, %r1;
        @%p1 bra INNER;
        add.u32 %r1, %r1, 1;
        setp.le.u32 %p1, %r1, %t;
        @%p1 bra OUTER;
    )",
     [](u32 t) { return 1 + t * (t + 1) / 2; }},
    {"a break and a continue", R"(
        mov.u32 %r1, 0;
    AGAIN:
        add.u32 %r1, %r1, 1;
        setp.gt.u32 %p1, %r1, 20;
        @%p1 bra OUT;
        and.b32 %r2, %r1, 1;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 bra AGAIN;
        add.u32 %r0, %r0, %r1;
        setp.gt.u32 %p1, %r0, %t;
        @%p1 bra OUT;
        bra.uni AGAIN;
    OUT:
    )",
     [](u32 t) {
         u32 sum = 0;
         for (u32 i = 1; i <= 20; ++i) {
             if (i % 2 == 0) continue;
             sum += i;
             if (sum > t) break;
         }
         return sum;
     }},
    {"an early return", R"(
        setp.lt.u32 %p1, %t, 7;
        @%p1 ret;
        mov.u32 %r0, 5;
    )",
     [](u32 t) { return t < 7 ? 0 : 5; }},
    {"an exit under a branch", R"(
        setp.ge.u32 %p1, %t, 7;
        @%p1 bra GO;
        exit;
    GO: mov.u32 %r0, 5;
    )",
     [](u32 t) { return t < 7 ? 0 : 5; }},
    {"a switch", R"(
        and.b32 %r1, %t, 3;
        ts: .branchtargets A, B, C, D;
        brx.idx %r1, ts;
    A: mov.u32 %r0, 10; bra.uni E;
    B: mov.u32 %r0, 11; bra.uni E;
    C: mov.u32 %r0, 12;
    D: add.u32 %r0, %r0, 1;
    E: add.u32 %r0, %r0, 100;
    )",
     [](u32 t) {
         return std::array{110, 111, 113, 101}[t % 4];
     }},
    {"a call in divergent code", R"(
        setp.lt.u32 %p1, %t, 3;
        @%p1 bra SKIP;
        { .param .b32 x; .param .b32 y;
          st.param.b32 [x], %t;
          call.uni (y), triple, (x);
          ld.param.b32 %r0, [y]; }
    SKIP: add.u32 %r0, %r0, 1;
    )",
     [](u32 t) {
         return (t < 3 ? 0 : t > 20 ? 7 : 3 * t) + 1;
     },
     kFunctions},
    {"recursion to a different depth in each lane", R"(
        and.b32 %r1, %t, 7;
        { .param .b32 x; .param .b32 y;
          st.param.b32 [x], %r1;
          call.uni (y), factorial, (x);
          ld.param.b32 %r0, [y]; }
    )",
     [](u32 t) { return std::array{1, 1, 2, 6, 24, 120, 720, 5040}[t % 8]; }, kFunctions},
    {"an indirect call, two functions in one warp", R"(
        mov.u64 %d1, triple;
        mov.u64 %d2, factorial;
        setp.lt.u32 %p1, %t, 5;
        selp.b64 %d1, %d2, %d1, %p1;
        proto: .callprototype (.param .b32 _) _ (.param .b32 _);
        { .param .b32 x; .param .b32 y;
          st.param.b32 [x], %t;
          call (y), %d1, (x), proto;
          ld.param.b32 %r0, [y]; }
    )",
     [](u32 t) {
         return t < 5 ? std::array{1u, 1u, 2u, 6u, 24u}[t] : t > 20 ? 7 : 3 * t;
     },
     kFunctions},
};

TEST(ControlFlow, ComputesWhatEachThreadWouldAlone) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.name);
        const KernelRun run = runKernel({.body = c.body, .before = c.before, .blocks = 2, .threads = 48});
        expectOut(run, [&](u32 i) { return c.want(i % 48); });
        EXPECT_EQ(run.findings(), "");
    }
}

// The masks of a warp's steps at one opcode, in order.
std::vector<u32> masksOf(const KernelRun& run, std::string_view name) {
    std::vector<u32> masks;
    for (const trace::Step& step : run.result.trace.blocks.at(0).warps.at(0).steps)
        if (run.module.at(step.pc).name == name) masks.push_back(step.active.bits);
    return masks;
}

TEST(ControlFlow, PathsMeetAgainBehindABranch) {
    const KernelRun run = runKernel({.body = R"(
        setp.lt.u32 %p1, %t, 8;
        @%p1 bra SMALL;
        xor.b32 %r0, %r0, 1;
        bra.uni MEET;
    SMALL: xor.b32 %r0, %r0, 2;
    MEET: popc.b32 %r1, %t;
    )"});
    EXPECT_EQ(masksOf(run, "xor.b32"), (std::vector<u32>{0xffffff00, 0x000000ff}))
        << "the lanes that fall through go first";
    EXPECT_EQ(masksOf(run, "popc.b32"), std::vector<u32>{0xffffffff});
}

TEST(ControlFlow, LanesThatLeaveALoopWaitForTheOthers) {
    const KernelRun run = runKernel({.body = R"(
        mov.u32 %r1, 0;
    AGAIN: xor.b32 %r0, %r0, 1;
        add.u32 %r1, %r1, 1;
        setp.lt.u32 %p1, %r1, %t;
        @%p1 bra AGAIN;
        popc.b32 %r2, %t;
    )",
                                     .threads = 4});
    EXPECT_EQ(masksOf(run, "xor.b32"), (std::vector<u32>{0xf, 0xc, 0x8}));
    EXPECT_EQ(masksOf(run, "popc.b32"), std::vector<u32>{0xf});
}

TEST(ControlFlow, CountsExecutionsLanesAndDivergence) {
    const KernelRun run = runKernel({.body = R"(
        setp.lt.u32 %p1, %t, 8;
        @%p1 bra SMALL;
        xor.b32 %r0, %r0, 1;
    SMALL: @%p1 popc.b32 %r1, %t;
        setp.gt.u32 %p2, %t, 1000;
        @%p2 brev.b32 %r1, %t;
    )",
                                     .blocks = 3,
                                     .threads = 40});
    const auto& counts = run.result.counts.at(0);
    const auto of = [&](std::string_view name) {
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc)
            if (run.module.instructions[pc].name == name) return counts.perPc[pc];
        return trace::PcCounts{};
    };
    EXPECT_EQ(of("xor.b32").executions, 6u);
    EXPECT_EQ(of("xor.b32").activeLanes, 3u * 32);
    EXPECT_EQ(of("popc.b32").activeLanes, 3u * 8);
    EXPECT_EQ(of("popc.b32").executions, 6u);
    EXPECT_EQ(of("bra").divergent, 3u);
    EXPECT_EQ(of("bra").activeLanes, 3u * 8);
    EXPECT_EQ(of("brev.b32").executions, 6u) << "issued, though no lane's guard was true";
    EXPECT_EQ(of("brev.b32").activeLanes, 0u);
    u64 executions = 0;
    for (const auto& pc : counts.perPc)
        executions += pc.executions;
    EXPECT_EQ(executions, counts.warpInstructions);
    EXPECT_EQ(counts.warpInstructions, run.result.statistics.warpInstructions);
}

TEST(ControlFlow, EndlessRecursionEndsWithAFinding) {
    const KernelRun run = runKernel({.body = R"(
        { .param .b32 x; st.param.b32 [x], %t; call.uni deeper, (x); }
    )",
                                     .before = R"(
    .func deeper(.param .b32 a) { .reg .b32 %r1; ld.param.u32 %r1, [a];
        { .param .b32 x; st.param.b32 [x], %r1; call.uni deeper, (x); } ret; }
    )"});
    EXPECT_EQ(run.findings(), "limit");
}

}  // namespace
}  // namespace lockstep::simt
