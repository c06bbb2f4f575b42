// What is kept of an SM: every cycle of a warp once, as many issues as instructions, and the same reasons as
// in the sums.
#include "time/model/sm_record.h"

#include "time/model/test_text.h"
#include "time/model/time_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace lockstep::time {
namespace {

struct Recorded {
    LaunchTime time;
    SmRecord sm;
};

// Each thread loads a word, waits for all warps of its block, and stores the square of it.
Recorded recorded(Dim3 grid, u32 warps) {
    Text text;
    text.add("S2R R0, SR_TID.X", {.stall = 1, .write = 0})
        .add("LDC.64 R4, c[0x0][0x210]", {.stall = 4, .write = 0})
        .add("NOP", {.stall = 1})
        .add("IMAD.WIDE R2, R0, 0x4, R4", {.stall = 6, .wait = 1})
        .add("LDG.E R6, desc[UR4][R2.64]", {.stall = 1, .write = 1})
        .add("FMUL R7, R6, R6", {.stall = 5, .wait = 2})
        .add("BAR.SYNC.DEFER_BLOCKING 0x0", {.stall = 6})
        .add("STG.E desc[UR4][R2.64], R7", {.stall = 1, .read = 2})
        .add("EXIT", {.stall = 5});
    const Expected<ptx::Module> module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n", "none");
    EXPECT_TRUE(module);
    std::vector<Buffer> buffers{
        {.name = "data", .type = ElementType::F32, .shape = {1024}, .bytes = std::vector<std::byte>(4096)}};
    const simt::DeviceMemory memory(*module, buffers);
    const u64 address = deviceAddressOf(0);
    std::array<std::byte, 8> parameters;
    std::memcpy(parameters.data(), &address, sizeof address);
    const Expected<Program> program = makeProgram(
        text.function(), {.grid = grid, .block = {32 * warps, 1, 1}, .sharedBytes = 0}, parameters);
    EXPECT_TRUE(program) << (program ? "" : describe(program.error()));
    Recorded result;
    const TimeProfile* const times = timeProfileOf(model::defaultProfile());
    const Expected<LaunchTime> time =
        timeLaunch(*program, memory, model::defaultProfile(), *times, 32,
                   {.sms = 1, .record = &result.sm, .recordedBlock = grid.count() - 1});
    EXPECT_TRUE(time) << (time ? "" : describe(time.error()));
    if (time) result.time = *time;
    return result;
}

TEST(SmRecordTest, EveryCycleOfAWarpIsAnIssueOrAWait) {
    const Recorded all = recorded({3, 1, 1}, 6);
    ASSERT_FALSE(all.sm.warps.empty());
    for (const WarpRecord& warp : all.sm.warps) {
        u64 at = warp.begin;
        std::size_t wait = 0;
        const auto passWaits = [&] {
            while (wait < warp.waits.size() && warp.waits[wait].begin == at)
                at = warp.waits[wait++].end;
        };
        for (const IssueRecord& issue : warp.issues) {
            passWaits();
            ASSERT_EQ(issue.cycle, at);
            at = issue.cycle + 1;
        }
        passWaits();
        EXPECT_EQ(wait, warp.waits.size());
        EXPECT_EQ(at, warp.end);
    }
}

TEST(SmRecordTest, IssuesAreTheInstructionsAndOneASubcoreAndCycle) {
    const Recorded all = recorded({2, 1, 1}, 8);
    std::set<std::pair<u32, u64>> issued;
    u64 issues = 0;
    for (const WarpRecord& warp : all.sm.warps)
        for (const IssueRecord& issue : warp.issues) {
            ++issues;
            EXPECT_TRUE(issued.emplace(warp.subcore, issue.cycle).second) << issue.cycle;
        }
    EXPECT_EQ(issues, 9u * 8);  // one block of two: the other stands for another SM's
    EXPECT_EQ(issues, all.time.counts.warpInstructions);
}

TEST(SmRecordTest, ReasonsAddUpToTheTable) {
    const Recorded all = recorded({1, 1, 1}, 8);
    StallTable sums(all.time.stalls.size());
    for (const WarpRecord& warp : all.sm.warps) {
        for (const WaitRecord& wait : warp.waits)
            sums[wait.instruction][std::size_t(wait.reason)] += wait.end - wait.begin;
        for (const IssueRecord& issue : warp.issues)
            ++sums[issue.instruction][std::size_t(Stall::Selected)];
    }
    EXPECT_EQ(sums, all.time.stalls);
}

TEST(SmRecordTest, ExposedIsWhatNoIssueOfTheSubcoreHides) {
    const Recorded all = recorded({2, 1, 1}, 12);
    std::set<std::pair<u32, u64>> issued;
    for (const WarpRecord& warp : all.sm.warps)
        for (const IssueRecord& issue : warp.issues)
            issued.emplace(warp.subcore, issue.cycle);
    StallTable sums(all.time.exposed.size());
    for (const WarpRecord& warp : all.sm.warps)
        for (const WaitRecord& wait : warp.waits)
            for (u64 cycle = wait.begin; cycle < wait.end; ++cycle)
                sums[wait.instruction][std::size_t(wait.reason)] += !issued.contains({warp.subcore, cycle});
    EXPECT_EQ(sums, all.time.exposed);
    const StallCycles exposed = sumOf(all.time.exposed), waits = sumOf(all.time.stalls);
    EXPECT_EQ(exposed[std::size_t(Stall::NotSelected)], 0u) << "another warp was";
    EXPECT_GT(exposed[std::size_t(Stall::LongScoreboard)], 0u);
    EXPECT_LT(exposed[std::size_t(Stall::LongScoreboard)], waits[std::size_t(Stall::LongScoreboard)]);
}

TEST(SmRecordTest, OneWarpHidesNothing) {
    const Recorded all = recorded({1, 1, 1}, 1);
    StallTable waits = all.time.stalls;
    for (StallCycles& row : waits)
        row[std::size_t(Stall::Selected)] = 0;
    EXPECT_EQ(waits, all.time.exposed);
}

TEST(SmRecordTest, AScoreboardNamesTheLoadThatAnswers) {
    const Recorded all = recorded({1, 1, 1}, 2);
    constexpr u32 kLoad = 4, kStore = 7;
    for (const WarpRecord& warp : all.sm.warps) {
        const auto wait = std::ranges::find(warp.waits, Stall::LongScoreboard, &WaitRecord::reason);
        ASSERT_NE(wait, warp.waits.end());
        ASSERT_LT(wait->issue, warp.issues.size());
        const IssueRecord& load = warp.issues[wait->issue];
        EXPECT_EQ(load.instruction, kLoad);
        const RequestRecord& request = all.sm.requests.at(load.request);
        EXPECT_EQ(request.end, wait->end);
        EXPECT_EQ(request.level, MemoryLevel::Dram) << "caches are cold";
        EXPECT_EQ(request.sectors, 4u);
        EXPECT_EQ(request.l1 + request.l2 + request.dram, 4u);
        const RequestRecord& store = all.sm.requests.at(warp.issues[kStore].request);
        EXPECT_TRUE(store.isStore);
        EXPECT_EQ(store.level, MemoryLevel::L2);
    }
}

TEST(SmRecordTest, ABarrierNamesWhoCameLast) {
    const Recorded all = recorded({1, 1, 1}, 4);
    constexpr u32 kBarrier = 6;
    u32 last = 0;
    for (u32 w = 0; w < all.sm.warps.size(); ++w)
        if (all.sm.warps[w].issues[kBarrier].cycle > all.sm.warps[last].issues[kBarrier].cycle) last = w;
    for (const WarpRecord& warp : all.sm.warps) {
        const auto wait = std::ranges::find(warp.waits, Stall::Barrier, &WaitRecord::reason);
        ASSERT_NE(wait, warp.waits.end());
        EXPECT_EQ(wait->warp, last);
    }
}

TEST(SmRecordTest, KeepingItChangesNoTime) {
    const Recorded all = recorded({3, 1, 1}, 8);
    EXPECT_GT(all.time.activeCycles, 0u);
    u64 end = 0;
    for (const WarpRecord& warp : all.sm.warps)
        end = std::max(end, warp.end);
    EXPECT_LE(end, all.time.activeCycles + 8) << "the SM is active until its last warp has ended";
}

}  // namespace
}  // namespace lockstep::time
