// Barriers, shuffles between paths, locks and flags: code that relies on forward progress of every thread.
#include "simt/test_kernel.h"

#include <algorithm>

namespace lockstep::simt {
namespace {

struct Case {
    const char* name;
    const char* body;
    u32 blocks, threads;
    std::function<u32(u32)> want;  // of the thread's number in its grid
    const char* before = ".shared .align 4 .b8 tile[4096]; .global .align 4 .u32 flag;";
};

const Case kCases[] = {
    {"a block-wide exchange", R"(
        shl.b32 %r1, %t, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %t; bar.sync 0;
        xor.b32 %r3, %t, 63; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r2; ld.shared.u32 %r0, [%r3];
    )",
     2, 64, [](u32 i) { return (i % 64) ^ 63; }},
    {"threads that have returned are not waited for", R"(
        setp.ge.u32 %p1, %t, 40; @%p1 bra END;
        shl.b32 %r1, %t, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %t; bar.sync 0;
        setp.eq.u32 %p2, %t, 0; @!%p2 bra KEEP; ld.shared.u32 %r0, [tile+156]; bra.uni DONE;
    KEEP: mov.u32 %r0, 1;
    DONE: st.global.u32 [%out], %r0;
    END: ret;
    )",
     1, 96, [](u32 i) { return i == 0   ? 39
                               : i < 40 ? 1
                                        : 0; }},
    {"a reduction over the block by bar.red", R"(
        setp.lt.u32 %p1, %t, 50; bar.red.popc.u32 %r1, 0, %p1; bar.red.or.pred %p2, 0, %p1; bar.red.and.pred %p3, 0, %p1;
        selp.u32 %r2, 1000, 0, %p2; selp.u32 %r3, 5000, 0, %p3; add.u32 %r0, %r1, %r2; add.u32 %r0, %r0, %r3;
    )",
     1, 64, [](u32) { return 1050; }},
    {"a producer and a consumer at named barriers", R"(
        shr.u32 %r9, %t, 5; and.b32 %r8, %t, 31; shl.b32 %r7, %r8, 2; mov.u32 %r6, tile; add.u32 %r7, %r7, %r6; mov.u32 %r1, 0;
        setp.eq.u32 %p1, %r9, 1; @%p1 bra CONSUME;
    PRODUCE: bar.sync 1, 64;
        mad.lo.u32 %r2, %r1, 100, %r8; st.shared.u32 [%r7], %r2; bar.arrive 2, 64;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra PRODUCE; bra.uni END;
    CONSUME: bar.arrive 1, 64;
        bar.sync 2, 64; ld.shared.u32 %r3, [%r7]; add.u32 %r0, %r0, %r3;
        add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra CONSUME;
    END:
    )",
     1, 64, [](u32 i) { return i < 32 ? 0 : 600 + 4 * (i % 32); }},
    {"shuffles in both branches of an if", R"(
        mul.lo.u32 %r1, %t, 3; and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN;
        add.u32 %r1, %r1, 1000; shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1; bra.uni END;
    EVEN: shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1;
    END:
    )",
     1, 64,
     [](u32 i) {
         const u32 from = (i % 64) ^ 1;
         return from * 3 + (from % 2 ? 1000 : 0);
     }},
    {"shuffles within groups of different masks", R"(
        and.b32 %r2, %t, 7; mov.u32 %r3, 0x01010101; shl.b32 %r3, %r3, %r2; shfl.sync.idx.b32 %r0, %t, %r2, 31, %r3;
    )",
     1, 32, [](u32 i) { return i % 8; }},
    {"a ballot of the lanes that are still there", R"(
        setp.ge.u32 %p1, %t, 20; @%p1 ret; and.b32 %r1, %t, 1; setp.eq.u32 %p2, %r1, 1; vote.sync.ballot.b32 %r0, %p2, -1;
    )",
     1, 32, [](u32 i) { return i < 20 ? 0xaaaaau : 0; }},
    {"bar.warp.sync from two paths", R"(
        setp.lt.u32 %p1, %t, 16; shl.b32 %r1, %t, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; @%p1 bra WRITE;
        bar.warp.sync -1; ld.shared.u32 %r0, [%r1+-64]; bra.uni END;
    WRITE: add.u32 %r3, %t, 7; st.shared.u32 [%r1], %r3; bar.warp.sync -1;
    END:
    )",
     1, 32, [](u32 i) { return i < 16 ? 0 : i - 16 + 7; }},
    {"a lock that the lanes of a warp fight for", R"(
        mov.u32 %r1, 0;
    TRY: atom.global.cas.b32 %r2, [flag], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TRY;
        ld.volatile.global.u32 %r3, [%in]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%in], %r3; mov.u32 %r0, %r3;
        membar.gl; atom.global.exch.b32 %r2, [flag], 0;
        mov.u32 %r0, 1;
    )",
     2, 40, [](u32) { return 1; }},
    {"a flag that another warp sets", R"(
        setp.ge.u32 %p1, %t, 32; @%p1 bra SET;
    WAIT: ld.volatile.shared.u32 %r1, [tile]; setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT;
        membar.cta; ld.volatile.shared.u32 %r0, [tile+4]; bra.uni END;
    SET: setp.ne.u32 %p2, %t, 32; @%p2 bra END; mov.u32 %r2, 77; st.volatile.shared.u32 [tile+4], %r2; membar.cta; mov.u32 %r1, 1; st.volatile.shared.u32 [tile], %r1;
    END:
    )",
     1, 64, [](u32 i) { return i < 32 ? 77 : 0; }},
    {"a flag that a later block sets", R"(
        mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 2; @%p1 bra SET;
    WAIT: ld.acquire.gpu.global.u32 %r0, [flag]; setp.eq.u32 %p2, %r0, 0; @%p2 bra WAIT; bra.uni END;
    SET: mov.u32 %r2, 5; setp.eq.u32 %p2, %t, 0; @%p2 st.release.gpu.global.u32 [flag], %r2;
    END:
    )",
     3, 32, [](u32 i) { return i < 64 ? 5 : 0; }},
    {"a ticket from every block in ascending order", R"(
        setp.ne.u32 %p1, %t, 0; @%p1 bra END; atom.global.add.u32 %r0, [flag], 1;
    END:
    )",
     5, 32, [](u32 i) { return i % 32 ? 0 : i / 32; }},
    {"a barrier object: arrive, then wait, twice", R"(
        setp.ne.u32 %p1, %t, 0; @%p1 bra READY; mbarrier.init.shared.b64 [object], 64;
    READY: bar.sync 0;
        shl.b32 %r1, %t, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; mov.u32 %r4, 0; mov.u32 %r6, 0;
    ROUND: add.u32 %r5, %t, %r4; st.shared.u32 [%r1], %r5; mbarrier.arrive.shared.b64 %d1, [object];
    WAIT: mbarrier.try_wait.shared.b64 %p2, [object], %d1; @!%p2 bra WAIT;
        xor.b32 %r3, %t, 63; shl.b32 %r3, %r3, 2; add.u32 %r3, %r3, %r2; ld.shared.u32 %r5, [%r3]; add.u32 %r0, %r0, %r5;
        mbarrier.arrive.shared.b64 _, [object];
    AGAIN: mbarrier.test_wait.parity.shared.b64 %p2, [object], 1; @!%p2 bra AGAIN;
        add.u32 %r4, %r4, 100; setp.lt.u32 %p3, %r4, 200; @%p3 bra ROUND;
    )",
     2, 64, [](u32 i) { return 2 * ((i % 64) ^ 63) + 100; },
     ".shared .align 4 .b8 tile[256]; .shared .align 8 .b64 object;"},
};

TEST(Synchronisation, LetsEveryThreadGetItsTurn) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.name);
        const KernelRun run =
            runKernel({.body = c.body, .before = c.before, .blocks = c.blocks, .threads = c.threads});
        expectOut(run, c.want);
        const std::string findings = run.findings();
        EXPECT_TRUE(findings.empty() || std::string(c.name).starts_with("a flag that another warp"))
            << findings;
    }
}

TEST(Synchronisation, AnEndlessLoopEndsAtTheLimit) {
    for (const char* body :
         {"AGAIN: add.u32 %r0, %r0, 1; bra.uni AGAIN;",
          "AGAIN: ld.volatile.global.u32 %r1, [%in]; setp.eq.u32 %p1, %r1, 0; @%p1 bra AGAIN;",
          "setp.lt.u32 %p2, %t, 3; @%p2 bra AGAIN; bar.sync 0; AGAIN: bra.uni AGAIN;"}) {
        SCOPED_TRACE(body);
        KernelCase c{.body = body, .blocks = 3, .threads = 64};
        c.options.limit = std::chrono::milliseconds(50);
        const KernelRun run = runKernel(c);
        EXPECT_NE(run.findings().find("limit"), std::string::npos) << run.findings();
        EXPECT_FALSE(run.result.statistics.complete);
        EXPECT_LT(run.result.statistics.seconds, 5);
    }
}

// The text of the instruction that the finding names.
std::string textAt(const KernelRun& run, const trace::Finding& finding) {
    return finding.who.pc.value < run.module.instructions.size()
               ? std::string(run.module.textOf(finding.who.pc))
               : "none";
}

TEST(Synchronisation, TheLimitNamesAThreadThatWaitsAndWhere) {
    struct Wait {
        const char* name;
        const char* body;
        const char* text;
        std::vector<u32> threads;
    };
    const Wait waits[] = {
        {"all in a loop",
         "AGAIN: ld.volatile.global.u32 %r1, [%in]; setp.eq.u32 %p1, %r1, 0; @%p1 bra AGAIN;",
         "ld.volatile.global",
         {0, 32}},  // whichever warp's turn it is
        {"the second warp, while the first is done",
         "setp.lt.u32 %p1, %t, 32; @%p1 bra END; AGAIN: ld.volatile.global.u32 %r1, [%in]; setp.eq.u32 %p2, "
         "%r1, 0; @%p2 bra AGAIN; END:",
         "ld.volatile.global",
         {32}},
        {"one lane, for which the others wait at a barrier",
         "setp.ne.u32 %p1, %t, 5; @%p1 bra END; AGAIN: ld.volatile.global.u32 %r1, [%in]; setp.eq.u32 %p2, "
         "%r1, 0; @%p2 bra AGAIN; END: bar.sync 0;",
         "ld.volatile.global",
         {5}},
    };
    for (const Wait& wait : waits) {
        SCOPED_TRACE(wait.name);
        KernelCase c{
            .body = wait.body, .before = ".visible .entry another() { ret; }", .blocks = 1, .threads = 64};
        c.options.limit = std::chrono::milliseconds(50);
        const KernelRun run = runKernel(c);
        ASSERT_EQ(run.result.findings.size(), 1u);
        EXPECT_TRUE(textAt(run, run.result.findings[0]).starts_with(wait.text))
            << textAt(run, run.result.findings[0]);
        EXPECT_NE(std::ranges::find(wait.threads, run.result.findings[0].who.thread.x), wait.threads.end())
            << run.result.findings[0].who.thread.x;
    }
}

TEST(Synchronisation, ACancelledRunEnds) {
    Progress progress;
    progress.cancelled = true;
    KernelCase c{.body = "AGAIN: add.u32 %r0, %r0, 1; bra.uni AGAIN;", .blocks = 3};
    c.options.progress = &progress;
    const KernelRun run = runKernel(c);
    EXPECT_FALSE(run.result.statistics.complete);
}

TEST(Synchronisation, ProgressCountsBlocks) {
    Progress progress;
    KernelCase c{.body = "add.u32 %r0, %r0, 1;", .blocks = 37};
    c.options.progress = &progress;
    runKernel(c);
    EXPECT_EQ(progress.total, 37u);
    EXPECT_EQ(progress.done, 37u);
}

// Kernels whose blocks are independent, write each other's data, or race.
const char* const kSharedOut = "mul.wide.u32 %d1, %t, 4; add.s64 %d1, %in, %d1; ";
const std::pair<const char*, std::string> kAnyOrder[] = {
    {"independent", "mul.lo.u32 %r0, %i, %i;"},
    {"adding up",
     std::string(kSharedOut) + "red.global.add.u32 [%d1], %i; red.global.max.u32 [%d1+256], %i;"},
    {"the last one wins", std::string(kSharedOut) + "st.global.u32 [%d1], %i;"},
    {"reading what the block before wrote",
     "mul.wide.u32 %d1, %i, 4; add.s64 %d1, %in, %d1; ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1; "
     "st.global.u32 [%d1+128], %r1; mov.u32 %r0, %r1;"},
    {"tickets", "atom.global.add.u32 %r0, [%in], 1;"},
    {"out of bounds", "mul.wide.u32 %d1, %i, 8; add.s64 %d1, %in, %d1; ld.global.u32 %r0, [%d1];"},
    {"unwritten registers", "add.u32 %r0, %r20, %r20; add.u32 %r20, %i, 3;"},
};

TEST(Synchronisation, NothingDependsOnTheNumberOfHostThreads) {
    for (const auto& [name, body] : kAnyOrder) {
        SCOPED_TRACE(name);
        std::optional<KernelRun> first;
        for (const auto& [threads, sequential] :
             {std::pair{1u, false}, {2u, false}, {5u, false}, {1u, true}}) {
            KernelCase c{.body = body, .blocks = 29, .threads = 48};
            c.options.threads = threads;
            c.options.sequential = sequential;
            c.options.mostFindings = 100;
            c.options.focusAll = true;
            KernelRun run = runKernel(c);
            if (!first) {
                first = std::move(run);
                continue;
            }
            for (std::size_t i = 0; i < 2; ++i)
                EXPECT_EQ(run.buffers[i].bytes, first->buffers[i].bytes);
            ASSERT_EQ(run.result.findings.size(), first->result.findings.size());
            for (std::size_t i = 0; i < run.result.findings.size(); ++i) {
                const trace::Finding &a = run.result.findings[i], &b = first->result.findings[i];
                EXPECT_EQ(a.kind, b.kind);
                EXPECT_EQ(a.who, b.who);
                EXPECT_EQ(a.other, b.other);
                EXPECT_EQ(a.count, b.count);
                EXPECT_EQ(a.address, b.address);
            }
            const trace::GridCounts &a = run.result.counts[0], &b = first->result.counts[0];
            EXPECT_EQ(a.warpInstructions, b.warpInstructions);
            EXPECT_EQ(a.threadInstructions, b.threadInstructions);
            ASSERT_EQ(a.sites.size(), b.sites.size());
            for (std::size_t i = 0; i < a.sites.size(); ++i) {
                ASSERT_EQ(a.sites[i].patterns.size(), b.sites[i].patterns.size());
                for (std::size_t p = 0; p < a.sites[i].patterns.size(); ++p) {
                    EXPECT_EQ(a.sites[i].patterns[p].times, b.sites[i].patterns[p].times);
                    EXPECT_EQ(a.sites[i].patterns[p].deltaBytes, b.sites[i].patterns[p].deltaBytes);
                }
            }
            ASSERT_EQ(run.result.trace.blocks.size(), first->result.trace.blocks.size());
            for (std::size_t i = 0; i < run.result.trace.blocks.size(); ++i)
                for (std::size_t w = 0; w < run.result.trace.blocks[i].warps.size(); ++w) {
                    const trace::WarpTrace &x = run.result.trace.blocks[i].warps[w],
                                           &y = first->result.trace.blocks[i].warps[w];
                    EXPECT_EQ(x.steps.size(), y.steps.size());
                    EXPECT_EQ(x.valuePool, y.valuePool);
                }
        }
    }
}

TEST(Launch, IsRefusedWithASentence) {
    struct Refusal {
        Launch launch;
        const char* says;
    };
    const Argument buffer = BufferArgument{0};
    const std::vector<Argument> two{buffer, buffer};
    const Refusal kRefusals[] = {
        {{.entry = "nothing", .grid = {}, .block = {}, .arguments = two},
         "there is no kernel \"nothing\"; the file has k"},
        {{.entry = "k", .grid = {}, .block = {2048, 1, 1}, .arguments = two}, "too many threads"},
        {{.entry = "k", .grid = {1, 70000, 1}, .block = {}, .arguments = two}, "too large"},
        {{.entry = "k", .grid = {0, 1, 1}, .block = {}, .arguments = two}, "at least 1"},
        {{.entry = "k", .grid = {}, .block = {}, .arguments = {buffer}},
         "2 parameters, but the launch gives 1 argument"},
        {{.entry = "k",
          .grid = {},
          .block = {},
          .arguments = {buffer, ScalarArgument{std::vector<std::byte>(4)}}},
         "has 4 bytes, the parameter 8"},
        {{.entry = "k", .grid = {}, .block = {}, .dynamicSharedBytes = 300000, .arguments = two},
         "of shared memory"},
    };
    auto module = ptx::parse(kernelText(""), "test.ptx");
    ASSERT_TRUE(module);
    std::vector<Buffer> buffers(1);
    for (const Refusal& refusal : kRefusals) {
        auto result = run(*module, {&refusal.launch, 1}, buffers, {});
        ASSERT_FALSE(result) << refusal.says;
        EXPECT_NE(result.error().message.english().find(refusal.says), std::string::npos)
            << result.error().message.english();
    }
}

TEST(Launch, AnInstructionWithoutARowIsNamedBeforeAnythingRuns) {
    auto module = ptx::parse(kernelText("wgmma.fence.sync.aligned;"), "test.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    auto supported = checkSupported(*module, "k");
    ASSERT_FALSE(supported);
    EXPECT_NE(supported.error().message.english().find("wgmma.fence"), std::string::npos);
    EXPECT_GT(supported.error().place.line, 0u);
}

TEST(Launch, TheDefaultFocusHasNoRepeats) {
    EXPECT_EQ(defaultFocus({1, 1, 1}), (std::vector<Dim3>{{0, 0, 0}}));
    EXPECT_EQ(defaultFocus({4, 1, 1}), (std::vector<Dim3>{{0, 0, 0}, {2, 0, 0}, {3, 0, 0}}));
    EXPECT_EQ(defaultFocus({16, 16, 1}), (std::vector<Dim3>{{0, 0, 0}, {8, 8, 0}, {15, 8, 0}, {15, 15, 0}}));
}

}  // namespace
}  // namespace lockstep::simt
