#include "explain/sums/scan_facts.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::RunBuilder, viz::scan, viz::staged, viz::stridedCopy;

constexpr Cursor kCursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0};

// Down a tree of four: the left one of a pair gets the right one's value, the right one the sum of both;
// before it, the root is set to 0.
run::Run downSweep() {
    using trace::AccessKind, trace::Space;
    RunBuilder b("blelloch.cu",
                 "__global__ void kernel() {\n  __shared__ float tree[4];\n  tree[t] = t + 1;\n  tree[3] = "
                 "0;\n  int left = tree[l];\n  tree[l] = tree[r];\n  tree[r] += left;\n}\n");
    b.shared("tree", 4 * 4);
    const Pc keep = b.instruction("st.shared.f32 [%r1], %f1", 3), bar = b.instruction("bar.sync 0", 3),
             up = b.instruction("ld.shared.f32 %f2, [%r2]", 4),
             upOwn = b.instruction("ld.shared.f32 %f3, [%r3]", 4),
             sum = b.instruction("add.f32 %f4, %f3, %f2", 4),
             upSum = b.instruction("st.shared.f32 [%r3], %f4", 4),
             zero = b.instruction("st.shared.f32 [%r4], %f5", 4),
             left = b.instruction("ld.shared.f32 %f2, [%r2]", 5),
             right = b.instruction("ld.shared.f32 %f3, [%r3]", 6),
             swap = b.instruction("st.shared.f32 [%r2], %f3", 6),
             add = b.instruction("st.shared.f32 [%r3], %f4", 7);
    b.launch({1, 1, 1}, {4, 1, 1});
    b.block({0, 0, 0});
    std::vector<f32> tree{1, 2, 3, 4};
    const LaneMask all = LaneMask::firstLanes(4);
    const auto access = [&](Pc pc, LaneMask on, AccessKind kind, auto&& place) {
        b.access(
            0, pc, on, Space::Shared, kind, [&](u32 l) { return u64{place(l)} * 4; },
            [&](u32 l) { return tree[place(l)]; });
    };
    access(keep, all, AccessKind::Store, [](u32 l) { return l; });
    b.barrier(0, bar, all);
    for (u32 stride = 1; stride < 4; stride *= 2) {
        const LaneMask on = LaneMask::firstLanes(2 / stride);
        const auto r = [&](u32 l) { return stride * (2 * l + 2) - 1; };
        const auto l = [&](u32 lane) { return r(lane) - stride; };
        access(up, on, AccessKind::Load, l);
        access(upOwn, on, AccessKind::Load, r);
        for (const Lane lane : on)
            tree[r(lane.value)] += tree[l(lane.value)];
        b.step(0, sum, on);
        access(upSum, on, AccessKind::Store, r);
        if (stride == 1) b.barrier(0, bar, all);
    }
    tree[3] = 0;
    access(zero, LaneMask::firstLanes(1), AccessKind::Store, [](u32) { return 3u; });
    for (u32 stride = 2; stride > 0; stride /= 2) {
        b.barrier(0, bar, all);
        const LaneMask on = LaneMask::firstLanes(2 / stride);
        const auto r = [&](u32 l) { return stride * (2 * l + 2) - 1; };
        const auto l = [&](u32 lane) { return r(lane) - stride; };
        access(left, on, AccessKind::Load, l);
        access(right, on, AccessKind::Load, r);
        const std::vector<f32> before = tree;
        for (const Lane lane : on)
            tree[l(lane.value)] = before[r(lane.value)],
            tree[r(lane.value)] = before[l(lane.value)] + before[r(lane.value)];
        access(swap, on, AccessKind::Store, l);
        b.step(0, sum, on);
        access(add, on, AccessKind::Store, r);
    }
    b.catalog(staged("scan"));
    return b.finish();
}

TEST(ScanFactsTest, RowsThatTakeTurnsAreOneAboveTheOther) {
    const auto facts = scanFacts(scan(), kCursor);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->places, 16u);
    EXPECT_EQ(facts->start.size(), 16u);
    ASSERT_EQ(facts->rounds.size(), 4u);
    EXPECT_EQ(facts->turns, (std::vector<u64>{0, 16, 0, 16, 0}));
    // Values are i mod 5: 0 1 2 3 4 0 1 ...; after round 1, place 3 holds 2 + 3 and place 1 holds 0 + 1.
    const Addition& a = facts->rounds[1][1];  // the second lane that adds at a distance of 2
    EXPECT_EQ(a.lane.value, 3u);
    EXPECT_EQ(a.to, 3u);
    EXPECT_EQ(formulaOf(*facts, 1, a), "rows[3] = rows[19] + rows[17]: 6.0 = 5.0 + 1.0");
    for (u32 round = 0; round < 4; ++round) {
        EXPECT_EQ(facts->rounds[round].size(), 16u - (1u << round));
        EXPECT_EQ(facts->kept[round].size(), 1u << round);
    }
}

TEST(ScanFactsTest, DownTheTreeALeftOneIsReplacedAndTheRightOneAdded) {
    const auto facts = scanFacts(downSweep(), kCursor);
    ASSERT_TRUE(facts);
    EXPECT_TRUE(facts->turns.empty());
    std::vector<std::string> formulas;
    for (u32 round = 0; round < facts->rounds.size(); ++round)
        for (const Addition& a : facts->rounds[round])
            formulas.push_back(std::to_string(round) + " " + formulaOf(*facts, round, a));
    EXPECT_EQ(formulas, (std::vector<std::string>{"0 tree[1] = tree[1] + tree[0]: 3.0 = 2.0 + 1.0",
                                                  "0 tree[3] = tree[3] + tree[2]: 7.0 = 4.0 + 3.0",
                                                  "1 tree[3] = tree[3] + tree[1]: 10.0 = 7.0 + 3.0",
                                                  "2 tree[3] = 0.0", "3 tree[1] = tree[3]: 0.0",
                                                  "3 tree[3] = tree[3] + tree[1]: 3.0 = 0.0 + 3.0",
                                                  "4 tree[0] = tree[1]: 0.0", "4 tree[2] = tree[3]: 3.0",
                                                  "4 tree[1] = tree[1] + tree[0]: 1.0 = 0.0 + 1.0",
                                                  "4 tree[3] = tree[3] + tree[2]: 6.0 = 3.0 + 3.0"}));
}

TEST(ScanFactsTest, SettingAPlaceIsNoRound) {
    const auto facts = scanFacts(downSweep(), kCursor);
    ASSERT_TRUE(facts);
    EXPECT_FALSE(facts->adds(2)) << "tree[3] = 0";
    EXPECT_EQ(facts->numberOf(1), 2u);
    EXPECT_EQ(facts->numberOf(3), 3u);
    EXPECT_EQ(facts->count(), 4u);
    EXPECT_FALSE(facts->isPadded);
}

TEST(ScanFactsTest, AKernelThatAddsNothingInSharedMemoryHasNoFacts) {
    EXPECT_FALSE(scanFacts(stridedCopy(2), kCursor));
}

}  // namespace
}  // namespace lockstep::explain
