#include "trace/pattern_counter.h"

#include "trace/block_recorder.h"
#include "trace/pattern_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <random>
#include <thread>

namespace lockstep::trace {
namespace {

WarpAccess affine(u32 pc, u32 mask, u64 base, s64 stride, Space space = Space::Global) {
    WarpAccess a{Pc{pc}, LaneMask{mask}, space, AccessKind::Load, 4, {}};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        a.addresses[lane] = a.active.has(Lane{lane}) ? base + u64(stride) * lane : 0xdeadbeef * lane;
    return a;
}

// A stand-in for a profile: the sectors as they are, and two other sums.
AccessCost cost(const WarpAccess& access) {
    std::vector<u64> sectors;
    for (Lane lane : access.active)
        sectors.push_back(access.addresses[lane.value] / 32);
    std::ranges::sort(sectors);
    const u64 distinct = u64(std::ranges::unique(sectors).begin() - sectors.begin());
    return {.requests = 1,
            .sectors = distinct,
            .wavefronts = distinct + access.widthBytes,
            .idealWavefronts = u64(access.active.count()),
            .loopLoads = access.widthBytes};
}

std::vector<SiteCounts> merge(const PatternTable& table, PatternCounter& counter) {
    PatternCounter* all[] = {&counter};
    return mergePatterns(table, all);
}

void expectEqual(const std::vector<SiteCounts>& a, const std::vector<SiteCounts>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].pc, b[i].pc);
        EXPECT_EQ(a[i].space, b[i].space);
        EXPECT_EQ(a[i].overflowExecutions, b[i].overflowExecutions);
        EXPECT_EQ(a[i].overflowActiveLanes, b[i].overflowActiveLanes);
        EXPECT_EQ(a[i].overflow, b[i].overflow);
        ASSERT_EQ(a[i].patterns.size(), b[i].patterns.size()) << i;
        for (std::size_t p = 0; p < a[i].patterns.size(); ++p) {
            EXPECT_EQ(a[i].patterns[p].active, b[i].patterns[p].active);
            EXPECT_EQ(a[i].patterns[p].baseMod256, b[i].patterns[p].baseMod256);
            EXPECT_EQ(a[i].patterns[p].deltaBytes, b[i].patterns[p].deltaBytes);
            EXPECT_EQ(a[i].patterns[p].times, b[i].patterns[p].times);
        }
    }
}

TEST(PatternCode, GivesBackWhatItWasGiven) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 10000; ++i) {
        WarpAccess a{Pc{0}, LaneMask{u32(random())}, Space::Global, AccessKind::Load, 4, {}};
        for (u64& address : a.addresses)
            address = random() >> (i % 64);
        const LaneShape shape = shapeFrom(a);
        std::string code = "before";
        encode(shape, code);
        EXPECT_EQ(decode(code.data() + 6), shape);
    }
    std::string code;
    encode(shapeFrom(affine(0, ~0u, 1 << 20, 4)), code);
    EXPECT_LT(code.size(), 40u);
}

TEST(PatternCounter, SeesPatternsFromTheLowestActiveLane) {
    PatternTable table(4, cost);
    PatternCounter counter(table);
    counter.beginBlock(Block{0});
    counter.count(affine(7, ~0u, 1024, 4));
    counter.count(affine(7, ~0u, 1024 + 256 * 5, 4));         // the same
    counter.count(affine(7, ~0u, 1024 + 128, 4));             // starts elsewhere
    counter.count(affine(7, 0xfff0, 1024 - 16, 4));           // lane 4 at 1024
    counter.count(affine(7, ~0u, 1 << 20, -(s64{1} << 33)));  // farther apart than 32 bits can say
    counter.count(affine(7, 0, 0, 0));
    counter.count(affine(3, ~0u, 0, 8, Space::Shared));
    counter.count(affine(3, ~0u, 0, 8, Space::Global));

    const std::vector<SiteCounts> sites = merge(table, counter);
    ASSERT_EQ(sites.size(), 3u);
    EXPECT_EQ(sites[0].pc, Pc{3});
    EXPECT_EQ(sites[0].space, Space::Global);
    EXPECT_EQ(sites[1].space, Space::Shared);
    const std::vector<Pattern>& p = sites[2].patterns;
    ASSERT_EQ(p.size(), 4u);
    EXPECT_EQ(p[0].times, 2u);
    EXPECT_EQ(p[0].deltaBytes[31], 124);
    EXPECT_EQ(p[1].baseMod256, 128);
    EXPECT_EQ(p[2].active, LaneMask{0xfff0});
    EXPECT_EQ(p[2].baseMod256, 0);
    EXPECT_EQ(p[2].deltaBytes[3], 0);
    EXPECT_EQ(p[2].deltaBytes[5], 4);
    EXPECT_EQ(p[3].deltaBytes[1], -(s64{1} << 33));
}

TEST(PatternCounter, CountsAccessesAndShapesAlike) {
    std::mt19937 random(2);
    PatternTable tables[] = {{4, cost}, {4, cost}};
    PatternCounter whole(tables[0]), shaped(tables[1]);
    for (int i = 0; i < 20000; ++i) {
        const u32 pc = random() % 3, mask = random() % 2 ? ~0u : u32(random() % 7);
        const u64 base = 4096 + 4 * (random() % 100);
        const s64 stride = s64(random() % 12) * 4 - 16;
        const WarpAccess a = affine(pc, mask, base, stride);
        for (PatternCounter* counter : {&whole, &shaped})
            counter->beginBlock(Block{u32(i / 100)});
        whole.count(a);
        if (mask) shaped.count(shaped.shapeOf(a), a.addresses[a.active.lowest().value]);
    }
    expectEqual(merge(tables[0], whole), merge(tables[1], shaped));
}

TEST(PatternCounter, KeepsSoManyShapesAndNoMore) {
    PatternTable table(1, cost);
    PatternCounter counter(table);
    std::mt19937 random(3);
    WarpAccess a = affine(0, ~0u, 0, 0);
    u32 kept = 0;
    for (int i = 0; i < 10000; ++i) {
        for (u64& address : a.addresses)
            address = 4 * (random() % 65536);
        if (PatternCounter::Shape* shape = counter.shapeOf(a)) {
            EXPECT_EQ(counter.shapeOf(a), shape);
            ++kept;
        }
    }
    EXPECT_EQ(kept, 4096u);
}

// The accesses of block b: the same on any thread.
std::vector<WarpAccess> accessesOf(u32 block, u32 variety) {
    std::mt19937 random(block);
    std::vector<WarpAccess> result;
    for (int i = 0; i < 60; ++i) {
        const u32 pc = random() % 4;
        WarpAccess a =
            affine(pc, random() % 3 ? ~0u : 1 + random() % 7, 4 * (random() % 16), 4 * (random() % 4));
        if (pc == 3) {
            a.active = LaneMask::all();
            std::mt19937 gather(random() % variety);
            for (u64& address : a.addresses)
                address = 4 * (gather() % 4096);
        }
        result.push_back(a);
    }
    return result;
}

TEST(PatternCounter, GivesTheSameForEveryNumberOfThreads) {
    constexpr u32 kBlocks = 300;
    // With many gathers, site 3 overflows: its memory is a quarter of 128 KiB.
    for (u32 variety : {5u, 100u, 1000000u}) {
        std::optional<std::vector<SiteCounts>> alone;
        for (u32 threads : {1u, 2u, 3u, 7u}) {
            PatternTable table(4, cost, 128 << 10);
            std::vector<PatternCounter> counters;
            for (u32 t = 0; t < threads; ++t)
                counters.emplace_back(table);
            std::atomic<u32> next{0};
            {
                std::vector<std::jthread> workers;
                for (PatternCounter& counter : counters)
                    workers.emplace_back([&] {
                        for (u32 block; (block = next.fetch_add(1)) < kBlocks;) {
                            counter.beginBlock(Block{block});
                            for (const WarpAccess& a : accessesOf(block, variety))
                                counter.count(a);
                        }
                    });
            }
            std::vector<PatternCounter*> all;
            for (PatternCounter& counter : counters)
                all.push_back(&counter);
            std::vector<SiteCounts> sites = mergePatterns(table, all);
            if (alone)
                expectEqual(sites, *alone);
            else
                alone = std::move(sites);
        }
        ASSERT_EQ(alone->size(), 4u);
        EXPECT_EQ(alone->back().patterns.empty(), variety > 100) << variety;
        EXPECT_EQ(alone->back().overflowExecutions > 0, variety > 100) << variety;
    }
}

TEST(PatternCounter, AgreesWithAMap) {
    struct Site {
        std::map<std::tuple<u32, u64, std::vector<u64>>, std::pair<u64, std::size_t>>
            times;  // and first occurrence
        AccessCost sum;
    };
    for (u32 variety : {50u, 1000000u}) {
        PatternTable table(4, cost, variety == 50 ? kPatternBudgetBytes : 128 << 10);
        PatternCounter counter(table);
        std::map<u32, Site> expected;
        for (u32 block = 0; block < 200; ++block) {
            counter.beginBlock(Block{block});
            for (const WarpAccess& a : accessesOf(block, variety)) {
                counter.count(a);
                const u64 origin = a.addresses[a.active.lowest().value];
                std::vector<u64> deltas(32);
                for (Lane lane : a.active)
                    deltas[lane.value] = a.addresses[lane.value] - origin;
                Site& site = expected[a.pc.value];
                auto& entry =
                    site.times.try_emplace({a.active.bits, origin % 256, deltas}, 0, site.times.size())
                        .first->second;
                ++entry.first;
                site.sum.add(cost(a), 1);
            }
        }
        for (const SiteCounts& site : merge(table, counter)) {
            const Site& reference = expected[site.pc.value];
            if (site.overflowExecutions) {
                EXPECT_EQ(site.overflow, reference.sum);
                EXPECT_TRUE(site.patterns.empty());
                continue;
            }
            ASSERT_EQ(site.patterns.size(), reference.times.size());
            for (std::size_t i = 0; i < site.patterns.size(); ++i) {
                const Pattern& p = site.patterns[i];
                std::vector<u64> deltas(p.deltaBytes.begin(), p.deltaBytes.end());
                const auto found = reference.times.find({p.active.bits, p.baseMod256, deltas});
                ASSERT_NE(found, reference.times.end());
                EXPECT_EQ(found->second, (std::pair{p.times, i}));
            }
        }
    }
}

}  // namespace
}  // namespace lockstep::trace
