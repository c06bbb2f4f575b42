// Strides through a run whose steps are known: width 3, T = 2. Of each warp: 6 set-up steps; per phase test,
// load M, store Mds, test, load N, store Nds, barrier (7 steps), then twice load Mds, load Nds, fma and a
// barrier (7 steps); test and store P.
#include "explain/cursor/navigation.h"

#include "explain/inactive_lanes/paths.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::tiledMatmul, viz::stridedCopy, viz::columnRead, viz::RunBuilder;

Cursor at(Dim3 block, u32 step) {
    return {.launch = {}, .block = block, .warp = {}, .lane = {}, .step = step};
}

TEST(NavigationTest, EveryStrideLeadsToItsStepForwardAndBack) {
    const run::Run run = tiledMatmul(3, 2, true);
    struct Case {
        Stride stride;
        u32 from;
        std::optional<u32> forward, back;
        const char* why;
    };
    const Case cases[] = {
        {Stride::Instruction, 0, 1, std::nullopt, "the first step has none before it"},
        {Stride::Instruction, 35, std::nullopt, 34, "the last has none after it"},
        {Stride::Line, 7, 10, 0, "from line 7 to the load of N on line 8, back to the set-up on line 4"},
        {Stride::Line, 11, 12, 6, "line 8 stops at the barrier's line 9; back to the first step of line 7"},
        {Stride::Phase, 0, 7, std::nullopt, "the timeline has the set-up apart from the first load"},
        {Stride::Phase, 7, 13, 0, "the first barrier is step 12"},
        {Stride::Phase, 9, 13, 7, "back to the first load"},
        {Stride::Phase, 13, 20, 7,
         "the second barrier is step 19; back from a phase's start to the one before"},
        {Stride::Phase, 15, 20, 13, "back to this phase's own start"},
        {Stride::Phase, 34, std::nullopt, 27 + 7,
         "the last phase begins at step 34, where its start is itself"},
        {Stride::SameLine, 7, 8, std::nullopt, "load and store of M are on one line"},
        {Stride::SameLine, 8, 21, 7, "the next phase's load of M"},
    };
    for (const Case& c : cases) {
        const auto next = forward(run, model::defaultProfile(), at({1, 1, 0}, c.from), c.stride),
                   before = back(run, model::defaultProfile(), at({1, 1, 0}, c.from), c.stride);
        EXPECT_EQ(next ? std::optional(next->step) : std::nullopt, c.forward) << c.why;
        if (c.stride == Stride::Phase && c.from == 34) {
            EXPECT_EQ(before->step, 27u) << c.why;  // at a start already: the phase before
        } else {
            EXPECT_EQ(before ? std::optional(before->step) : std::nullopt, c.back) << c.why;
        }
    }
}

TEST(NavigationTest, TheWorstBankConflictOfAWarpIsFound) {
    const run::Run run = columnRead(32);
    const Cursor begin{.launch = {}, .block = {1, 0, 0}, .warp = Warp{1}, .lane = {}, .step = 0};
    EXPECT_EQ(worstBankConflict(run, run.profile, begin).step, 1u)
        << "step 0 touches no memory; all reads of the column are equally bad";
    EXPECT_EQ(worstBankConflict(run, run.profile, begin).warp, Warp{1});
    EXPECT_EQ(worstBankConflict(stridedCopy(2), model::defaultProfile(), {}), Cursor{})
        << "it has no shared memory";
}

// A load of neighbors, then one of words a sector apart.
TEST(NavigationTest, PhasesAreCountedByBarriers) {
    const run::Run run = tiledMatmul(3, 2, true);
    const u32 starts[] = {0, 13, 20, 27, 34};
    for (u32 phase = 0; phase < 5; ++phase) {
        EXPECT_EQ(startOfPhase(run, at({0, 0, 0}, 0), phase).step, starts[phase]);
        EXPECT_EQ(phaseOf(run, at({0, 0, 0}, starts[phase])), phase);
    }
    EXPECT_EQ(startOfPhase(run, at({0, 0, 0}, 0), 99).step, 34u);
}

TEST(NavigationTest, ConflictsStopWhereWavefrontsAreWasted) {
    const run::Run conflicts = columnRead(32), none = columnRead(33);
    EXPECT_EQ(forward(conflicts, model::defaultProfile(), at({1, 0, 0}, 0), Stride::Conflict)->step, 1u);
    EXPECT_FALSE(forward(none, model::defaultProfile(), at({1, 0, 0}, 0), Stride::Conflict));
}

TEST(NavigationTest, AnotherWarpAndBlockShowTheSameMoment) {
    const run::Run run = tiledMatmul(8, 8, true);  // two warps, one block
    const auto other = otherWarp(run, at({0, 0, 0}, 16), 1);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->warp, Warp{1});
    EXPECT_EQ(other->step, 16u);
    EXPECT_FALSE(otherWarp(run, *other, 1));
    EXPECT_FALSE(otherBlock(run, at({0, 0, 0}, 16), 1));
    const run::Run small = tiledMatmul(3, 2, true);
    EXPECT_EQ(otherBlock(small, at({0, 0, 0}, 9), 1)->block, (Dim3{1, 0, 0}));
}

TEST(NavigationTest, AnyCursorIsBroughtToOneThatExists) {
    const run::Run run = tiledMatmul(3, 2, true);
    const Cursor wild{
        .launch = LaunchId{7}, .block = {9, 9, 9}, .warp = Warp{99}, .lane = Lane{31}, .step = 4000000000u};
    const Cursor tame = clamped(run, wild);
    EXPECT_EQ(tame, (Cursor{.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 0}));
    const Cursor far =
        clamped(run, {.launch = {}, .block = {1, 1, 0}, .warp = Warp{5}, .lane = Lane{31}, .step = 1000});
    EXPECT_EQ(far, (Cursor{.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = Lane{3}, .step = 35}));
}

TEST(NavigationTest, FindingsLeadToTheirThreadAndStep) {
    run::Run run = tiledMatmul(3, 2, false);
    trace::Finding finding;
    finding.who = {.pc = Pc{4}, .block = {0, 0, 0}, .thread = {0, 1, 0}, .kind = trace::AccessKind::Load};
    run.recording.findings = {finding, finding};
    finding.who.block = {9, 9, 0};
    run.recording.findings.push_back(finding);
    const auto first = forward(run, model::defaultProfile(), at({1, 1, 0}, 0), Stride::Finding);
    ASSERT_TRUE(first);
    EXPECT_EQ(*first, (Cursor{.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = Lane{2}, .step = 10}));
    EXPECT_FALSE(forward(run, model::defaultProfile(), *first, Stride::Finding))
        << "the second is the same place, the third was not recorded";
}

TEST(NavigationTest, FindingsOfManyThreadsAreOneProblem) {
    run::Run run = tiledMatmul(3, 2, false);
    const auto finding = [](Pc pc, Dim3 thread) {
        trace::Finding f;
        f.who = {.pc = pc, .block = {0, 0, 0}, .thread = thread, .kind = trace::AccessKind::Load};
        return f;
    };
    // The load of M (line 7) by three threads, the load of N (line 8) by two.
    run.recording.findings = {finding(Pc{2}, {0, 1, 0}), finding(Pc{2}, {1, 1, 0}), finding(Pc{4}, {0, 1, 0}),
                              finding(Pc{2}, {1, 0, 0}), finding(Pc{4}, {1, 1, 0})};
    const auto go = [&](const Cursor& from, bool isBack) {
        return (isBack ? back : forward)(run, model::defaultProfile(), from, Stride::Finding);
    };
    const auto first = go(at({1, 1, 0}, 0), false);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->lane, Lane{2});
    const auto second = go(*first, false);
    ASSERT_TRUE(second);
    EXPECT_NE(second->step, first->step) << "the other line, not the other thread";
    EXPECT_FALSE(go(*second, false));
    EXPECT_EQ(go(*second, true), first);
    Cursor another = *first;  // another thread of the first problem
    another.lane = Lane{3};
    EXPECT_EQ(go(another, false), second);
}

TEST(NavigationTest, ABranchDivergesWhereSomeButNotAllOfItsPathJump) {
    RunBuilder b("if.cu", "");
    const Pc set = b.instruction("setp.lt.s32 %p1, %r1, %r2", 1), branch = b.instruction("@%p1 bra DONE", 1),
             add = b.instruction("add.s32 %r1, %r1, 1", 2);
    b.label("DONE");
    const Pc after = b.instruction("mov.u32 %r3, %r1", 3);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    for (const u32 taken : {0x0000ffffu, 0xffffffffu, 0u}) {
        b.step(0, set, LaneMask::all());
        b.step(0, branch, LaneMask{taken});
        if (taken != 0xffffffffu) b.step(0, add, LaneMask{~taken});
        b.step(0, after, LaneMask::all());
    }
    const run::Run run = b.finish();
    const trace::WarpTrace& warp = run.recording.trace.blocks[0].warps[0];
    EXPECT_TRUE(divergenceAt(*run.module, warp, 1));
    EXPECT_EQ(divergenceAt(*run.module, warp, 1)->taken.count(), 16);
    EXPECT_FALSE(divergenceAt(*run.module, warp, 5)) << "all jump";
    EXPECT_FALSE(divergenceAt(*run.module, warp, 8)) << "none jumps";
    EXPECT_EQ(run.module->reconvergence(branch), after);
    EXPECT_EQ(forward(run, model::defaultProfile(), at({0, 0, 0}, 0), Stride::Divergence)->step, 1u);
    EXPECT_FALSE(forward(run, model::defaultProfile(), at({0, 0, 0}, 1), Stride::Divergence));
}

}  // namespace
}  // namespace lockstep::explain
