#include "explain/sentences/finding_groups.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using enum trace::FindingKind;

trace::Finding finding(trace::FindingKind kind, u32 pc, u32 thread, std::optional<u32> other = {}) {
    trace::Finding made;
    made.kind = kind;
    made.who = {.pc = Pc(pc), .block = {0, 0, 0}, .thread = {thread, 0, 0}, .kind = trace::AccessKind::Load};
    if (other)
        made.other = trace::Culprit{.pc = Pc(*other),
                                    .block = {0, 0, 0},
                                    .thread = {thread + 1, 0, 0},
                                    .kind = trace::AccessKind::Store};
    return made;
}

// Instructions 0 and 1 are of line 4, 2 of line 6, 3 of line 8.
ptx::Module module() {
    Expected<ptx::Module> parsed = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n.visible .entry k() { .reg .b32 "
        "%r<4>;\n.loc 1 4 1\nmov.u32 %r1, 1; mov.u32 %r2, 2;\n.loc 1 6 1\nmov.u32 %r3, 3;\n.loc 1 8 1\nret; "
        "}",
        "k.ptx");
    EXPECT_TRUE(parsed);
    return std::move(*parsed);
}

std::vector<std::vector<std::size_t>> grouped(const std::vector<trace::Finding>& findings) {
    const ptx::Module of = module();
    std::vector<std::vector<std::size_t>> numbers;
    for (const FindingGroup& group : groupFindings(findings, of)) {
        numbers.emplace_back();
        for (const trace::Finding* one : group.findings)
            numbers.back().push_back(std::size_t(one - findings.data()));
    }
    return numbers;
}

using Numbers = std::vector<std::vector<std::size_t>>;

TEST(FindingGroups, PutTheSameMistakeOfManyThreadsTogether) {
    EXPECT_EQ(grouped({}), Numbers{});
    EXPECT_EQ(grouped({finding(Race, 0, 0, 2), finding(Race, 1, 1, 2), finding(Race, 2, 1, 2)}),
              (Numbers{{0, 1}, {2}}))
        << "an unrolled loop has a line at many instructions; another line is another mistake";
    EXPECT_EQ(grouped({finding(Race, 0, 0, 2), finding(Race, 2, 1, 0)}), (Numbers{{0, 1}}))
        << "whichever of the two came second";
    EXPECT_EQ(grouped({finding(OutOfBounds, 0, 0), finding(Misaligned, 0, 0)}), (Numbers{{0}, {1}}));
    trace::Finding again = finding(Race, 0, 0, 2);
    again.launch = LaunchId{1};
    EXPECT_EQ(grouped({finding(Race, 0, 0, 2), again}), (Numbers{{0, 1}}))
        << "a kernel that is launched twice has the mistake once";
    trace::Finding strayed = finding(OutOfBounds, 0, 0);
    strayed.space = trace::Space::Shared;
    strayed.detail = "Mds";
    trace::Finding another = strayed;
    another.detail = "Nds";
    EXPECT_EQ(grouped({strayed, another, strayed}), (Numbers{{0, 2}, {1}})) << "one array or another";
    EXPECT_EQ(grouped({finding(Limit, kNoPc.value, 0), finding(Limit, kNoPc.value, 1)}), (Numbers{{0, 1}}))
        << "no instruction is known";
}

TEST(FindingGroups, AreCountedBeyondTheEndOfTheList) {
    EXPECT_EQ(countOf({}).all(), 0u);
    std::vector<trace::Finding> findings{finding(Race, 0, 0, 2), finding(Race, 0, 1, 2)};
    EXPECT_EQ(countOf(findings).all(), 2u);
    findings.push_back(finding(Truncated, kNoPc.value, 0));
    findings.back().count = 40;
    EXPECT_EQ(countOf(findings).listed, 2u);
    EXPECT_EQ(countOf(findings).all(), 42u);
    trace::Finding stop = finding(Limit, 0, 0), trap = stop;
    trap.detail = "trap";
    EXPECT_EQ(countOf(std::vector{stop, trap}).all(), 1u)
        << "that the time was over is nobody's mistake, that the kernel stopped itself is";
    EXPECT_TRUE(isStop(stop));
    EXPECT_FALSE(isStop(trap));
}

// Wherever findings are counted the same is said: how many problems, how often each was found.
TEST(FindingGroups, AreCountedAsProblemsAndHowOftenTheyWereFound) {
    const ptx::Module of = module();
    const auto told = [&](const std::vector<trace::Finding>& findings) {
        return describe(tallyOf(findings, of));
    };
    EXPECT_EQ(told({finding(Race, 0, 0, 2)}).english(), "1 problem");
    EXPECT_EQ(told({finding(Race, 0, 0, 2), finding(Race, 1, 1, 2), finding(Race, 2, 1, 2)}).english(),
              "2 problems: 3 cases");
    EXPECT_EQ(
        told({finding(Race, 0, 0, 2), finding(Race, 1, 1, 2), finding(Race, 2, 1, 2)}).in(Language::Chinese),
        "2 处问题：共 3 例");
    EXPECT_EQ(told({finding(WarpSynchronous, 0, 0, 2)}).english(), "1 warning");
    trace::Finding cut = finding(Truncated, 0, 0);
    cut.count = 1534;
    EXPECT_EQ(told({finding(Race, 0, 0, 2), finding(OutOfBounds, 2, 1), finding(WarpSynchronous, 3, 1), cut})
                  .english(),
              "2 problems and 1 warning: 1,537 cases, 3 of them listed");
}

TEST(FindingGroups, AreCountedByKindWhereAllOfThemAreListed) {
    std::vector<trace::Finding> findings{finding(Race, 0, 0, 2), finding(Race, 1, 1, 2),
                                         finding(WarpSynchronous, 3, 1)};
    EXPECT_EQ(casesByKind(findings).english(), "Data race: 2 and Assumes warp-synchronous execution: 1");
    findings.push_back(finding(Truncated, 0, 0));
    EXPECT_TRUE(casesByKind(findings).empty());
    EXPECT_TRUE(casesByKind(std::vector{finding(Race, 0, 0, 2)}).empty());
}

TEST(FindingGroups, FaultsComeBeforeRemarks) {
    EXPECT_EQ(grouped({finding(WarpSynchronous, 0, 0, 3), finding(OutOfBounds, 0, 5),
                       finding(Truncated, kNoPc.value, 0)}),
              (Numbers{{1}, {0}, {2}}));
    EXPECT_EQ(grouped({finding(WarpSynchronous, 0, 0, 2), finding(Race, 2, 1, 1),
                       finding(WarpSynchronous, 0, 0, 3)}),
              (Numbers{{1, 0}, {2}}))
        << "the barrier that a race needs mends the warp's own too";
}

}  // namespace
}  // namespace lockstep::explain
