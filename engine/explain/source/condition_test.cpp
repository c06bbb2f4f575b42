#include "explain/source/condition.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

constexpr const char* kSource = R"(__global__ void k(int* a, int n) {
    int i = threadIdx.x;  // if (not) this
    if (i < n && a[i] > 0) {
        a[i] = 1;
    } else if (i == 3)
        a[i] = 2;
#pragma unroll 1
    for (int j = 0; j < n; ++j) {
        if (a[j] == 7) break;
        while (a[j] < i)
            a[j] += 2;
    }
    do {
        if (a[0]) { continue; }
        --a[i];
    } while (--n > 0);
    for (;;)
        if (a[i]++ > 9)
            return;
}
)";

TEST(Condition, IsFoundByItsHeadWithWhatItDecidesOn) {
    struct Case {
        u32 line, column, first, last;
        Condition::Leaves leaves;
    };
    using Leaves = Condition::Leaves;
    constexpr Case kCases[]{{3, 5, 3, 5, Leaves::Nothing},    {3, 20, 3, 5, Leaves::Nothing},
                            {5, 12, 6, 6, Leaves::Nothing},   {9, 9, 9, 9, Leaves::Loop},
                            {10, 9, 11, 11, Leaves::Nothing}, {14, 9, 14, 14, Leaves::Turn},
                            {16, 7, 13, 16, Leaves::Nothing}, {18, 9, 19, 19, Leaves::Function}};
    for (const Case& c : kCases) {
        const std::optional<Condition> found = conditionAt(kSource, c.line, c.column);
        ASSERT_TRUE(found) << c.line;
        EXPECT_EQ(found->body.firstLine, c.first) << c.line;
        EXPECT_EQ(found->body.lastLine, c.last) << c.line;
        EXPECT_EQ(found->leaves, c.leaves) << c.line;
    }
    EXPECT_FALSE(conditionAt(kSource, 2, 30)) << "a comment";
    EXPECT_FALSE(conditionAt(kSource, 4, 9)) << "no condition";
}

TEST(Condition, KnowsTheLoopThatItStandsIn) {
    const auto found = conditionAt(kSource, 9, 9);
    ASSERT_TRUE(found && found->loop && found->loopHead);
    EXPECT_EQ(found->loop->firstLine, 8u);
    EXPECT_EQ(found->loop->lastLine, 12u);
    EXPECT_EQ(found->loopHead->lastLine, 8u);
    EXPECT_EQ(conditionAt(kSource, 14, 9)->loopHead->firstLine, 16u);
    EXPECT_TRUE(conditionAt(kSource, 18, 9)->loop);
    EXPECT_FALSE(conditionAt(kSource, 18, 9)->loopHead) << "for (;;)";
    EXPECT_FALSE(conditionAt(kSource, 3, 5)->loop);
    EXPECT_EQ(conditionsAround(kSource, 11).size(), 2u) << "for and while";
}

TEST(Condition, DamagedTextEndsTheSearch) {
    for (const char* text : {"if (", "if (a", "for (;", "do {", "if (a) {", "while", "if if if if ("})
        (void)conditionsAround(text, 1);
    SUCCEED();
}

}  // namespace
}  // namespace lockstep::explain
