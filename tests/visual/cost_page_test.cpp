// The page on what a sum costs: in both languages no text is cut or runs into another, at any size, and a
// number of processors can be chosen on it.
#include "looked_at.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep {
namespace {

using namespace viz;

class CostPageTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(fonts_) << describe(fonts_.error());
        Expected<std::vector<run::HardwareRecording>> recordings =
            run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
        ASSERT_TRUE(recordings) << describe(recordings.error());
        machines_ = run::recordedMachines(std::move(*recordings), shipped());
    }
    Scene sceneOf(const run::Run& run, const ChartOptions& options, Size size,
                  Language language = Language::English) const {
        return findView("chart")->build({.run = run,
                                         .cursor = initialCursor(run),
                                         .profile = run.profile,
                                         .size = size,
                                         .language = language,
                                         .metrics = *fonts_,
                                         .state = {.options = options},
                                         .machines = &machines_});
    }
    static bool says(const Scene& scene, std::string_view wanted) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text.find(wanted) != std::string::npos;
        });
    }
    std::vector<run::RecordedMachine> machines_;
    Expected<Fonts> fonts_ = Fonts::load(LOCKSTEP_FONT_FOLDER);
};

TEST_F(CostPageTest, IsTidyAtAnySize) {
    for (const s64 n : {1, 1000, 65'536}) {
        const Expected<run::Run> run = runShipped("reduction/v6", {{"n", std::to_string(n)}});
        ASSERT_TRUE(run) << describe(run.error());
        for (const u64 processors : {0, 1, 500})
            for (const Size size : {Size{480, 240}, Size{640, 480}, Size{920, 480}, Size{1440, 900}})
                for (const Language language : {Language::English, Language::Chinese}) {
                    const Scene scene =
                        sceneOf(*run, {.isCost = true, .processors = processors}, size, language);
                    EXPECT_EQ(untidyTexts(scene, *fonts_), std::vector<std::string>{})
                        << n << " " << processors << " " << size.width << " x " << size.height;
                    if (size.width >= 920) {
                        EXPECT_FALSE(says(scene, "…"));
                    }
                }
    }
}

TEST_F(CostPageTest, ANumberOfProcessorsIsChosenByAClick) {
    const Expected<run::Run> run = runShipped("reduction/v0", {{"n", "65536"}});
    ASSERT_TRUE(run) << describe(run.error());
    const Scene brent = sceneOf(*run, {.isCost = true}, {1440, 900});
    EXPECT_TRUE(says(brent, "4,096 processors, 15 additions each, then 12 rounds: 27 steps"));
    const auto half = std::ranges::find_if(brent.hits, [](const HitArea& area) {
        return area.hit.options && optionsAs<ChartOptions>(*area.hit.options).processors == 32'768;
    });
    ASSERT_NE(half, brent.hits.end());
    EXPECT_EQ(half->hit.text(), "32,768 processors: 16 steps, cost 8.00 times n");
    const Scene chosen = sceneOf(*run, optionsAs<ChartOptions>(*half->hit.options), {1440, 900});
    EXPECT_TRUE(says(chosen, "32,768 processors, 1 addition each, then 15 rounds: 16 steps"));
    // And back to the chart.
    const auto back = std::ranges::find_if(chosen.hits, [](const HitArea& area) {
        return area.hit.options && !optionsAs<ChartOptions>(*area.hit.options).isCost;
    });
    ASSERT_NE(back, chosen.hits.end());
    EXPECT_TRUE(
        says(sceneOf(*run, optionsAs<ChartOptions>(*back->hit.options), {1440, 900}), "Cost of a sum"))
        << "the chart leads to it";
}

TEST_F(CostPageTest, IsOfReductionsAlone) {
    const Expected<run::Run> run = runShipped("matmul/tiled", {});
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_FALSE(says(sceneOf(*run, {.isCost = true}, {1440, 900}), "Cost of a sum"));
}

}  // namespace
}  // namespace lockstep
