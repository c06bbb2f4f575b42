// The time of a block of shipped kernels: every cycle of a warp once, the same sums as the times of the run,
// and steps of the trace where they are certain.
#include "run/machine/issue_run.h"

#include "run/machine/code_archive.h"
#include "support/run_shipped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockstep {
namespace {

using run::IssueRun;
using time::IssueRecord;
using time::WaitRecord;
using time::WarpRecord;

struct Timed {
    run::Run run;
    run::TimedRun time;
    IssueRun issues;
};

Timed timed(const std::string& name, const Settings& settings) {
    Expected<run::Run> run = runShipped(name, settings);
    EXPECT_TRUE(run) << name;
    if (!run) return {};
    constexpr u32 kComputeCapability = 90;
    const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run->module, kComputeCapability);
    EXPECT_TRUE(code) << name;
    if (!code) return {};
    const Expected<run::TimedRun> time = run::timeRun(*run, **code);
    EXPECT_TRUE(time) << name << ": " << (time ? "" : describe(time.error()));
    const trace::FocusBlock& block = run->recording.trace.blocks.front();
    Expected<IssueRun> issues = run::issueRun(*run, **code, block.launch, block.block);
    EXPECT_TRUE(issues) << name << ": " << (issues ? "" : describe(issues.error()));
    if (!time || !issues) return {};
    return {std::move(*run), *time, std::move(*issues)};
}

// One block each, so that the SM that is kept is all that runs.
const std::vector<std::pair<std::string, Settings>>& oneBlock() {
    static const std::vector<std::pair<std::string, Settings>> kAll{
        {"matmul/tiled", {{"width", "16"}}},
        {"reduction/v0", {{"n", "64"}, {"block", "64"}}},
        {"transpose/shared-padded", {{"rows", "32"}, {"columns", "32"}}},
    };
    return kAll;
}

TEST(IssueRunTest, EveryCycleOfAWarpIsAnIssueOrAWait) {
    for (const auto& [name, settings] : oneBlock()) {
        const Timed all = timed(name, settings);
        ASSERT_FALSE(all.issues.sm.warps.empty()) << name;
        for (const WarpRecord& warp : all.issues.sm.warps) {
            std::map<u64, u64> pieces;
            for (const WaitRecord& wait : warp.waits)
                pieces[wait.begin] = wait.end;
            for (const IssueRecord& issue : warp.issues)
                pieces[issue.cycle] = issue.cycle + 1;
            EXPECT_EQ(pieces.size(), warp.waits.size() + warp.issues.size()) << name;
            u64 at = warp.begin;
            for (const auto& [begin, end] : pieces) {
                EXPECT_EQ(begin, at) << name;
                at = end;
            }
            EXPECT_EQ(at, warp.end) << name;
        }
    }
}

TEST(IssueRunTest, AddsUpToTheTimesOfTheRun) {
    for (const auto& [name, settings] : oneBlock()) {
        const Timed all = timed(name, settings);
        ASSERT_EQ(all.time.launches.size(), 1u) << name;
        time::StallTable sums(all.time.launches[0].stalls.size());
        std::set<std::pair<u32, u64>> issued;
        u64 count = 0;
        for (const WarpRecord& warp : all.issues.sm.warps) {
            for (const WaitRecord& wait : warp.waits)
                sums[wait.instruction][std::size_t(wait.reason)] += wait.end - wait.begin;
            for (const IssueRecord& issue : warp.issues) {
                ++sums[issue.instruction][std::size_t(time::Stall::Selected)];
                EXPECT_TRUE(issued.emplace(warp.subcore, issue.cycle).second)
                    << name << ": two issues of a sub-core in cycle " << issue.cycle;
                ++count;
            }
        }
        EXPECT_EQ(sums, all.time.launches[0].stalls) << name;
        EXPECT_EQ(count, all.time.launches[0].counts.warpInstructions) << name;
        EXPECT_EQ(all.issues.elapsedCycles, all.time.elapsedCycles) << name;
    }
}

TEST(IssueRunTest, AnIssueThatStandsForAStepHasItsPcAndLanes) {
    for (const auto& [name, settings] : oneBlock()) {
        const Timed all = timed(name, settings);
        const trace::FocusBlock& block = all.run.recording.trace.blocks.front();
        u64 accesses = 0, found = 0;
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const trace::WarpTrace& trace = block.warps[w];
            ASSERT_LT(all.issues.warps[w], all.issues.sm.warps.size());
            const WarpRecord& warp = all.issues.sm.warps[all.issues.warps[w]];
            ASSERT_EQ(all.issues.steps[w].size(), warp.issues.size());
            std::set<u32> steps;
            for (std::size_t i = 0; i < warp.issues.size(); ++i) {
                const u32 step = all.issues.steps[w][i];
                if (step == run::kNoStep) continue;
                EXPECT_EQ(all.issues.code[warp.issues[i].instruction].pc, trace.steps[step].pc);
                EXPECT_EQ(warp.issues[i].lanes, trace.steps[step].active.bits);
                steps.insert(step);
            }
            for (u32 s = 0; s < trace.steps.size(); ++s)
                if (const u32 access = trace.steps[s].access;
                    access != trace::Step::kNone && trace.accesses[access].space == trace::Space::Global)
                    ++accesses, found += steps.contains(s);
        }
        EXPECT_EQ(found, accesses) << name << ": every access to global memory has its issue";
    }
}

TEST(IssueRunTest, KeepsTheSmThatRunsALaterBlock) {
    Expected<run::Run> run = runShipped("coalescing/sequential", {{"n", "4096"}, {"block", "128"}});
    ASSERT_TRUE(run);
    const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run->module, 90);
    ASSERT_TRUE(code);
    for (const trace::FocusBlock& block : run->recording.trace.blocks)
        for (const u64 wholeUpTo : {u64{1'000'000}, u64{0}}) {
            const Expected<IssueRun> issues =
                run::issueRun(*run, **code, block.launch, block.block, {.wholeUpTo = wholeUpTo});
            ASSERT_TRUE(issues) << describe(issues.error());
            EXPECT_EQ(issues->simulatedSms, wholeUpTo ? issues->sms : 1u);
            for (const u32 warp : issues->warps)
                ASSERT_LT(warp, issues->sm.warps.size()) << "every warp of the block is there";
        }
}

TEST(IssueRunTest, OneWarpAtATimeIssuesAsMuchAndTakesLonger) {
    const Timed all = timed("matmul/tiled", {{"width", "32"}, {"tile", "16"}});
    ASSERT_TRUE(all.issues.hiding);
    const run::HidingTimes& hiding = *all.issues.hiding;
    EXPECT_GT(hiding.aloneCycles, hiding.elapsedCycles);
    const auto issued = [](const time::SmRecord& sm) {
        u64 sum = 0;
        for (const WarpRecord& warp : sm.warps)
            sum += warp.issues.size();
        return sum;
    };
    EXPECT_EQ(issued(hiding.alone), issued(all.issues.sm));
    // Between two issues of a warp another one of its sub-core issues only where the first waits at a
    // barrier.
    for (const WarpRecord& warp : hiding.alone.warps)
        for (std::size_t i = 0; i + 1 < warp.issues.size(); ++i) {
            const u64 begin = warp.issues[i].cycle, end = warp.issues[i + 1].cycle;
            const bool waitsAtBarrier = std::ranges::any_of(warp.waits, [&](const WaitRecord& wait) {
                return wait.begin > begin && wait.end <= end && wait.reason == time::Stall::Barrier;
            });
            if (waitsAtBarrier) continue;
            for (const WarpRecord& other : hiding.alone.warps) {
                if (&other == &warp || other.subcore != warp.subcore) continue;
                EXPECT_TRUE(std::ranges::none_of(
                    other.issues,
                    [&](const IssueRecord& issue) { return issue.cycle > begin && issue.cycle < end; }))
                    << "warp " << warp.warpOfBlock << " between cycles " << begin << " and " << end;
            }
        }
}

TEST(IssueRunTest, FewerResidentBlocksTakeLonger) {
    Expected<run::Run> run = runShipped("coalescing/sequential", {{"n", "262144"}, {"block", "128"}});
    ASSERT_TRUE(run);
    const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run->module, 90);
    ASSERT_TRUE(code);
    const trace::FocusBlock& block = run->recording.trace.blocks.front();
    const Expected<IssueRun> issues =
        run::issueRun(*run, **code, block.launch, block.block, {.changedUpTo = ~u64{0}});
    ASSERT_TRUE(issues) << describe(issues.error());
    ASSERT_TRUE(issues->hiding);
    const auto& occupancy = issues->hiding->occupancy;
    ASSERT_GT(occupancy.size(), 2u);
    EXPECT_EQ(occupancy.front().blocksPerSm, 1u);
    EXPECT_EQ(occupancy.back().elapsedCycles, issues->hiding->elapsedCycles);
    for (std::size_t i = 0; i + 1 < occupancy.size(); ++i) {
        EXPECT_LT(occupancy[i].blocksPerSm, occupancy[i + 1].blocksPerSm);
        EXPECT_GT(occupancy[i].elapsedCycles, occupancy[i + 1].elapsedCycles);
        EXPECT_EQ(occupancy[i].warpsPerSm, 4 * occupancy[i].blocksPerSm);
    }
}

TEST(IssueRunTest, WhatHasNoTimeSaysWhy) {
    Expected<run::Run> run = runShipped("matmul/tiled", {{"width", "3"}, {"tile", "2"}});
    ASSERT_TRUE(run);
    const auto code = run::shippedCode({LOCKSTEP_SOURCE_DIR}, *run->module, 90);
    ASSERT_TRUE(code);
    const Expected<IssueRun> issues = run::issueRun(*run, **code, {}, {0, 0, 0});
    ASSERT_FALSE(issues);
    EXPECT_NE(describe(issues.error()).find("lies outside of memory"), std::string::npos)
        << describe(issues.error());
}

}  // namespace
}  // namespace lockstep
