#include "trace/finding_collector.h"

#include <gtest/gtest.h>

namespace lockstep::trace {
namespace {

Finding finding(u32 block, u32 thread, u32 pc, FindingKind kind = FindingKind::Race, u32 launch = 0) {
    Finding f;
    f.kind = kind;
    f.launch = LaunchId{launch};
    f.who = {Pc{pc}, {block, 0, 0}, {thread, 0, 0}, AccessKind::Load};
    return f;
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
        std::vector<FindingCollector> collectors(threads, FindingCollector{10});
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
