#include "ptx/analysis/post_dominators.h"
#include "ptx/parser/test_texts.h"

#include <gtest/gtest.h>

namespace lockstep::ptx {
namespace {

constexpr u32 kExit = BasicBlock::kExit;

// Where each block's paths reconverge, in block order.
std::vector<u32> meetings(const std::string& body) {
    const Module module = parsed(kernelOf(body));
    std::vector<u32> result;
    if (module.functions.empty()) return result;
    for (const BasicBlock& block : module.functions[0].blocks)
        result.push_back(block.immediatePostDominator);
    return result;
}

TEST(ControlFlow, MeetsWhereAllPathsLead) {
    struct Case {
        const char *what, *body;
        std::vector<u32> meetings;
    };
    const Case cases[] = {
        {"straight line", "mov.u32 %r1, 1; bar.sync 0; mov.u32 %r1, 2;", {kExit}},
        {"if", "@%p1 bra L; mov.u32 %r1, 1; L: mov.u32 %r1, 2;", {2, 2, kExit}},
        {"if and else",
         "@%p1 bra E; mov.u32 %r1, 1; bra J; E: mov.u32 %r1, 2; J: mov.u32 %r1, 3;",
         {3, 3, 3, kExit}},
        {"early return at the common exit", "@%p1 bra X; @%p2 bra X; mov.u32 %r1, 1; X:", {3, 3, 3, kExit}},
        {"return in a branch", "@%p1 bra L; ret; L: mov.u32 %r1, 2;", {kExit, kExit, kExit}},
        {"guarded return", "mov.u32 %r1, 1; @%p1 ret; mov.u32 %r1, 2;", {kExit, kExit}},
        {"loop", "mov.u32 %r1, 1; L: add.u32 %r1, %r1, 1; @%p1 bra L; mov.u32 %r1, 2;", {1, 2, kExit}},
        {"loop with an if",
         "L: @%p1 bra J; mov.u32 %r1, 1; J: add.u32 %r2, %r2, 1; @%p2 bra L;",
         {2, 2, 3, kExit}},
        {"loop with a break",
         "L: @%p1 bra X; mov.u32 %r1, 1; @%p2 bra L; mov.u32 %r1, 2; X: mov.u32 %r1, 3;",
         {3, 3, 3, kExit}},
        {"two nested loops",
         "O: mov.u32 %r1, 1; I: add.u32 %r1, %r1, 1; @%p1 bra I; @%p2 bra O;",
         {1, 2, 3, kExit}},
        {"short circuit", "@%p1 bra T; @%p2 bra F; T: mov.u32 %r1, 1; F: mov.u32 %r1, 2;", {3, 3, 3, kExit}},
        {"switch",
         "t: .branchtargets A, B, C; brx.idx %r1, t; A: mov.u32 %r1, 1; bra X; B: mov.u32 %r1, 2; C: mov.u32 "
         "%r1, 3; X: mov.u32 %r1, 4;",
         {4, 4, 3, 4, kExit}},
        {"endless loop", "L: mov.u32 %r1, 1; bra L;", {kExit, kExit}},
        {"if within an endless loop",
         "L: @%p1 bra E; mov.u32 %r1, 1; bra J; E: mov.u32 %r1, 2; J: mov.u32 %r1, 3; bra L;",
         {3, 3, 3, kExit, kExit}},
        {"endless loop within an endless loop",
         "O: mov.u32 %r1, 1; I: @%p1 bra I; bra O;",
         {1, 2, kExit, kExit}},
        {"endless loop on one side",
         "@%p1 bra L; mov.u32 %r1, 1; bra X; L: @%p2 bra L; bra L; X:",
         {kExit, 4, 3, kExit, kExit}},
        {"two entries into a loop",
         "@%p1 bra B; A: mov.u32 %r1, 1; B: @%p2 bra A; mov.u32 %r1, 2;",
         {2, 2, 3, kExit}},
        {"a call goes on", ".param .b32 x; @%p1 bra L; call.uni f; L:", {2, 2, kExit}},
        {"trap", "@%p1 bra L; trap; L: mov.u32 %r1, 1;", {kExit, kExit, kExit}},
        {"code that nobody reaches", "bra X; mov.u32 %r1, 1; X: mov.u32 %r1, 2;", {2, 2, kExit}},
    };
    for (const Case& c : cases) {
        const std::string body = c.body;
        const std::size_t call = body.find("call.uni f");
        if (call == std::string::npos)
            EXPECT_EQ(meetings(body), c.meetings) << c.what;
        else
            EXPECT_EQ(meetings("c: .callprototype _ (); " + body.substr(0, call) + "call.uni c" +
                               body.substr(call + 10)),
                      c.meetings)
                << c.what;
    }
}

// Blocks in the order of the text. What ptxas 13.0 makes of these for sm_90 has its BSYNC in the same places.
TEST(ControlFlow, MeetsWithoutThreadsThatLeaveAKernelEarly) {
    struct Case {
        const char *what, *body;
        std::vector<u32> meetings;
    };
    const Case cases[] = {
        // 0 1(a return in it) 2 3(rest) 4(end): 0 meets at the rest, 1 nowhere
        {"a return within an if",
         "@%p1 bra L; @%p2 bra X; mov.u32 %r1, 1; L: mov.u32 %r1, 2; X:",
         {3, 4, 3, 4, kExit}},
        {"a return of some work",
         "@%p1 bra L; @%p2 bra A; mov.u32 %r1, 1; bra L; A: mov.u32 %r1, 3; ret; L: mov.u32 %r1, 2;",
         {4, kExit, 4, kExit, kExit}},
        // 0 -> 1 2 3(loop) -> 4 5(rest): 2 leaves out of the loop, whose way back meets at the rest
        {"a return within a loop",
         "@%p1 bra L; mov.u32 %r1, 1; H: @%p2 bra X; mov.u32 %r1, 2; @%p3 bra H; L: mov.u32 %r1, 3; X:",
         {4, 2, 5, 4, 5, kExit}},
        // 0: switch of three, one of which returns through a jump of its own
        {"a switch with a return",
         "t: .branchtargets A, B, C; brx.idx %r1, t; A: bra X; B: mov.u32 %r1, 1; bra M; C: mov.u32 %r1, 2; "
         "M: mov.u32 %r1, 3; X:",
         {4, 5, 4, 4, 5, kExit}},
        {"two ends and nothing behind",
         "@%p1 bra L; mov.u32 %r1, 1; ret; L: mov.u32 %r1, 2;",
         {kExit, kExit, kExit}},
        {"all leave at once", "@%p1 bra X; @%p2 bra X; X:", {2, 2, kExit}},
        {"an assertion",
         "@%p1 bra L; @%p2 bra C; trap; C: mov.u32 %r1, 1; L: mov.u32 %r1, 2;",
         {4, kExit, kExit, 4, kExit}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(meetings(c.body), c.meetings) << c.what;
}

TEST(ControlFlow, ListsSuccessorsTakenFirst) {
    const Module module = parsed(
        kernelOf("@%p1 bra L; t: .branchtargets L, M, L; @%p2 brx.idx %r1, t; M: mov.u32 %r1, 1; L: exit;"));
    ASSERT_EQ(module.functions.size(), 1u);
    const std::vector<BasicBlock>& blocks = module.functions[0].blocks;
    ASSERT_EQ(blocks.size(), 5u);
    EXPECT_EQ(blocks[0].successors, (std::vector<u32>{3, 1}));
    EXPECT_EQ(blocks[1].successors, (std::vector<u32>{3, 2, 3, 2}));
    EXPECT_EQ(blocks[2].successors, (std::vector<u32>{3}));
    EXPECT_TRUE(blocks[3].successors.empty());
    EXPECT_EQ(module.functions[0].blockOf(Pc{3}), 3u);
    EXPECT_EQ(module.reconvergence(Pc{0}), Pc{3});
    EXPECT_EQ(module.reconvergence(Pc{3}), kNoPc);
}

TEST(ControlFlow, AddsAReturnWhereABodyRunsOffItsEnd) {
    const std::string head = kHead + ".entry f() { .reg .pred %p; ";
    struct Case {
        const char* body;
        std::size_t instructions;
    };
    constexpr Case cases[] = {
        {"", 1},          {"bar.sync 0;", 2},        {"ret;", 1},        {"@%p exit;", 2},
        {"L: bra L;", 1}, {"@%p bra L; ret; L:", 3}, {"ret; unused:", 1}};
    for (const Case& c : cases) {
        const Module module = parsed(head + c.body + "\n}");
        EXPECT_EQ(module.instructions.size(), c.instructions) << c.body;
        EXPECT_EQ(module.textOf(Pc{u32(c.instructions - 1)}).empty(), false) << c.body;
    }
    const Module module = parsed(head + "\n}");
    EXPECT_EQ(module.textOf(Pc{0}), "ret");
    EXPECT_EQ(module.at(Pc{0}).line, 5u);
}

TEST(ControlFlow, FindsLabelsInTheirScope) {
    // The inner L hides the outer one, wherever it stands in the scope; labels of an inner scope are not seen
    // outside.
    const Module module =
        parsed(kernelOf("L: mov.u32 %r1, 1; { bra L; mov.u32 %r1, 2; L: bra M; } { L: bra L; } M: bra L;"));
    ASSERT_FALSE(module.instructions.empty());
    auto target = [&](u32 pc) {
        return std::get<LabelOperand>(module.operandsOf(module.at(Pc{pc}))[0]).target;
    };
    EXPECT_EQ(target(1), Pc{3});
    EXPECT_EQ(target(3), Pc{5});
    EXPECT_EQ(target(4), Pc{4});
    EXPECT_EQ(target(5), Pc{0});
}

// A post-dominator the slow way: b meets at m if, without m, no path from b leaves the graph.
std::vector<u32> slowly(const std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves) {
    const u32 count = u32(blocks.size());
    auto escapes = [&](u32 from, u32 without) {
        std::vector<bool> seen(count);
        std::vector<u32> stack{from};
        while (!stack.empty()) {
            const u32 b = stack.back();
            stack.pop_back();
            if (b == without || seen[b]) continue;
            seen[b] = true;
            if (leaves[b]) return true;
            stack.insert(stack.end(), blocks[b].successors.begin(), blocks[b].successors.end());
        }
        return false;
    };
    std::vector<u32> result(count, kExit);
    for (u32 b = 0; b < count; ++b) {
        std::vector<u32> dominators;
        for (u32 m = 0; m < count; ++m)
            if (m != b && !escapes(b, m)) dominators.push_back(m);
        for (u32 m : dominators) {  // the immediate one: all others come behind it
            bool isFirst = true;
            for (u32 other : dominators)
                isFirst &= other == m || !escapes(m, other);
            if (isFirst) result[b] = m;
        }
    }
    return result;
}

TEST(ControlFlow, AgreesWithTheDefinitionOnRandomGraphs) {
    u32 state = 1;
    auto random = [&](u32 below) { return (state = state * 1664525 + 1013904223) / 65536 % below; };
    for (int round = 0; round < 3000; ++round) {
        const u32 count = 2 + random(9);
        std::vector<BasicBlock> blocks(count);
        std::vector<bool> leaves(count);
        for (u32 b = 0; b < count; ++b) {
            leaves[b] = b + 1 == count || random(6) == 0;
            if (!leaves[b]) blocks[b].successors.push_back(b + 1);  // so that every block can leave
            for (u32 n = random(3); n > 0; --n)
                blocks[b].successors.push_back(random(count));
        }
        const std::vector<u32> expected = slowly(blocks, leaves);
        computePostDominators(blocks, leaves);
        for (u32 b = 0; b < count; ++b)
            ASSERT_EQ(blocks[b].immediatePostDominator, expected[b]) << "round " << round << " block " << b;
    }
}

}  // namespace
}  // namespace lockstep::ptx
