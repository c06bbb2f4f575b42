#include "viz/finding_groups.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

using enum trace::FindingKind;

trace::Finding finding(trace::FindingKind kind, u32 pc, u32 thread, std::optional<u32> otherPc = {}) {
    trace::Finding made;
    made.kind = kind;
    made.who = {.pc = Pc{pc}, .thread = {thread, 0, 0}};
    if (otherPc) made.other = trace::Culprit{.pc = Pc{*otherPc}, .thread = {thread + 1, 0, 0}};
    return made;
}

TEST(FindingGroupsTest, PutTheSameMistakeOfManyThreadsTogether) {
    const std::vector<trace::Finding> findings{finding(WarpSynchronous, 7, 0, 9), finding(Race, 7, 0, 9), finding(WarpSynchronous, 7, 1, 9),
                                               finding(Race, 7, 1, 9),            finding(Race, 8, 1, 9), finding(Truncated, kNoPc.value, 0),
                                               finding(OutOfBounds, 3, 5)};
    const std::vector<FindingGroup> groups = groupFindings(findings);
    ASSERT_EQ(groups.size(), 5u);
    EXPECT_EQ(groups[0].first().kind, Race) << "faults come before remarks";
    EXPECT_EQ(groups[0].findings.size(), 2u);
    EXPECT_EQ(groups[0].findings[1], &findings[3]);
    EXPECT_EQ(groups[1].first().who.pc, Pc{8}) << "another line is another mistake";
    EXPECT_EQ(groups[2].first().kind, OutOfBounds);
    EXPECT_EQ(groups[3].first().kind, WarpSynchronous);
    EXPECT_EQ(groups[3].findings.size(), 2u);
    EXPECT_EQ(groups[4].first().kind, Truncated) << "that the list was cut off stands at its end";
}

TEST(FindingGroupsTest, AreNoneWithoutFindings) { EXPECT_TRUE(groupFindings({}).empty()); }

}  // namespace
}  // namespace lockstep::viz
