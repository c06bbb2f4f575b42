#include "model/caches/block_distribution.h"

#include "model/profiles/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <sstream>

namespace lockstep::model {
namespace {

const std::string kTables = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/caches/";

// The number behind `name` in "shape threads=64 shared=128".
u64 numberIn(const std::string& text, const std::string& name) {
    const std::size_t at = text.find(name + "=");
    return at == std::string::npos ? 0 : std::stoull(text.substr(at + name.size() + 1));
}

TEST(SharedSplit, IsWhatTheDriverChose) {
    const CacheFigures& figures = *defaultProfile().caches;
    std::ifstream table(kTables + "shape.csv");
    std::string line;
    std::getline(table, line);
    u32 launches = 0;
    while (std::getline(table, line)) {
        const u32 threads = u32(numberIn(line, "threads"));
        ASSERT_GE(threads, 32u) << line;
        const u64 shared = numberIn(line, "shared"), perBlock = shared + 1024;
        const u32 warpsAllow = std::min(32u, 64 / (threads / 32)),
                  fit = u32(std::min<u64>(warpsAllow, 228 * 1024 / perBlock));
        std::stringstream values(line.substr(line.find(',') + 1));
        u64 chosen = 0;
        values >> chosen;
        ++launches;
        const bool isTheException = threads == 128 && shared == 128;  // 28 blocks instead of 32
        EXPECT_EQ(sharedSplit(perBlock, shared > 0, threads, warpsAllow, fit, 32, figures),
                  isTheException ? 2 * chosen : chosen)
            << line;
    }
    EXPECT_EQ(launches, 156u);
}

// "0 1 2 3": the groups in turn order: number 0 is the small one, the others are counted from the next group,
// which changes from launch to launch.
std::string groupsOf(std::span<const u32> dealt, const std::vector<SmGroup>& groups) {
    std::string text;
    std::optional<std::size_t> second;
    const auto groupOf = [&](u32 sm) {
        return std::size_t(std::ranges::find_if(groups,
                                                [&](const SmGroup& group) {
                                                    return std::ranges::find(group.sms, sm) !=
                                                           group.sms.end();
                                                }) -
                           groups.begin());
    };
    for (std::size_t at = 0; at < dealt.size();) {
        const std::size_t group = groupOf(dealt[at]);
        if (group && !second) second = group;
        text +=
            std::to_string(group ? 1 + (group + groups.size() - 1 - *second) % (groups.size() - 1) : 0) + " ";
        at += groups[group].sms.size();
    }
    return text;
}

TEST(DealtBlocks, GoToGroupsAsOnTheDevice) {
    const std::vector<SmGroup>& groups = defaultProfile().caches->groups;
    std::ifstream table(kTables + "where.csv");
    std::string line;
    std::getline(table, line);
    u32 launches = 0;
    while (std::getline(table, line)) {
        const std::size_t comma = line.find(',');
        const std::string name = line.substr(0, comma);
        if (name.find("ns=60000") == std::string::npos) continue;  // blocks ended before all were assigned
        std::stringstream rest(line.substr(comma + 1));
        std::vector<u32> measured;
        for (u32 sm; rest >> sm;)
            measured.push_back(sm);
        std::stringstream block(name.substr(name.find("block=") + 6));
        u32 x = 1, y = 1;
        char cross = 0;
        block >> x >> cross >> y;
        const u32 threads = x * y;
        const u32 blocksPerSm = numberIn(name, "shared") > 100'000 ? 1 : std::min(32u, 2048 / threads);
        const std::vector<u32> dealt = dealBlocks(measured.size(), 132, blocksPerSm, groups);
        // If all are resident at once: group by group in the measured order, except the last round, whose
        // shares differ by one.
        const std::size_t whole = dealt.size() / 132 * 132;
        EXPECT_EQ(groupsOf(std::span(dealt).first(whole), groups),
                  groupsOf(std::span(measured).first(whole), groups))
            << name;
        for (const SmGroup& group : groups) {
            const auto in = [&](u32 sm) { return std::ranges::find(group.sms, sm) != group.sms.end(); };
            const s64 ours = std::ranges::count_if(dealt, in),
                      theirs = std::ranges::count_if(measured.begin(),
                                                     measured.begin() + std::ptrdiff_t(dealt.size()), in);
            EXPECT_NEAR(f64(ours), f64(theirs), 2) << name << ", group of SM " << group.sms[0];
        }
        ++launches;
        // No SM gets more than it holds.
        std::map<u32, u32> resident;
        for (u32 sm : dealt)
            EXPECT_LE(++resident[sm], blocksPerSm) << name;
    }
    EXPECT_GE(launches, 7u);
}

TEST(DealtBlocks, GoRoundWhereNothingIsKnown) {
    EXPECT_EQ(dealBlocks(5, 3, 2, {}), (std::vector<u32>{0, 1, 2, 0, 1}));
    EXPECT_EQ(dealBlocks(9, 3, 2, {}).size(), 6u);
}

}  // namespace
}  // namespace lockstep::model
