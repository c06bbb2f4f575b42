#include "explain/sums/reduction_facts.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <bit>

namespace lockstep::explain {
namespace {

using viz::RunBuilder, viz::stridedCopy, viz::transpose, viz::treeSum;

constexpr Cursor kCursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0};

TEST(ReductionFactsTest, ATreeOf64HasSixRounds) {
    const run::Run run = treeSum(64);
    const auto facts = reductionFacts(run, kCursor);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->array.name, "partial");
    EXPECT_EQ(facts->places, 64u);
    EXPECT_TRUE(facts->isFloat);
    ASSERT_EQ(facts->start.size(), 64u);
    EXPECT_EQ(facts->start[40].value, 41);
    ASSERT_EQ(facts->rounds.size(), 6u);
    u64 expected = 32;
    for (const std::vector<Addition>& round : facts->rounds) {
        EXPECT_EQ(round.size(), expected);
        expected /= 2;
    }
    const Addition& first = facts->rounds[0][0];
    EXPECT_EQ(first.from, (std::vector<Addend>{{32, 33}}));
    EXPECT_EQ(first.own, (Addend{0, 1}));
    EXPECT_EQ(formulaOf(*facts, 0, first), "partial[0] = partial[0] + partial[32]: 34.0 = 1.0 + 33.0");
    EXPECT_EQ(first.to, 0u);
    EXPECT_EQ(first.sum, 1 + 33);
    EXPECT_EQ(facts->rounds[5][0].from.at(0).place, 1u);
    EXPECT_EQ(facts->rounds[5][0].sum, 64 * 65 / 2);
}

// PTX loads an int as u32; its declaration knows better.
TEST(ReductionFactsTest, ASumOfNegativeIntsIsNegative) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("negative.cu", "__shared__ int partial[4];\n");
    b.shared("partial", 4 * 4);
    b.buffer("total", {1}, {0});
    const Pc other = b.instruction("ld.shared.u32 %r2, [%r4]", 1),
             load = b.instruction("ld.shared.u32 %r1, [%r3]", 1),
             add = b.instruction("add.s32 %r1, %r1, %r2", 1),
             store = b.instruction("st.shared.u32 [%r3], %r1", 1);
    b.launch({1, 1, 1}, {2, 1, 1});
    b.block({0, 0, 0});
    const LaneMask two = LaneMask::firstLanes(2);
    b.access(
        0, other, two, Space::Shared, AccessKind::Load, [](u32 l) { return u64{l + 2} * 4; },
        [](u32) { return std::bit_cast<f32>(-7); });
    b.access(
        0, load, two, Space::Shared, AccessKind::Load, [](u32 l) { return u64{l} * 4; },
        [](u32) { return std::bit_cast<f32>(3); });
    b.step(0, add, two);
    b.access(
        0, store, two, Space::Shared, AccessKind::Store, [](u32 l) { return u64{l} * 4; },
        [](u32) { return std::bit_cast<f32>(-4); });
    const run::Run run = b.finish();
    const auto facts = reductionFacts(run, kCursor);
    ASSERT_TRUE(facts);
    ASSERT_EQ(facts->rounds.size(), 1u);
    EXPECT_EQ(facts->rounds[0][0].sum, -4);
    EXPECT_EQ(facts->rounds[0][0].from.at(0).value, -7);
}

// Four lanes of a last warp all add in both rounds, as without a test for how many still have to.
TEST(ReductionFactsTest, WhatTheUpperLanesOfALastWarpAddIsNotUsed) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("last_warp.cu", "\n");
    b.shared("partial", 8 * 4);
    b.buffer("total", {1}, {0});
    const Pc other = b.instruction("ld.volatile.shared.f32 %f2, [%r1]", 1),
             load = b.instruction("ld.volatile.shared.f32 %f1, [%r1]", 1),
             add = b.instruction("add.f32 %f1, %f1, %f2", 1),
             store = b.instruction("st.volatile.shared.f32 [%r1], %f1", 1),
             result = b.instruction("st.global.f32 [%rd1], %f1", 1);
    b.launch({1, 1, 1}, {4, 1, 1});
    b.block({0, 0, 0});
    const LaneMask four = LaneMask::firstLanes(4), one = LaneMask::firstLanes(1);
    const auto value = [](u32) { return 1.0f; };
    for (const u32 stride : {2u, 1u}) {
        b.access(
            0, other, four, Space::Shared, AccessKind::Load, [&](u32 l) { return u64{l + stride} * 4; },
            value);
        b.access(
            0, load, four, Space::Shared, AccessKind::Load, [&](u32 l) { return u64{l} * 4; }, value);
        b.step(0, add, four);
        b.access(
            0, store, four, Space::Shared, AccessKind::Store, [&](u32 l) { return u64{l} * 4; }, value);
    }
    b.access(
        0, load, one, Space::Shared, AccessKind::Load, [](u32) { return u64{0}; }, value);
    b.access(
        0, result, one, Space::Global, AccessKind::Store, [](u32) { return deviceAddressOf(0); }, value);
    const run::Run run = b.finish();
    const auto facts = reductionFacts(run, kCursor);
    ASSERT_TRUE(facts);
    ASSERT_EQ(facts->rounds.size(), 2u);
    for (const Addition& a : facts->rounds[0])
        EXPECT_EQ(a.isUsed, a.lane.value < 2) << "lane " << a.lane.value;
    for (const Addition& a : facts->rounds[1])
        EXPECT_EQ(a.isUsed, a.lane.value < 1) << "lane " << a.lane.value;
}

// Sums that threads keep in a register: they read another's place, add it and store; places 33 words apart,
// as with padding.
TEST(ReductionFactsTest, RoundsWhoseSumsAreInRegistersAreCounted) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("registers.cu", "\n");
    b.shared("partial", 4 * 33 * 4);
    const Pc load = b.instruction("ld.shared.f32 %f1, [%r1]", 1),
             other = b.instruction("ld.shared.f32 %f2, [%r1]", 1),
             add = b.instruction("add.f32 %f1, %f1, %f2", 1),
             store = b.instruction("st.shared.f32 [%r1], %f1", 1),
             shuffle = b.instruction("shfl.sync.down.b32 %r1, %r2, 1, 31, -1", 1);
    b.launch({1, 1, 1}, {4, 1, 1});
    b.block({0, 0, 0});
    const LaneMask four = LaneMask::firstLanes(4);
    const auto one = [](u32) { return 1.0f; };
    const auto place = [](u32 l) { return u64{l} * 33 * 4; };
    b.access(0, store, four, Space::Shared, AccessKind::Store, place, one);
    for (u32 round = 0; round < 3; ++round) {
        if (round == 0)
            b.access(0, load, LaneMask::firstLanes(2), Space::Shared, AccessKind::Load, place,
                     one);  // then the sum stays in a register
        b.access(
            0, other, LaneMask::firstLanes(2), Space::Shared, AccessKind::Load,
            [&](u32 l) { return place(l + 2 - std::min(round, 1u)); }, one);
        b.step(0, add, LaneMask::firstLanes(2));
        b.access(0, store, LaneMask::firstLanes(2), Space::Shared, AccessKind::Store, place, one);
    }
    b.step(0, shuffle, four);
    const run::Run run = b.finish();
    const auto facts = reductionFacts(run, kCursor);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->rounds.size(), 1u);
    EXPECT_EQ(facts->roundsInRegisters, 2u);
    EXPECT_EQ(facts->shuffles, 1u);
    EXPECT_TRUE(facts->isPadded);
    EXPECT_FALSE(reductionFacts(treeSum(64), kCursor)->isPadded);
    EXPECT_EQ(reductionFacts(treeSum(64), kCursor)->roundsInRegisters, 0u);
}

TEST(ReductionFactsTest, AKernelThatAddsNothingInSharedMemoryHasNoFacts) {
    EXPECT_FALSE(reductionFacts(stridedCopy(2), kCursor));
    EXPECT_FALSE(
        reductionFacts(transpose(16, 8, 9),
                       {.launch = {}, .block = {0, 1, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 0}));
}

}  // namespace
}  // namespace lockstep::explain
