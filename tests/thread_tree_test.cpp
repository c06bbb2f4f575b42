// The tree by which threads put their values together (explain/sums/thread_tree.h), of kernels of the catalog
// and of other hands: every round, whatever hands the values on.
#include "explain/sums/thread_tree.h"

#include "support/kernels_of_others.h"
#include "support/run_shipped.h"
#include "viz/cursor/opening.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace lockstep {
namespace {

using explain::Addition, explain::ReductionFacts;

std::optional<ReductionFacts> treeOf(const run::Run& run, u32 block = 0) {
    const trace::FocusBlock& of = run.recording.trace.blocks[block];
    const Cursor cursor{.launch = of.launch, .block = of.block, .warp = {}, .lane = {}, .step = 0};
    return explain::threadTree(run, cursor, explain::LazyFlow(run, cursor));
}
std::optional<ReductionFacts> treeOf(const std::string& name, const Settings& settings = {}) {
    const Expected<run::Run> run = runShipped(name, settings);
    EXPECT_TRUE(run) << describe(run.error());
    return run ? treeOf(*run) : std::nullopt;
}

// Each sum that is part of the result is that of what it is said to be made of.
void expectSums(const ReductionFacts& facts) {
    for (const std::vector<Addition>& round : facts.rounds)
        for (const Addition& a : round) {
            if (!a.isUsed) continue;
            f64 sum = a.own ? a.own->value : 0;
            for (const explain::Addend& from : a.from)
                sum += from.value;
            EXPECT_EQ(sum, a.sum) << "thread " << a.to;
        }
}
std::vector<u64> usedOf(const ReductionFacts& facts) {
    std::vector<u64> used;
    for (const std::vector<Addition>& round : facts.rounds)
        used.push_back(u64(std::ranges::count(round, true, &Addition::isUsed)));
    return used;
}

TEST(ThreadTreeTest, ShufflesGoOnThroughSharedMemory) {
    const auto facts = treeOf("reduction/shuffle");
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->isByThread);
    EXPECT_EQ(facts->places, 128u);
    EXPECT_EQ(usedOf(*facts), (std::vector<u64>{64, 32, 16, 8, 4, 4, 4, 4, 4, 2, 1}))
        << "five rounds in each warp, four sums through shared memory, and the same rounds in warp 0, where "
           "the "
           "lanes behind the fourth have a zero";
    EXPECT_EQ(facts->count(), 10u) << "what is taken over is no round";
    EXPECT_TRUE(std::ranges::all_of(facts->rounds[5], &Addition::isMove));
    EXPECT_EQ(facts->rounds[5][3].from.front().place, 96u) << "thread 3 takes over the sum of warp 3";
    for (u32 round = 0; round < 5; ++round)
        EXPECT_EQ(facts->rounds[round].size(), 128u) << "all lanes add, though not all for the result";
    const Addition& first = facts->rounds[0][3];
    EXPECT_EQ(first.to, 3u);
    ASSERT_EQ(first.from.size(), 1u);
    EXPECT_EQ(first.from.front().place, 19u);
    EXPECT_FALSE(facts->rounds[0][16].isUsed);
    expectSums(*facts);
    ASSERT_EQ(facts->own.size(), 128u);
    ASSERT_EQ(facts->own[5].elements.size(), 2u);
    EXPECT_EQ(facts->own[5].elements[0].element, 5);
    EXPECT_EQ(facts->own[5].elements[1].element, 5 + 128);
}

TEST(ThreadTreeTest, AllRoundsOfSumsThatStayInARegister) {
    for (const char* name : {"reduction/v4-syncwarp", "reduction/v5-syncwarp", "reduction/v6-syncwarp"}) {
        SCOPED_TRACE(name);
        const auto facts = treeOf(name);
        ASSERT_TRUE(facts);
        EXPECT_EQ(usedOf(*facts), (std::vector<u64>{64, 32, 16, 8, 4, 2, 1}));
        EXPECT_EQ(facts->rounds[2].size(), 32u) << "the last warp adds as a whole";
        expectSums(*facts);
    }
}

TEST(ThreadTreeTest, EachThreadFirstAddsItsOwnElements) {
    const auto facts = treeOf("reduction/v6", {{"n", "8192"}, {"blocks", "4"}});
    ASSERT_TRUE(facts);
    ASSERT_EQ(facts->own.size(), 128u);
    const explain::OwnSum& own = facts->own[32];
    ASSERT_EQ(own.elements.size(), 16u);
    EXPECT_EQ(own.elements[0].element, 32);
    EXPECT_EQ(own.elements[1].element, 32 + 128);
    EXPECT_EQ(own.elements[2].element, 32 + 1024);
    EXPECT_EQ(own.elements.back().sum, facts->start[32].value);
}

TEST(ThreadTreeTest, AMaximumIsATreeAsWell) {
    const auto facts = treeOf("reduction/turnkey", {{"op", "max"}});
    ASSERT_TRUE(facts);
    EXPECT_FALSE(facts->isSum);
    EXPECT_EQ(facts->count(), 7u);
    for (const std::vector<Addition>& round : facts->rounds)
        for (const Addition& a : round) {
            EXPECT_TRUE(a.own);
            EXPECT_EQ(a.sum, std::max(a.own->value, a.from.front().value));
        }
    EXPECT_EQ(facts->own[0].elements.size(), 8u);
}

TEST(ThreadTreeTest, AWarpWithoutElementsTakesPart) {
    const Expected<run::Run> run = runShipped("reduction/shuffle", {{"n", "333"}});
    ASSERT_TRUE(run);
    const auto facts = treeOf(*run, 1);
    ASSERT_TRUE(facts);
    std::set<u32> warps;
    for (const Addition& a : facts->rounds[0])
        warps.insert(a.warp.value);
    EXPECT_EQ(warps.size(), 4u) << "77 elements for 128 threads: the last warp adds zeros";
    expectSums(*facts);
}

TEST(ThreadTreeTest, AStageDrawsTheSharedArrayWhereAllRoundsAreMadeThere) {
    const auto stageOf = [](const char* name) {
        const Expected<run::Run> run = runShipped(name, {});
        const Cursor cursor = viz::initialCursor(*run);
        return explain::treeFacts(*run, cursor, explain::LazyFlow(*run, cursor));
    };
    for (const char* name : {"reduction/v0", "reduction/v1", "reduction/v2", "reduction/v4", "reduction/v6"})
        EXPECT_FALSE(stageOf(name)->isByThread) << name;
    for (const char* name : {"reduction/shuffle", "reduction/grid-stride", "reduction/general",
                             "reduction/turnkey", "reduction/single-pass", "reduction/v4-syncwarp"})
        EXPECT_TRUE(stageOf(name)->isByThread) << name;
    EXPECT_EQ(stageOf("reduction/v6")->own.size(), 128u);
    EXPECT_TRUE(stageOf("reduction/v2")->own.empty()) << "one element a thread";
}

TEST(ThreadTreeTest, KernelsOfOtherHandsHaveTreesToo) {
    u32 trees = 0, drawn = 0;
    for (const KernelOfOthers& kernel : kernelsOfOthers()) {
        if (kernel.found != "tree") continue;
        const Expected<run::Run> run = runOf(kernel);
        ASSERT_TRUE(run) << describe(run.error());
        SCOPED_TRACE(kernel.request.file.filename().string());
        const Cursor cursor = viz::initialCursor(*run);
        const auto facts = explain::treeFacts(*run, cursor, explain::LazyFlow(*run, cursor));
        ++trees, drawn += facts.has_value();
        RecordProperty(kernel.request.file.filename().string(), facts ? int(facts->count()) : 0);
        if (!facts) printf("no tree: %s\n", kernel.request.file.filename().c_str());
    }
    EXPECT_GE(trees, 20u);
    EXPECT_GE(10 * drawn, 8 * trees) << drawn << " of " << trees;
}

TEST(ThreadTreeTest, AKernelWithoutExchangesHasNone) {
    EXPECT_FALSE(treeOf("transpose/shared"));
    EXPECT_FALSE(treeOf("coalescing/sequential"));
    EXPECT_FALSE(treeOf("matmul/naive"));
}

}  // namespace
}  // namespace lockstep
