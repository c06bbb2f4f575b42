#include "trace/shadow/finding_collector.h"

#include <gtest/gtest.h>

#include <random>
#include <span>

namespace lockstep::trace {
namespace {

Finding finding(u32 block, u32 thread, u32 pc, FindingKind kind = FindingKind::Race, u32 launch = 0) {
    Finding f;
    f.kind = kind;
    f.launch = LaunchId{launch};
    f.who = {Pc{pc}, {block, 0, 0}, {thread, 0, 0}, AccessKind::Load};
    return f;
}

std::vector<FindingCollector> collectorsOf(u32 threads, u32 most) {
    std::vector<FindingCollector> collectors;
    for (u32 i = 0; i < threads; ++i)
        collectors.emplace_back(most);
    return collectors;
}

std::string list(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& f : findings) {
        if (f.kind == FindingKind::Truncated)
            text += "truncated";
        else
            text += std::to_string(f.who.block.x) + "." + std::to_string(f.who.thread.x) + "@" +
                    std::to_string(f.who.pc.value);
        if (f.count != 1) text += "x" + std::to_string(f.count);
        text += " ";
    }
    return text;
}

TEST(FindingCollector, CountsWhatItKnowsAndSortsTheRest) {
    FindingCollector collector;
    for (const Finding& f :
         {finding(1, 5, 9), finding(0, 7, 3), finding(0, 7, 2), finding(1, 5, 9), finding(0, 2, 8)})
        collector.add(f);
    const FindingCollector* all[] = {&collector};
    EXPECT_EQ(list(FindingCollector::merge(all, 1000)), "0.2@8 0.7@2 0.7@3 1.5@9x2 ");
}

TEST(FindingCollector, KeepsTheSameOnesForEveryNumberOfThreads) {
    std::vector<std::string> lists;
    for (u32 threads : {1u, 2u, 5u}) {
        std::vector<FindingCollector> collectors = collectorsOf(threads, 10);
        for (u32 block = 0; block < 20; ++block)
            for (u32 thread : {9, 3, 6, 3})
                collectors[block * 7 % threads].add(finding(block, thread, 1));
        std::vector<const FindingCollector*> all;
        for (const FindingCollector& c : collectors)
            all.push_back(&c);
        lists.push_back(list(FindingCollector::merge(all, 10)));
    }
    EXPECT_EQ(lists[0], "0.3@1x2 0.6@1 0.9@1 1.3@1x2 1.6@1 1.9@1 2.3@1x2 2.6@1 2.9@1 3.9@1 truncatedx50 ");
    EXPECT_EQ(lists[1], lists[0]);
    EXPECT_EQ(lists[2], lists[0]);
}

TEST(FindingCollector, LetsNoSiteHideAnother) {
    struct Case {
        const char* what;
        u32 most;
        std::vector<Finding> findings;
        const char* expected;
    };
    const FindingKind remark = FindingKind::WarpSynchronous, fault = FindingKind::OutOfBounds;
    std::vector<Finding> noisy, manySites;
    for (u32 block = 0; block < 50; ++block) {
        for (u32 thread = 0; thread < 4; ++thread)
            noisy.push_back(finding(block, thread, 1));
        manySites.push_back(finding(block, 0, block, remark));
    }
    noisy.push_back(finding(7, 0, 2));
    noisy.push_back(finding(9, 0, 3, fault));
    noisy.push_back(finding(9, 1, 3, fault));
    manySites.push_back(finding(60, 0, 90, fault));
    const Case cases[] = {
        {"one loud site, two quiet ones", 6, noisy, "0.0@1 0.1@1 0.2@1 7.0@2 9.0@3 9.1@3 truncatedx197 "},
        {"a fault before remarks", 2, manySites, "0.0@0 60.0@90 truncatedx49 "},
        {"one only", 1, manySites, "60.0@90 truncatedx50 "},
    };
    for (const Case& c : cases)
        for (u32 threads : {1u, 3u}) {
            std::vector<FindingCollector> collectors = collectorsOf(threads, c.most);
            for (const Finding& f : c.findings)
                collectors[f.who.block.x * 7 % threads].add(f);
            std::vector<const FindingCollector*> all;
            for (const FindingCollector& collector : collectors)
                all.push_back(&collector);
            EXPECT_EQ(list(FindingCollector::merge(all, c.most)), c.expected) << c.what << ", " << threads;
        }
}

// Compared with a collector that never dropped a finding, for any number of threads.
TEST(FindingCollector, DropsNothingThatBelongsIntoTheList) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        const u32 most = 1 + u32(random() % 40), sites = 1 + u32(random() % 12), blocks = 200;
        std::vector<Finding> findings;
        for (u32 block = 0; block < blocks; ++block)
            for (u32 i = random() % 8; i > 0; --i)
                findings.push_back(
                    finding(block, u32(random() % 4), u32(random() % (1 + random() % sites)),
                            random() % 3 ? FindingKind::Race : FindingKind::UninitializedRead));
        const auto kept = [&](u32 threads, u32 roomFor) {
            std::vector<FindingCollector> collectors = collectorsOf(threads, roomFor);
            for (const Finding& f : findings)
                collectors[f.who.block.x * 13 % threads].add(f);
            std::vector<const FindingCollector*> all;
            for (const FindingCollector& collector : collectors)
                all.push_back(&collector);
            return list(FindingCollector::merge(all, most));
        };
        const std::string expected = kept(1, 100'000);
        for (u32 threads : {1u, 2u, 7u})
            ASSERT_EQ(kept(threads, most), expected) << round << ", " << threads;
    }
}

// Blocks that take turns, more of them than a collector has in hand at once: an entry stays one, and counts
// on.
TEST(FindingCollector, CountsOnWhenABlockComesBack) {
    FindingCollector collector(20, {4, 2, 1});
    constexpr u32 kBlocks = 3000;
    for (u32 turn = 0; turn < 3; ++turn)
        for (u32 block = 0; block < kBlocks; ++block)
            for (const u32 pc : {1, 2}) {
                Finding both = finding(block, 3, pc);
                both.who.thread.y = 1;
                collector.add(both);
                collector.add({FindingKind::Race, LaunchId{0}, Pc{pc}, {block, 0, 0}, 0}, LaneMask{1u << 7},
                              [&](u32) { return both; });
            }
    const FindingCollector* all[] = {&collector};
    const std::vector<Finding> found = FindingCollector::merge(all, 20);
    ASSERT_EQ(found.size(), 21u);
    for (const Finding& f : std::span(found).first(20)) {
        EXPECT_EQ(f.count, 6u) << f.who.block.x;
        EXPECT_LT(f.who.block.x, 10u);
    }
    EXPECT_EQ(found.back().kind, FindingKind::Truncated);
    EXPECT_GE(found.back().count, 2 * kBlocks - 20);
}

TEST(FindingCollector, KnowsWhichBlocksReadPoison) {
    FindingCollector collector;
    collector.add(finding(3, 0, 1, FindingKind::OutOfBounds));
    collector.add(finding(4, 0, 1, FindingKind::Race));
    Finding store = finding(5, 0, 1, FindingKind::OutOfBounds);
    store.who.kind = AccessKind::Store;
    collector.add(store);
    collector.add(finding(6, 0, 1, FindingKind::UninitializedRead));
    for (u32 block : {3, 4, 5, 6})
        EXPECT_EQ(collector.hasReadPoison({block, 0, 0}), block == 3 || block == 6) << block;
}

TEST(FindingCollector, TellsKindsAndLaunchesApart) {
    FindingCollector collector;
    collector.add(finding(0, 0, 1, FindingKind::Race));
    collector.add(finding(0, 0, 1, FindingKind::OutOfBounds));
    collector.add(finding(0, 0, 1, FindingKind::Race, 1));
    EXPECT_EQ(collector.distinct(), 3u);
    collector.clear();
    EXPECT_TRUE(collector.empty());
}

TEST(Names, AreThoseOfTheJson) {
    EXPECT_EQ(nameOf(FindingKind::OutOfBounds), "out_of_bounds");
    EXPECT_EQ(nameOf(FindingKind::Truncated), "truncated");
    EXPECT_EQ(nameOf(Space::Param), "param");
    EXPECT_EQ(nameOf(AccessKind::AsyncCopy), "async_copy");
}

}  // namespace
}  // namespace lockstep::trace
