// What the timeline names: every band, and in its key what occurs.
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/testing/test_tidy.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

class TimelineTest : public testing::Test {
protected:
    Scene sceneOf(const run::Run& run, const Cursor& cursor, Size size,
                  Language language = Language::English) const {
        return findView("timeline")
            ->build({.run = run,
                     .cursor = cursor,
                     .profile = model::defaultProfile(),
                     .size = size,
                     .language = language,
                     .metrics = *fonts});
    }
    static bool says(const Scene& scene, std::string_view wanted) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == wanted;
        });
    }
    Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
};

TEST_F(TimelineTest, TheLastBandIsNamedHoweverShortItIs) {
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(8, 4, true);  // its store takes one or two steps
    for (const f32 width : {460.0f, 747.0f, 1280.0f})
        for (const Language language : {Language::English, Language::Chinese}) {
            const Scene scene = sceneOf(run, {}, {width, 200}, language);
            EXPECT_TRUE(says(scene, language == Language::English ? "store to global" : "写全局内存"))
                << width;
            EXPECT_EQ(untidyTexts(scene, *fonts), std::vector<std::string>{}) << width;
        }
}

// The rows stand side by side, which beside a race would be taken for what happened at the same time.
TEST_F(TimelineTest, BesideARaceItSaysThatWarpsTookTurns) {
    ASSERT_TRUE(fonts);
    run::Run run = columnRead(33);  // two warps, one after the other
    const Cursor cursor{.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1};
    const auto saysIt = [&] {
        return says(sceneOf(run, cursor, {1280, 300}),
                    "Between barriers the emulator executed one warp after another.");
    };
    EXPECT_FALSE(saysIt()) << "nothing depends on it";
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.who.block = {1, 0, 0};
    race.other = race.who;
    run.recording.findings = {race};
    EXPECT_TRUE(saysIt());
    run.recording.findings[0].who.block = {2, 0, 0};
    EXPECT_FALSE(saysIt()) << "another block's";
    run.recording.findings = {race};
    std::vector<trace::WarpTrace>& warps = run.recording.trace.blocks[0].warps;
    std::swap(warps[0].steps.back().order, warps[1].steps.front().order);
    EXPECT_FALSE(saysIt()) << "they did not take turns";
    EXPECT_FALSE(says(sceneOf(run, cursor, {1280, 300}), "not all threads reached"));
}

TEST_F(TimelineTest, TheStepNumbersAreWholeHoweverLowItIs) {
    ASSERT_TRUE(fonts);
    const run::Run run = columnRead(33);  // two warps, of which one has no room
    for (const f32 height : {104.0f, 110.0f, 130.0f, 150.0f}) {
        Cursor cursor;
        cursor.block = {1, 0, 0};
        const Scene scene = sceneOf(run, cursor, {500, height});
        for (const Mark& mark : scene.marks)
            if (const auto* box = std::get_if<RectMark>(&mark)) {
                EXPECT_LE(box->rect.bottom(), height);
            }
    }
}

TEST_F(TimelineTest, EachBandHasTheLongestNameThatFits) {
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(8, 4, true);
    using Names = std::array<const char*, 6>;
    for (const auto& [language, names] :
         {std::pair(Language::English,
                    Names{"barrier interval 1, ph = 0: multiply tile 1", "1, ph = 0: multiply tile 1",
                          "1: multiply tile 1", "1: multiply", "multiply", "1"}),
          std::pair(Language::Chinese,
                    Names{"屏障区间 1，ph = 0：第 1 对分块相乘", "1，ph = 0：第 1 对分块相乘",
                          "1：第 1 对分块相乘", "1：相乘", "相乘", "1"})}) {
        std::vector<std::string> met;  // from the widest on
        for (f32 width = 2400; width >= 260; width -= 10) {
            const Scene scene = sceneOf(run, {}, {width, 200}, language);
            const auto name = std::ranges::find_if(names, [&](const char* one) { return says(scene, one); });
            if (name != names.end() && std::ranges::find(met, *name) == met.end())
                met.emplace_back(*name);  // the next tile's band may be multiply for longer
            EXPECT_EQ(untidyTexts(scene, *fonts), std::vector<std::string>{}) << width;
        }
        EXPECT_EQ(met, std::vector<std::string>(names.begin(), names.end()));
    }
}

TEST_F(TimelineTest, WaitingIsInTheKeyWhereAWarpWaits) {
    ASSERT_TRUE(fonts);
    EXPECT_FALSE(says(sceneOf(parity(), {}, {1280, 220}), "waits for the other warps"));
    EXPECT_FALSE(says(sceneOf(tiledMatmul(8, 8, true), {}, {1280, 220}), "waits for the other warps"))
        << "both warps come at once";
    const run::Run run = treeSum(64);  // the second warp has nothing to add
    const Scene scene = sceneOf(run, {}, {1280, 220});
    EXPECT_TRUE(says(scene, "waits for the other warps"));
    EXPECT_TRUE(std::ranges::any_of(scene.hits, [](const HitArea& area) {
        return area.hit.text().starts_with("Warp 1 waits at the barrier of step ");
    }));
}

// Whatever their width and their cost: the key is of the bars in the picture.
TEST_F(TimelineTest, TheKeyNamesTheAccessesThatAreDrawn) {
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(8, 4, true);
    const Scene wide = sceneOf(run, {}, {1280, 220}), narrow = sceneOf(run, {}, {300, 220});
    EXPECT_TRUE(says(wide, "global load") && says(wide, "shared store") && says(wide, "barrier"));
    EXPECT_FALSE(says(wide, "global memory access") || says(wide, "shared memory access"));
    EXPECT_TRUE(says(narrow, "global memory access"));
    EXPECT_FALSE(says(narrow, "global load")) << "its shape has no room there";
    const run::Run costly = columnRead(32);  // each of its shared loads costs more than it would have to
    const Scene scene =
        sceneOf(costly, {.launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = {}, .step = 1}, {1280, 220});
    EXPECT_TRUE(says(scene, "shared load") && says(scene, "more than the minimum"));
}

TEST_F(TimelineTest, ItsKeyStandsClearOfItsLowerEdge) {
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(8, 4, true);
    for (const f32 height : {140.0f, 200.0f}) {
        const Scene scene = sceneOf(run, {}, {1280, height});
        f32 lowest = 0;
        for (const Mark& mark : scene.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) lowest = std::max(lowest, text->at.y);
        EXPECT_TRUE(says(scene, "all lanes")) << height;
        EXPECT_LT(lowest, height - 10) << height;
        EXPECT_GT(lowest, height - 20) << height << ": nor is room left unused";
    }
}

TEST_F(TimelineTest, ItsSentenceSaysWhatTheWarpDoes) {
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(3, 2, true);
    const Scene scene =
        sceneOf(run, {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 7}, {1280, 220});
    EXPECT_TRUE(scene.sentence.starts_with("Warp 0 (4 of its 4 lanes) reads") ||
                scene.sentence.starts_with("Warp 0 reads"))
        << scene.sentence;
}

}  // namespace
}  // namespace lockstep::viz
