// What is read off a record of two warps of a sub-core that is written down here.
#include "viz/issue/issue_facts.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

using time::IssueRecord;
using time::SmRecord;
using time::Stall;

// Warp 0 issues in cycles 10, 13 and 30, warp 1 in 12 and 20; both are there from 10 on.
SmRecord twoWarps() {
    SmRecord sm;
    const auto issues = [](std::initializer_list<u64> cycles) {
        std::vector<IssueRecord> all;
        for (const u64 cycle : cycles)
            all.push_back({.cycle = cycle, .busyUntil = cycle + 2, .lanes = ~u32{0}});
        return all;
    };
    sm.warps.push_back({.begin = 10,
                        .end = 31,
                        .issues = issues({10, 13, 30}),
                        .waits = {{.begin = 11, .end = 13, .reason = Stall::Wait},
                                  {.begin = 14, .end = 30, .reason = Stall::LongScoreboard}}});
    sm.warps.push_back({.warpOfBlock = 4,
                        .begin = 10,
                        .end = 21,
                        .issues = issues({12, 20}),
                        .waits = {{.begin = 10, .end = 12, .reason = Stall::NoInstruction},
                                  {.begin = 13, .end = 18, .reason = Stall::Wait},
                                  {.begin = 18, .end = 20, .reason = Stall::Barrier}}});
    sm.warps.push_back(
        {.warpOfBlock = 1, .subcore = 1, .begin = 0, .end = 40, .issues = issues({15}), .waits = {}});
    return sm;
}

TEST(IssueFactsTest, StretchesWithoutAnIssueLieBetweenThoseOfAllWarpsOfTheSubcore) {
    const SmRecord sm = twoWarps();
    const Idle idle = idleOf(sm, 0, 0, 40);
    ASSERT_EQ(idle.stretches.size(), 3u) << "11, 14 to 19, 21 to 29";
    EXPECT_EQ(idle.stretches[0].begin, 11u);
    EXPECT_EQ(idle.stretches[1].begin, 14u);
    EXPECT_EQ(idle.stretches[1].end, 20u);
    EXPECT_EQ(idle.cycles, 1u + 6 + 9);
    ASSERT_TRUE(idle.longest);
    EXPECT_EQ(idle.longest->begin, 21u);
    EXPECT_EQ(idle.longest->cycles(), 9u);
    EXPECT_EQ(idle.reason, Stall::LongScoreboard);
    EXPECT_EQ(idle.waiting, 1u);
    EXPECT_EQ(idle.warps, 1u) << "the other one has ended";
    EXPECT_EQ(idle.smWarp, 0u);
}

TEST(IssueFactsTest, APartOnShowCutsStretches) {
    const Idle idle = idleOf(twoWarps(), 0, 16, 25);
    ASSERT_EQ(idle.stretches.size(), 2u);
    EXPECT_EQ(idle.stretches[0].cycles(), 4u);
    EXPECT_EQ(idle.stretches[1].cycles(), 4u);
    EXPECT_TRUE(idleOf(twoWarps(), 0, 12, 14).stretches.empty());
}

TEST(IssueFactsTest, WhatAWarpWaitsForMostComesFirst) {
    const SmRecord sm = twoWarps();
    const std::vector<Waited> all = waitedFor(sm.warps[1], 0, 40);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].reason, Stall::Wait);
    EXPECT_EQ(all[0].cycles, 5u);
    const std::vector<Waited> part = waitedFor(sm.warps[1], 16, 40);
    EXPECT_EQ(part[0].reason, Stall::Barrier) << "of as many cycles, what the compiler set comes last";
    EXPECT_EQ(part[1].cycles, 2u);
    EXPECT_TRUE(waitedFor(sm.warps[1], 12, 13).empty());
}

TEST(IssueFactsTest, FindsWaitsByLengthAndByTime) {
    const time::WarpRecord warp = twoWarps().warps[1];
    EXPECT_EQ(longestWait(warp, 0, 40), &warp.waits[1]);
    EXPECT_EQ(longestWait(warp, 0, 40, Stall::Barrier), &warp.waits[2]);
    EXPECT_EQ(longestWait(warp, 0, 40, Stall::Drain), nullptr);
    EXPECT_EQ(lastWait(warp, 20), &warp.waits[2]);
    EXPECT_EQ(lastWait(warp, 19), &warp.waits[1]);
    EXPECT_EQ(lastWait(warp, 20, 4), &warp.waits[1]);
    EXPECT_EQ(lastWait(warp, 11), nullptr);
    EXPECT_EQ(nextWait(warp, 11), &warp.waits[1]);
    EXPECT_EQ(nextWait(warp, 13, 3), &warp.waits[1]) << "begins with that cycle";
    EXPECT_EQ(nextWait(warp, 14), &warp.waits[2]);
    EXPECT_EQ(nextWait(warp, 10, 6), nullptr);
}

TEST(IssueFactsTest, HowManyWarpsThereAreAndHowManyWouldBeEnough) {
    SmRecord sm = twoWarps();
    EXPECT_EQ(mostWarpsOf(sm, 0), 2u);
    EXPECT_EQ(mostWarpsOf(sm, 1), 1u);
    EXPECT_EQ(mostWarpsOf(sm, 2), 0u);
    EXPECT_DOUBLE_EQ(cyclesPerIssue(sm, 0), (21.0 + 11) / (3 + 2));
    EXPECT_EQ(cyclesPerIssue(sm, 2), 0);
    sm.warps[1].waits[1].reason = Stall::NotSelected;  // 13 to 17: the other one issued
    EXPECT_DOUBLE_EQ(cyclesPerIssue(sm, 0), (21.0 + 11 - 5) / (3 + 2));
    sm.warps[1].begin = sm.warps[0].end, sm.warps[1].end = sm.warps[0].end + 11;
    EXPECT_EQ(mostWarpsOf(sm, 0), 1u) << "one begins as the other ends";
}

TEST(IssueFactsTest, CyclesWithoutAWarpAreNotIdle) {
    const Idle idle = idleOf(twoWarps(), 0, 0, 40);
    ASSERT_EQ(idle.without.size(), 2u) << "before the first warp, behind the last";
    EXPECT_EQ(idle.without[0].end, 10u);
    EXPECT_EQ(idle.without[1].begin, 31u);
    EXPECT_EQ(idle.withoutWarps, 10u + 9);
    SmRecord later = twoWarps();
    later.warps[0].begin = 25;  // the other one has ended in 20
    later.warps[0].issues = {{.cycle = 30}}, later.warps[0].waits.clear();
    const Idle between = idleOf(later, 0, 10, 31);
    ASSERT_EQ(between.without.size(), 1u);
    EXPECT_EQ(between.withoutWarps, 4u) << "21 to 24";
    EXPECT_EQ(between.stretches.back().begin, 25u);
}

TEST(IssueFactsTest, AStretchThatIsCutIsFoundAmongAll) {
    const Idle all = idleOf(twoWarps(), 0, 0, 40), part = idleOf(twoWarps(), 0, 16, 25);
    const CycleSpan whole = wholeOf(all, part.stretches.front());
    EXPECT_EQ(whole.begin, 14u);
    EXPECT_EQ(whole.cycles(), 6u);
    EXPECT_EQ(wholeOf(all, part.stretches.back()).begin, 21u);
    EXPECT_EQ(wholeOf(all, {0, 5}).cycles(), 5u) << "is in none";
}

TEST(IssueFactsTest, EachCycleInWhichNoWarpIssuesCountsOnceAndUnderOneReason) {
    const SmRecord sm = twoWarps();
    const Idle idle = idleOf(sm, 0, 0, 40);
    const std::vector<Waited> exposed = exposedOf(sm, 0, idle);
    ASSERT_EQ(exposed.size(), 2u);
    EXPECT_EQ(exposed[0].reason, Stall::LongScoreboard);
    EXPECT_EQ(exposed[0].cycles, 6u + 9);
    EXPECT_EQ(exposed[1].reason, Stall::NoInstruction) << "in 11; what the compiler set comes last";
    EXPECT_EQ(exposed[0].cycles + exposed[1].cycles, idle.cycles);
    SmRecord twice = sm;  // two warps that wait for the same are no more cycles
    twice.warps.push_back(sm.warps[0]);
    EXPECT_EQ(exposedOf(twice, 0, idleOf(twice, 0, 0, 40))[0].cycles, 6u + 9);
}

}  // namespace
}  // namespace lockstep::viz
