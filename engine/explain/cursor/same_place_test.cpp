#include "explain/cursor/same_place.h"

#include "explain/cursor/lookup.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using viz::tiledMatmul;

Cursor at(Dim3 block, u32 step, u32 lane = 0) {
    return {.launch = {}, .block = block, .warp = {}, .lane = Lane{lane}, .step = step};
}

// As in navigation_test.cpp: the second phase's load of M is step 21 of width 3, T = 2.
TEST(SamePlaceTest, IsTheSameLineForTheSameTimeInAnotherSize) {
    const run::Run small = tiledMatmul(3, 2, true), large = tiledMatmul(6, 2, true);
    for (const u32 step : {0u, 7u, 10u, 12u, 14u, 21u}) {
        const auto there = samePlace(small, at({1, 1, 0}, step), large);
        ASSERT_TRUE(there) << step;
        EXPECT_EQ(there->step, step) << "the phases before are alike";
        EXPECT_EQ(there->block, (Dim3{1, 1, 0}));
    }
    const Cursor store =
        at({1, 1, 0}, u32(small.recording.trace.find({}, {1, 1, 0})->warps[0].steps.size()) - 1);
    const auto there = samePlace(small, store, large);
    ASSERT_TRUE(there);
    EXPECT_GT(there->step, store.step) << "more phases come before the store of P";
    EXPECT_EQ(lineOf(*large.module, lookUp(large, *there).step->pc),
              lineOf(*small.module, lookUp(small, store).step->pc));
    EXPECT_EQ(samePlace(large, *there, small)->step, store.step) << "and back";
    EXPECT_EQ(samePlace(small, at({1, 1, 0}, 9), small), at({1, 1, 0}, 9))
        << "the same run has the same place";
}

TEST(SamePlaceTest, IsNoneWhereTheOtherRunDoesNotCome) {
    const run::Run small = tiledMatmul(3, 2, true), large = tiledMatmul(6, 2, true);
    EXPECT_FALSE(samePlace(large, at({2, 2, 0}, 7), small)) << "it has no such block";
    const u32 last = u32(large.recording.trace.find({}, {1, 1, 0})->warps[0].steps.size()) - 10;
    EXPECT_FALSE(samePlace(large, at({1, 1, 0}, last), small)) << "it has no third phase";
    EXPECT_FALSE(samePlace(small, at({1, 1, 0}, 7), viz::columnRead(32))) << "it has no such line";
}

TEST(SamePlaceTest, FindsALineThatMovedByWhatItReads) {
    const run::Run before = tiledMatmul(3, 2, true);
    run::Run after = tiledMatmul(3, 2, true);
    // A line more on top: what was line 7 is line 8, in the text and in the line table.
    ptx::Module module = *after.module;
    for (std::string& source : module.sources)
        if (!source.empty()) source.insert(0, "// a new line\n");
    for (ptx::Location& location : module.locations)
        if (location.line) ++location.line;
    after.module = std::make_shared<const ptx::Module>(std::move(module));
    for (const u32 step : {7u, 12u, 19u, 21u})
        EXPECT_EQ(samePlace(before, at({1, 1, 0}, step), after), at({1, 1, 0}, step)) << step;
}

// The access of the line is cured: the cursor stays in its block and warp, at that line.
TEST(SamePlaceTest, StaysAtALineThatIsEdited) {
    const run::Run before = tiledMatmul(3, 2, true);
    run::Run after = tiledMatmul(3, 2, true);
    const Cursor here = at({1, 1, 0}, 21);
    const SourceLine line = lineOf(*before.module, lookUp(before, here).step->pc);
    ptx::Module module = *after.module;
    std::string& source = module.sources[line.file];
    const std::string text(textOfLine(module, line));
    source.replace(source.find(text), text.size(), "edited;");
    after.module = std::make_shared<const ptx::Module>(std::move(module));
    const auto there = samePlace(before, here, after);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->block, here.block);
    EXPECT_EQ(lineOf(*after.module, lookUp(after, *there).step->pc), line);
}

TEST(SamePlaceTest, GoesToALaneThatTakesPartWhereTheOldOneDidAndDoesNot) {
    const run::Run small = tiledMatmul(3, 2, true), large = tiledMatmul(6, 2, true);
    // In the last block of width 3 lane 1 is beyond the edge; in width 6 it is not.
    const auto inside = samePlace(large, at({1, 1, 0}, 7, 3), small);
    ASSERT_TRUE(inside);
    EXPECT_TRUE(lookUp(small, *inside).access->active.has(inside->lane));
    EXPECT_EQ(samePlace(small, at({1, 1, 0}, 7, 3), large)->lane, Lane{3}) << "a ghost stays where it is";
}

}  // namespace
}  // namespace lockstep::explain
