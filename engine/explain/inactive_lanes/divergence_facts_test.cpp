#include "explain/inactive_lanes/divergence_facts.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::parity, viz::unequalLoops, viz::wholeWarps;

constexpr LaneMask kOdd{0xaaaaaaaau}, kEven{0x55555555u};

std::optional<DivergenceFacts> factsOf(const run::Run& run, Warp warp = {}) {
    return divergenceFacts(*run.module, run.recording.trace.blocks.front(), warp);
}

TEST(DivergenceFactsTest, OddAndEvenLanesPartAtTheBranchAndMeetAtTheStore) {
    const run::Run run = parity();
    const auto facts = factsOf(run);
    ASSERT_TRUE(facts);
    struct Row {
        Stretch::Kind kind;
        u32 first, end;
        LaneMask lanes;
    };
    using enum Stretch::Kind;
    const Row expected[] = {{Together, 0, 2, LaneMask::all()},
                            {Branch, 2, 3, LaneMask::all()},
                            {Way, 3, 5, kEven},
                            {Way, 5, 6, kOdd},
                            {Together, 6, 7, LaneMask::all()}};
    ASSERT_EQ(facts->stretches.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        const Stretch& stretch = facts->stretches[i];
        EXPECT_TRUE(stretch.kind == expected[i].kind && stretch.first == expected[i].first &&
                    stretch.end == expected[i].end && stretch.lanes == expected[i].lanes)
            << i;
    }
    ASSERT_EQ(facts->partings.size(), 1u);
    const Parting& parting = facts->partings[0];
    EXPECT_EQ(parting.taken, kOdd);
    EXPECT_TRUE(parting.meets);
    EXPECT_EQ(parting.groups, (std::vector{kEven, kOdd}));
    EXPECT_EQ(parting.slots, 3u * 32);
    EXPECT_EQ(parting.used, 3u * 16);
    EXPECT_EQ(facts->slots, 7u * 32);
    EXPECT_EQ(facts->used, 4u * 32 + 3 * 16);
    EXPECT_EQ(facts->reads[5], 1u);
    EXPECT_EQ(facts->stretchAt(4), 2u);
}

TEST(DivergenceFactsTest, ALoopHasARowForEachRoundWithTheLanesStillInIt) {
    const auto facts = factsOf(unequalLoops());
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->exist, 4u);
    std::vector<int> lanes;
    for (const Stretch& stretch : facts->stretches)
        lanes.push_back(stretch.lanes.count());
    EXPECT_EQ(lanes, (std::vector{4, 4, 3, 2, 1, 4}));
    for (u32 lane = 0; lane < 4; ++lane)
        EXPECT_EQ(facts->reads[lane], lane + 1);
    ASSERT_EQ(facts->partings.size(), 1u);
    EXPECT_EQ(facts->partings[0].groups.size(), 4u);
    EXPECT_EQ(facts->partings[0].groups.back(), LaneMask::of(Lane{0}));  // went straight to where they meet
    EXPECT_EQ(facts->partings[0].slots, 4u * 9);
    EXPECT_EQ(facts->partings[0].used, 3u * 3 + 2 * 3 + 1 * 3);
}

TEST(DivergenceFactsTest, MoreThanTwoPathsAreCountedForEachWarp) {
    const auto facts = factsOf(unequalLoops());
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->partings[0].paths, std::vector{4u});
    EXPECT_TRUE(factsOf(parity())->partings[0].paths.empty()) << "which lanes go where says more of two";
}

TEST(DivergenceFactsTest, WholeWarpsThatGoDifferentWaysDoNotPart) {
    const run::Run run = wholeWarps();
    for (u32 warp = 0; warp < 2; ++warp) {
        const auto facts = factsOf(run, Warp{warp});
        ASSERT_TRUE(facts);
        ASSERT_EQ(facts->partings.size(), 1u);
        EXPECT_EQ(facts->partings[0].groups, std::vector{LaneMask::all()});
        EXPECT_EQ(facts->used, facts->slots);
        const auto warps =
            warpsAtBranch(*run.module, run.recording.trace.blocks.front(), facts->partings[0].pc);
        ASSERT_EQ(warps.size(), 2u);
        EXPECT_EQ(warps[0]->jump, 32);
        EXPECT_EQ(warps[1]->goOn, 32);
    }
}

}  // namespace
}  // namespace lockstep::explain
