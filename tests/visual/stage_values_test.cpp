// What stages say of the values on their way: which elements each thread puts together before a tree begins,
// which sums no result is made of, who passes the test before a store, what a tile saves, and what stands
// around the cursor's element where cells are too small for numbers.
#include "looked_at.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using namespace viz;

class StageValuesTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const run::Run& run, const Cursor& cursor, Size size = {1440, 900}) const {
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = run.profile,
                                         .size = size,
                                         .language = Language::English,
                                         .metrics = *fonts_});
    }
    static run::Run runOf(const std::string& name, const Settings& settings = {}) {
        Expected<run::Run> run = runShipped(name, settings);
        EXPECT_TRUE(run) << name << ": " << describe(run.error());
        return std::move(*run);
    }
    static u32 texts(const Scene& scene, std::string_view wanted) {
        return u32(std::ranges::count_if(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == wanted;
        }));
    }
    static u32 hovers(const Scene& scene, std::string_view wanted) {
        return u32(std::ranges::count_if(scene.hits, [&](const HitArea& area) {
            return area.hit.hover.find(wanted) != std::string::npos;
        }));
    }
    // The first step of the cursor's warp whose stage has this in its sentence.
    std::optional<Cursor> find(const run::Run& run, Cursor cursor, std::string_view wanted) const {
        const auto* block = &run.recording.trace.blocks.front();
        for (const trace::FocusBlock& one : run.recording.trace.blocks)
            if (one.block == cursor.block) block = &one;
        for (cursor.step = 0; cursor.step < block->warps[cursor.warp.value].steps.size(); ++cursor.step)
            if (draw(run, cursor, {480, 300}).sentence.find(wanted) != std::string::npos) return cursor;
        return std::nullopt;
    }
    std::optional<Fonts> fonts_;
};

TEST_F(StageValuesTest, RowsOfAFoldHaveAColumnForEachThread) {
    const run::Run run = runOf("reduction/turnkey");
    Cursor cursor = explain::toStart(run, initialCursor(run));
    const Scene start = draw(run, cursor);
    EXPECT_EQ(texts(start, "in[i]"), 1u);
    EXPECT_EQ(texts(start, "in[i+896]"), 1u) << "the eighth element of each thread";
    EXPECT_EQ(texts(start, "row 3"), 1u) << "of four rows, a block each";
    EXPECT_GE(hovers(start, "Thread 77 takes in[205]"), 1u);
    cursor.block = {2, 0, 0};
    EXPECT_EQ(texts(draw(run, cursor), "in[i+2048]"), 1u) << "its row begins there";
}

TEST_F(StageValuesTest, SumsThatNoResultIsMadeOfAreToldApart) {
    const run::Run run = runOf("reduction/v4");
    const Scene scene = draw(run, initialCursor(run));
    EXPECT_EQ(texts(scene, "32 of 128 add, 16 used"), 1u);
    EXPECT_EQ(texts(scene, "32 of 128 add, 1 used"), 1u) << "the last round";
    EXPECT_EQ(texts(scene, "32 of 128 add"), 1u) << "round 2, in which all are";
    EXPECT_EQ(texts(scene, "not part of the result"), 1u) << "in the key";
    EXPECT_GE(hovers(scene, "4 of these sums are used; the others are not part of the result."), 1u);
}

TEST_F(StageValuesTest, ATileSaysWhatItSaves) {
    const run::Run run = runOf("matmul/tiled");
    const Cursor cursor = initialCursor(run);
    const std::string said = draw(run, cursor).sentence;
    EXPECT_NE(
        said.find("Loading the block's tile of M takes 8 requests and 32 sectors. Reading M itself each "
                  "time Mds is read would take 128 and 256: 16 and 8 times as many."),
        std::string::npos)
        << said;
}

TEST_F(StageValuesTest, TheTestBeforeTheStoreMarksEachElementOfP) {
    const run::Run run = runOf("matmul/tiled-bounds", {{"width", "3"}, {"tile", "2"}});
    Cursor cursor = initialCursor(run);
    cursor.block = {1, 1, 0};
    const auto tested = find(run, cursor, "The bounds check for the store fails");
    ASSERT_TRUE(tested);
    const Scene scene = draw(run, *tested);
    EXPECT_EQ(texts(scene, "passes the check: stores"), 1u);
    EXPECT_EQ(texts(scene, "fails the check: stores nothing"), 1u);
    EXPECT_EQ(texts(draw(run, cursor), "passes the check: stores"), 0u) << "it is not decided there";
}

TEST_F(StageValuesTest, ALoupeHasTheValuesAroundTheElement) {
    const run::Run transposed = runOf("transpose/shared");
    const Scene moves = draw(transposed, initialCursor(transposed));
    EXPECT_GE(hovers(moves, "in[1][1] = "), 1u);
    EXPECT_EQ(texts(moves, "in[0][0]"), 1u) << "the loupe's title";
    const run::Run histogram = runOf("banks/histogram-private");
    const Cursor adds = initialCursor(histogram);
    EXPECT_EQ(texts(draw(histogram, adds), "sums[0][3]"), 2u) << "the loupe and the queue";
    const run::Run large = runOf("matmul/tiled", {{"width", "128"}, {"tile", "32"}});
    const Cursor cursor = initialCursor(large);
    EXPECT_GE(hovers(draw(large, cursor), "M[1][1] = "), 1u) << "while the tile is loaded";
    Cursor multiplies = cursor;
    multiplies.step += 35;
    const Scene products = draw(large, multiplies);
    EXPECT_NE(products.sentence.find("; running sum after "), std::string::npos) << products.sentence;
    EXPECT_EQ(texts(products, "Mds[0][k]"), 1u);
}

}  // namespace
}  // namespace lockstep
