#include "viz/finding_groups.h"

#include <gtest/gtest.h>

#include "viz/lookup.h"
#include "viz/test_run.h"

namespace lockstep::viz {
namespace {

using enum trace::FindingKind;

trace::Finding finding(trace::FindingKind kind, Pc pc, u32 thread, std::optional<Pc> other = {}) {
    trace::Finding made;
    made.kind = kind;
    made.who = {.pc = pc, .block = {0, 0, 0}, .thread = {thread, 0, 0}, .kind = trace::AccessKind::Load};
    if (other) made.other = trace::Culprit{.pc = *other, .block = {0, 0, 0}, .thread = {thread + 1, 0, 0}, .kind = trace::AccessKind::Store};
    return made;
}

TEST(FindingGroupsTest, PutTheSameMistakeOfManyThreadsTogether) {
    const run::Run run = tiledMatmul(3, 2, true);
    const ptx::Module& module = *run.module;
    // Two instructions of one line, and one of another.
    Pc first, sameLine;
    std::optional<Pc> another;
    for (u32 pc = 1; pc < module.instructions.size(); ++pc)
        for (u32 before = 0; before < pc; ++before)
            if (lineOf(module, Pc{pc}) == lineOf(module, Pc{before})) first = Pc{before}, sameLine = Pc{pc};
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (lineOf(module, Pc{pc}) != lineOf(module, first)) another = Pc{pc};
    ASSERT_NE(first, sameLine) << "the kernel has a line of two instructions";
    ASSERT_NE(lineOf(module, first).line, 0u);
    ASSERT_TRUE(another);

    const std::vector<trace::Finding> findings{finding(WarpSynchronous, first, 0, *another), finding(Race, first, 0, *another),     finding(WarpSynchronous, first, 1, *another),
                                               finding(Race, sameLine, 1, *another),        finding(Race, *another, 1, *another), finding(Truncated, kNoPc, 0),
                                               finding(OutOfBounds, first, 5)};
    const std::vector<FindingGroup> groups = groupFindings(findings, module);
    ASSERT_EQ(groups.size(), 5u);
    EXPECT_EQ(groups[0].first().kind, Race) << "faults come before remarks";
    ASSERT_EQ(groups[0].findings.size(), 2u) << "an unrolled loop has a line at many instructions";
    EXPECT_EQ(groups[0].findings[1], &findings[3]);
    EXPECT_EQ(groups[1].first().who.pc, *another) << "another line is another mistake";
    EXPECT_EQ(groups[2].first().kind, OutOfBounds);
    EXPECT_EQ(groups[3].first().kind, WarpSynchronous);
    EXPECT_EQ(groups[3].findings.size(), 2u);
    EXPECT_EQ(groups[4].first().kind, Truncated) << "that the list was cut off stands at its end";
    EXPECT_TRUE(groupFindings({}, module).empty());
}

}  // namespace
}  // namespace lockstep::viz
