// Every reason for which a lane can be off, in runs whose steps are known.
#include "explain/inactive_lanes/inactive_lanes.h"

#include "explain/sentences/lane_lists.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::parity, viz::RunBuilder;
using Why = InactiveLanes::Why;

constexpr LaneMask kAll = LaneMask::all(), kOdd{0xaaaaaaaau}, kEven{0x55555555u};

std::vector<InactiveLanes> offAt(const run::Run& run, u32 step, LaneMask lanes = kAll) {
    return inactiveLanes(*run.module, run.recording.trace.blocks[0].warps[0], step, lanes);
}

std::string wordsAt(const run::Run& run, u32 step, Language language = Language::English) {
    std::string text;
    for (const InactiveLanes& off : offAt(run, step))
        text += (text.empty() ? "" : " | ") + lanesInBrief(off.lanes, language) + ": " +
                whyInWords(*run.module, off, language);
    return text;
}

TEST(InactiveLanesTest, OfTwoWaysOneWaitsForItsTurnAndThenForTheOther) {
    const run::Run run = parity();  // load, test, jump, even, over, odd, store
    EXPECT_EQ(offAt(run, 1), std::vector<InactiveLanes>{}) << "all are on";
    EXPECT_EQ(wordsAt(run, 2), "0, 2, …, 30: branch not taken");
    EXPECT_EQ(wordsAt(run, 3), "1, 3, …, 31: waiting to run another path from line 3");
    EXPECT_EQ(wordsAt(run, 5), "0, 2, …, 30: done with another path from line 3; waiting at line 7");
    EXPECT_EQ(wordsAt(run, 5, Language::Chinese),
              "0、2……30: 在第 3 行转入另一条路径，已执行完那条路径，正在第 7 行等待");
    EXPECT_EQ(offAt(run, 5, kOdd), std::vector<InactiveLanes>{}) << "they are not asked for";
}

// A guard, a loop that lanes leave one after another, an if without else, and a return in its middle.
run::Run manyReasons() {
    RunBuilder b("reasons.cu", "a\nb\nc\nd\ne\nf\ng\nh\n");
    const Pc guarded = b.instruction("@%p1 add.s32 %r1, %r1, 1", 2);
    b.label("LOOP");
    const Pc body = b.instruction("add.s32 %r2, %r2, 1", 3), round = b.instruction("@%p2 bra LOOP", 4),
             skip = b.instruction("@%p3 bra MEET", 5), inside = b.instruction("add.s32 %r3, %r3, 1", 6);
    b.label("MEET");
    const Pc leave = b.instruction("@%p4 ret", 7), after = b.instruction("add.s32 %r4, %r4, 1", 8);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const LaneMask low = LaneMask::firstLanes(16), none{};
    b.step(0, guarded, kOdd);
    b.step(0, body, kAll);
    b.step(0, round, low);
    b.step(0, body, low);  // 3
    b.step(0, round, none);
    b.step(0, skip, kEven);   // 5
    b.step(0, inside, kOdd);  // 6
    b.step(0, leave, low);    // 7
    b.step(0, after, ~low);   // 8
    return b.finish();
}

TEST(InactiveLanesTest, GuardLoopIfAndReturnAreToldApart) {
    const run::Run run = manyReasons();
    EXPECT_EQ(wordsAt(run, 0), "0, 2, …, 30: predicate @%p1 is false");
    EXPECT_EQ(wordsAt(run, 3), "16–31: left the loop at line 4; waiting for the others");
    EXPECT_EQ(wordsAt(run, 4),
              "0–15: branch not taken | 16–31: left the loop at line 4; waiting for the others");
    EXPECT_EQ(wordsAt(run, 6), "0, 2, …, 30: skipped this code at line 5; waiting at line 7");
    EXPECT_EQ(wordsAt(run, 8), "0–15: returned at line 7");
    EXPECT_EQ(offAt(run, 8)[0].why, Why::Returned);
}

TEST(InactiveLanesTest, AnEarlyReturnIsAJumpToTheEnd) {
    RunBuilder b("early.cu", "a\nif (i >= n) return;\nc\n");
    const Pc jump = b.instruction("@%p1 bra END", 2), work = b.instruction("add.s32 %r1, %r1, 1", 3);
    b.label("END");
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.step(0, jump, kOdd);
    b.step(0, work, kEven);
    EXPECT_EQ(wordsAt(b.finish(), 1), "1, 3, …, 31: branched at line 2 to the end of the kernel");
}

TEST(InactiveLanesTest, ReconvergenceIsBelowBothPathsInTheSource) {
    // The store's instruction carries an earlier line: the compiler moves its address up.
    RunBuilder b("below.cu", "a\nb\nif (odd)\nx\nelse\ny\nout\n");
    const Pc jump = b.instruction("@%p1 bra ODD", 3), even = b.instruction("add.s32 %r1, %r1, 1", 4),
             over = b.instruction("bra.uni MEET", 4);
    b.label("ODD");
    const Pc odd = b.instruction("add.s32 %r1, %r1, 2", 6);
    b.label("MEET");
    const Pc early = b.instruction("add.s32 %r2, %r2, 4", 2), out = b.instruction("add.s32 %r3, %r3, 4", 7);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.step(0, jump, kOdd);
    b.step(0, even, kEven);
    b.step(0, over, kEven);
    b.step(0, odd, kOdd);  // 3
    b.step(0, early, kAll);
    b.step(0, out, kAll);
    EXPECT_EQ(wordsAt(b.finish(), 3), "0, 2, …, 30: done with another path from line 3; waiting at line 7");
}

}  // namespace
}  // namespace lockstep::explain
