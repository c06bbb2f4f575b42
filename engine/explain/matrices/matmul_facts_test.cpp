// The worked example, width 3 and T = 2: who reaches for what, as the course has it.
#include "explain/matrices/matmul_facts.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace lockstep::explain {
namespace {

using viz::columnRead, viz::tiledMatmul;

Cursor at(Dim3 block, u32 step, Lane lane = Lane{0}) {
    return {.launch = {}, .block = block, .warp = {}, .lane = lane, .step = step};
}

constexpr u32 kLoadM = 7, kKeepM = 8, kLoadN = 10, kPhase = 14;  // steps; the second phase's are kPhase later

// Of the round at the cursor, by lane.
std::map<u32, Transfer> byLane(const Operand& operand, u32 round) {
    std::map<u32, Transfer> found;
    for (const Transfer& t : operand.transfers)
        if (t.round == round) found.emplace(t.lane.value, t);
    return found;
}

struct Reach {
    u32 lane;
    CellIndex asked;
};

void expectGhosts(const run::Run& run, Dim3 block, u32 round, bool ofN, const std::vector<Reach>& ghosts) {
    const auto facts = matmulFacts(run, at(block, kLoadM + round * kPhase));
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->textbook);
    EXPECT_EQ(facts->round, round);
    EXPECT_EQ(facts->rounds, 2u);
    const auto lanes = byLane(ofN ? facts->n : facts->m, round);
    ASSERT_EQ(lanes.size(), 4u);
    for (u32 lane = 0; lane < 4; ++lane) {
        const auto ghost = std::ranges::find(ghosts, lane, &Reach::lane);
        EXPECT_EQ(lanes.at(lane).loadStep.has_value(), ghost == ghosts.end()) << "lane " << lane;
        if (ghost == ghosts.end()) {
            EXPECT_EQ(*lanes.at(lane).asked, *lanes.at(lane).read) << "lane " << lane;
        } else {
            EXPECT_EQ(*lanes.at(lane).asked, ghost->asked) << "lane " << lane;
            EXPECT_EQ(lanes.at(lane).value, "0.0");
        }
    }
}

TEST(MatmulFactsTest, AreNoneWhereAThreadComputesSeveralElements) {
    run::Run run = tiledMatmul(3, 2, true);
    ASSERT_TRUE(matmulFacts(run, at({0, 0, 0}, kLoadM)));
    trace::WarpTrace& warp = run.recording.trace.blocks[0].warps[0];
    warp.accesses.push_back(warp.accesses.back());  // the store to P, once more
    EXPECT_FALSE(matmulFacts(run, at({0, 0, 0}, kLoadM)));
    EXPECT_TRUE(matmulFacts(run, at({1, 0, 0}, kLoadM))) << "another block";
}

TEST(MatmulFactsTest, CheckedThreadsReachForTheCellsOfTheCourse) {
    const run::Run run = tiledMatmul(3, 2, true);
    {
        SCOPED_TRACE("block (0,0), phase 1: threads (0,1) and (1,1) for M[0][3] and M[1][3]");
        expectGhosts(run, {0, 0, 0}, 1, false, {{1, {0, 3}}, {3, {1, 3}}});
    }
    {
        SCOPED_TRACE("block (0,0), phase 1: threads (1,0) and (1,1) for N[3][0] and N[3][1]");
        expectGhosts(run, {0, 0, 0}, 1, true, {{2, {3, 0}}, {3, {3, 1}}});
    }
    {
        SCOPED_TRACE("block (1,1), phase 0: threads (1,0) and (1,1) for M[3][0] and M[3][1]");
        expectGhosts(run, {1, 1, 0}, 0, false, {{2, {3, 0}}, {3, {3, 1}}});
    }
    {
        SCOPED_TRACE("block (1,1), phase 0: threads (0,1) and (1,1) for N[0][3] and N[1][3]");
        expectGhosts(run, {1, 1, 0}, 0, true, {{1, {0, 3}}, {3, {1, 3}}});
    }
    {
        SCOPED_TRACE("block (0,0), phase 0: nobody");
        expectGhosts(run, {0, 0, 0}, 0, false, {});
    }
}

TEST(MatmulFactsTest, UncheckedThreadsGetWhatRowMajorOrderHasThere) {
    const run::Run run = tiledMatmul(3, 2, false);
    const auto facts = matmulFacts(run, at({0, 0, 0}, kLoadM + kPhase));
    ASSERT_TRUE(facts);
    const auto m = byLane(facts->m, 1);
    EXPECT_TRUE(m.at(1).isAlias());
    EXPECT_EQ(*m.at(1).asked, (CellIndex{0, 3}));
    EXPECT_EQ(*m.at(1).read, (CellIndex{1, 0}));
    EXPECT_EQ(m.at(1).value, "1.0") << "M[1][0]";
    EXPECT_FALSE(m.at(0).isAlias());
    const auto n = byLane(facts->n, 1);
    EXPECT_TRUE(n.at(2).outside) << "N[3][0] lies past the end";
    EXPECT_EQ(n.at(2).value, "NaN") << "poison";
    EXPECT_TRUE(facts->m.anyAlias);
    EXPECT_TRUE(facts->n.anyAlias);
    EXPECT_FALSE(matmulFacts(tiledMatmul(4, 2, false), at({0, 0, 0}, kLoadM))->m.anyAlias)
        << "a multiple of T is right";
}

TEST(MatmulFactsTest, TheCursorsStepIsNamedByWhatItTouches) {
    const run::Run run = tiledMatmul(3, 2, true);
    struct Case {
        u32 step;
        Activity activity;
        bool onN;
        u32 round;
    };
    const Case cases[] = {{0, Activity::SetUp, false, 0},     {kLoadM, Activity::Load, false, 0},
                          {kKeepM, Activity::Keep, false, 0}, {kLoadN, Activity::Load, true, 0},
                          {14, Activity::Multiply, true, 0},  {kLoadM + kPhase, Activity::Load, false, 1},
                          {35, Activity::Result, false, 1}};
    for (const Case& c : cases) {
        const auto facts = matmulFacts(run, at({1, 1, 0}, c.step));
        EXPECT_EQ(facts->activity, c.activity) << "step " << c.step;
        EXPECT_TRUE(c.activity != Activity::Load || facts->onN == c.onN) << "step " << c.step;
        EXPECT_EQ(facts->round, c.round) << "step " << c.step;
    }
}

TEST(MatmulFactsTest, BetweenTwoMovesTheOneToComeIsKnown) {
    const run::Run run = tiledMatmul(3, 2, true);
    EXPECT_FALSE(matmulFacts(run, at({1, 1, 0}, kLoadM))->between);
    EXPECT_FALSE(matmulFacts(run, at({1, 1, 0}, kKeepM))->between);
    const auto after = matmulFacts(run, at({1, 1, 0}, kKeepM + 1));
    EXPECT_TRUE(after->between);
    ASSERT_TRUE(after->next);
    EXPECT_EQ(after->next->activity, Activity::Load);
    EXPECT_TRUE(after->next->onN);
}

TEST(MatmulFactsTest, TheFirstFactorOfAPairHasNoPartnerYet) {
    const run::Run run = tiledMatmul(3, 2, true);
    struct Case {
        u32 step;
        std::optional<f64> m, n;
    };
    const Case cases[] = {{13, 3, {}}, {14, 3, 2}, {15, 3, 2}, {16, 1, {}}, {17, 1, 8}};
    for (const Case& c : cases) {
        const auto facts = matmulFacts(run, at({0, 0, 0}, c.step));
        const Accumulator a = accumulatorOf(run, *facts, run.recording.trace.blocks[0], Warp{0}, Lane{0});
        EXPECT_EQ(a.m.has_value() ? std::optional(a.m->value) : std::nullopt, c.m) << "step " << c.step;
        EXPECT_EQ(a.n.has_value() ? std::optional(a.n->value) : std::nullopt, c.n) << "step " << c.step;
    }
}

TEST(MatmulFactsTest, SumsGrowByOneProductAStep) {
    const run::Run run = tiledMatmul(3, 2, true);  // M = 3 1 4 / 1 5 9 / 2 6 5, N = 2 7 1 / 8 2 8 / 1 8 2
    struct Case {
        u32 step;
        f64 sum;
        u32 products;
    };
    const Case cases[] = {
        {12, 0, 0}, {14, 3 * 2, 1}, {17, 3 * 2 + 1 * 8, 2}, {28, 3 * 2 + 1 * 8 + 4 * 1, 3}, {35, 18, 4}};
    for (const Case& c : cases) {
        const auto facts = matmulFacts(run, at({0, 0, 0}, c.step));
        const Accumulator a = accumulatorOf(run, *facts, run.recording.trace.blocks[0], Warp{0}, Lane{0});
        EXPECT_EQ(a.sum, c.sum) << "step " << c.step;
        EXPECT_EQ(a.products, c.products) << "step " << c.step;
        EXPECT_EQ(a.stored.has_value(), c.step == 35);
    }
    const auto facts = matmulFacts(run, at({0, 0, 0}, 35));
    EXPECT_EQ(*accumulatorOf(run, *facts, run.recording.trace.blocks[0], Warp{0}, Lane{0}).stored, 18)
        << "P[0][0]";
}

TEST(MatmulFactsTest, AKernelWithoutTheThreeMatricesHasNone) {
    EXPECT_FALSE(
        matmulFacts(columnRead(32), {.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1}));
}

}  // namespace
}  // namespace lockstep::explain
