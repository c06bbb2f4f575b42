// What the matrix stage draws and says of threads that reach outside, and of steps that move nothing.
#include "viz/stages/matmul/matmul_stage.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr u32 kLoadM = 7, kBetween = 9,
              kSecond = 14;  // steps: of a load, of a test behind the store; the second phase's are later by

class MatmulStageTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(const run::Run& run, Dim3 block, u32 step, u32 lane = 0, Size size = {760, 640}) const {
        const Cursor cursor{.launch = {}, .block = block, .warp = Warp{0}, .lane = Lane{lane}, .step = step};
        return findView("stage")->build({.run = run,
                                         .cursor = cursor,
                                         .profile = model::defaultProfile(),
                                         .size = size,
                                         .metrics = *fonts_});
    }
    static std::ptrdiff_t arrows(const Scene& scene) {  // of findings
        return std::ranges::count_if(scene.marks, [](const Mark& mark) {
            const auto* l = std::get_if<LineMark>(&mark);
            return l && l->stroke.role.kind == RoleKind::Finding && l->arrow > 0;
        });
    }
    std::optional<Fonts> fonts_;
};

TEST_F(MatmulStageTest, EachReadThatGoesAstrayHasItsArrow) {
    const run::Run run = tiledMatmul(3, 2, false);
    // Phase 1 of block (0,0): lanes 1 and 3 ask for column 3 and get the next row's first element.
    EXPECT_EQ(arrows(draw(run, {0, 0, 0}, kLoadM + kSecond)), 2 + 1) << "and the key's";
    EXPECT_EQ(arrows(draw(tiledMatmul(3, 2, true), {0, 0, 0}, kLoadM + kSecond)), 0)
        << "with its tests nobody reads elsewhere";
}

// Of width 3 and T = 2, block (1,1): what a thread brings is for those of its row or its column that store.
TEST_F(MatmulStageTest, OfAThreadWithoutAnElementItIsSaidWhetherOthersNeedWhatItLoads) {
    const Scene scene = draw(tiledMatmul(3, 2, true), {1, 1, 0}, kLoadM);
    const auto isSaid = [&](const std::string& sentence) {
        return std::ranges::any_of(scene.hits,
                                   [&](const HitArea& area) { return area.hit.text() == sentence; });
    };
    const std::string none = " has no element to store: ", end = " is out of bounds",
                      needed = "; but other threads need what it loads.";
    EXPECT_TRUE(isSaid("Thread (x 1, y 0)" + none + "P[2][3]" + end + needed));
    EXPECT_TRUE(isSaid("Thread (x 0, y 1)" + none + "P[3][2]" + end + needed));
    EXPECT_TRUE(isSaid("Thread (x 1, y 1)" + none + "P[3][3]" + end + ".")) << "in no thread's row or column";
}

TEST_F(MatmulStageTest, AStepThatMovesNothingSaysOfWhichMoveThePictureIs) {
    const run::Run run = tiledMatmul(3, 2, true);
    EXPECT_NE(draw(run, {0, 0, 0}, kBetween)
                  .sentence.find(" The picture shows the last request: step 9, store the tile of M."),
              std::string::npos)
        << draw(run, {0, 0, 0}, kBetween).sentence;
    EXPECT_EQ(draw(run, {0, 0, 0}, kLoadM).sentence.find("The picture shows the last request"),
              std::string::npos);
}

TEST_F(MatmulStageTest, ThreadsWhoseTestFailsReadNothingAndKeepZero) {
    const std::string sentence = draw(tiledMatmul(3, 2, true), {1, 1, 0}, kLoadM, 2).sentence;
    EXPECT_EQ(sentence,
              "Threads (x 0, y 1) and (x 1, y 1) would load M[3][0] and M[3][1], which are out of bounds; "
              "their bounds checks fail, so they load nothing here and store 0.0 to Mds. Thread (x 1, y 0) "
              "loads M[2][1] for the others: it computes no element of P itself.");
}

// Width 5 and T = 3: the last column of block (1,1) stores nothing.
TEST_F(MatmulStageTest, WhereThereIsNoHeightForBothCellsHaveValuesRatherThanIndices) {
    const run::Run run = tiledMatmul(6, 3, true);
    const auto has = [&](f32 height) {
        const Scene scene = draw(run, {0, 0, 0}, kLoadM, 0, {800, height});
        std::size_t values = 0;
        for (const HitArea& area : scene.hits)
            for (const Mark& mark : scene.marks)
                if (const auto* text = std::get_if<TextMark>(&mark);
                    text && area.rect.contains(text->at) && area.hit.text().starts_with("M["))
                    ++values;
        return values > 0;
    };
    EXPECT_TRUE(has(640));
    EXPECT_TRUE(has(366)) << "as in a window of 800 x 600";
}

TEST_F(MatmulStageTest, AllThreadsThatLoadForOthersAreNamed) {
    EXPECT_NE(
        draw(tiledMatmul(5, 3, true), {1, 1, 0}, kLoadM, 2)
            .sentence.find("Threads (x 2, y 0) and (x 2, y 1) load M[3][2] and M[4][2] for the others: they "
                           "compute no element of P themselves."),
        std::string::npos)
        << draw(tiledMatmul(5, 3, true), {1, 1, 0}, kLoadM, 2).sentence;
}

TEST_F(MatmulStageTest, ThereIsNoSumBeforeTheFirstProduct) {
    const run::Run run = tiledMatmul(3, 2, true);
    const auto says = [&](u32 step, std::string_view wanted) {
        return std::ranges::any_of(draw(run, {0, 0, 0}, step).marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == wanted;
        });
    };
    EXPECT_FALSE(says(0, "0.0") || says(kLoadM, "0.0"));
}

// Lanes that load nothing are not those that are left out.
TEST_F(MatmulStageTest, RowsOfLanesMoveTogetherBeforeOneIsLeftOut) {
    const run::Run run = tiledMatmul(5, 3, true);
    for (const f32 height : {560.0f, 640.0f}) {
        const Scene scene = findView("stage")->build(
            {.run = run,
             .cursor = {.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = {}, .step = kLoadM},
             .profile = model::defaultProfile(),
             .size = {760, height},
             .metrics = *fonts_});
        const auto names = [&](std::string_view wanted) {
            return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
                const auto* text = std::get_if<TextMark>(&mark);
                return text && text->text.find(wanted) != std::string::npos;
            });
        };
        EXPECT_TRUE(!names("Lanes of warp 0") || names("M[5][2]")) << height;
    }
}

}  // namespace
}  // namespace lockstep::viz
