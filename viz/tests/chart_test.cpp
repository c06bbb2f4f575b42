// The chart view: its texts have room at every usual size, and its points say exact figures.
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"
#include "viz/testing/test_times.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

const Fonts& fonts() {
    static const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    return fonts.value();
}

ChartOptions showing(std::string_view metric) {
    return {.metric = u16(run::findSweepMetric(metric) - run::sweepMetrics().data() + 1)};
}

Scene chart(const SweptRun& swept, Size size, Language language, ChartOptions options, bool titled = true) {
    return findView("chart")->build({.run = swept.timed.run,
                                     .cursor = {},
                                     .profile = model::defaultProfile(),
                                     .size = size,
                                     .language = language,
                                     .metrics = fonts(),
                                     .state = {.options = options},
                                     .machines = &swept.timed.machines,
                                     .sweeps = &swept.sweeps,
                                     .titled = titled});
}

std::vector<std::string> hovers(const Scene& scene) {
    std::vector<std::string> all;
    for (const HitArea& area : scene.hits)
        all.push_back(area.hit.text());
    return all;
}

bool says(const Scene& scene, const std::string& hover) {
    return std::ranges::count(hovers(scene), hover) > 0;
}

TEST(ChartTest, NoTextRunsIntoAnotherOrIsCut) {
    const SweptRun swept = sweptMultiply();
    for (const Size size : {Size{480, 240}, Size{640, 480}, Size{747, 520}, Size{960, 600}, Size{1280, 720},
                            Size{1440, 160}, Size{1920, 1080}, Size{2560, 1440}})
        for (const Language language : {Language::English, Language::Chinese})
            for (const char* metric : {"time", "tflops", "sectors_per_request", "ptx__thread_inst_executed"})
                for (const bool titled : {true, false}) {
                    const Scene scene = chart(swept, size, language, showing(metric), titled);
                    const std::string what = fmt::format("{} at {} x {}", metric, size.width, size.height);
                    for (const std::string& untidy : untidyTexts(scene, fonts()))
                        ADD_FAILURE() << what << ": " << untidy;
                    for (const Mark& mark : scene.marks) {
                        const auto* text = std::get_if<TextMark>(&mark);
                        EXPECT_FALSE(text && text->text.find("…") != std::string::npos)
                            << what << ": " << text->text;
                    }
                }
}

TEST(ChartTest, EveryPointSaysItsFigureAndWhereItComesFrom) {
    const SweptRun swept = sweptMultiply();
    const Scene times = chart(swept, {1280, 720}, Language::English, showing("time"));
    EXPECT_TRUE(says(
        times, "Tiled, 16 x 16, width = 64: 3.66 µs (kernel time); recorded on made-up GPU, 2026-01-01."));
    EXPECT_TRUE(
        says(times, "Tiled, 16 x 16, width = 1,024: 610 µs (kernel time); measured here on made-up GPU."));
    EXPECT_TRUE(says(times,
                     "CPU loop, width = 4,096: 247 ms; recorded on the host CPU of the made-up "
                     "GPU machine, 2026-01-01."));
    EXPECT_TRUE(
        says(times,
             "Tiled, 32 x 32, width = 256: 11.0 µs (kernel time); recorded on made-up GPU, 2026-01-01. "
             "Its result was wrong."));
    EXPECT_EQ(times.sentence,
              "Tiled, 16 x 16, kernel time: 3.66 µs at width = 64, 37.8 ms at width = "
              "4,096 (recorded on made-up GPU, 2026-01-01).");
    const Scene sectors = chart(swept, {1280, 720}, Language::English, showing("sectors_per_request"));
    EXPECT_TRUE(says(
        sectors,
        "Naive, width = 128: 3.00 (sectors per global request); counted by the emulator under the rules of "
        "compute capability 9.0."));
    EXPECT_TRUE(says(sectors,
                     "Tiled, 16 x 16, width = 64: 4.00 (sectors per global request); recorded on made-up "
                     "GPU, 2026-01-01."));
}

TEST(ChartTest, OffersMetricsAxesAndASweepWhereSomethingCanRunIt) {
    const SweptRun swept = sweptMultiply();
    const Scene scene = chart(swept, {1280, 720}, Language::English, {}, false);
    const auto hit = [&](const std::string& hover) {
        return std::ranges::find_if(scene.hits,
                                    [&](const HitArea& area) { return area.hit.text() == hover; });
    };
    const auto bandwidth = hit("Show sectors per global request");
    ASSERT_NE(bandwidth, scene.hits.end());
    EXPECT_EQ(bandwidth->hit.options, ViewOptions(showing("sectors_per_request")));
    const auto axis = hit("Make the value axis linear");
    ASSERT_NE(axis, scene.hits.end());
    EXPECT_EQ(axis->hit.options, ViewOptions(ChartOptions{.y = AxisScaling::Linear}));
    const auto sweep =
        std::ranges::find_if(scene.hits, [](const HitArea& area) { return area.hit.sweep.has_value(); });
    ASSERT_NE(sweep, scene.hits.end());
    EXPECT_EQ(*sweep->hit.sweep, "width");
    EXPECT_TRUE(says(scene,
                     "Naive, width = 4,096: the step must be 1 or more\nTiled, 16 x 16, width = 4,096: "
                     "the step must be 1 or more"));
    const Scene file = chart(swept, {1280, 720}, Language::English, {});
    EXPECT_TRUE(std::ranges::none_of(file.hits, [](const HitArea& area) {
        return area.hit.sweep.has_value();
    })) << "there is nothing to click on in a file";

    SweptRun underWay = sweptMultiply();
    underWay.sweeps.isUnderWay = true, underWay.sweeps.done = 2, underWay.sweeps.total = 7;
    const Scene during = chart(underWay, {1280, 720}, Language::English, {}, false);
    const auto cancel =
        std::ranges::find_if(during.hits, [](const HitArea& area) { return area.hit.sweep.has_value(); });
    ASSERT_NE(cancel, during.hits.end());
    EXPECT_EQ(*cancel->hit.sweep, "");
    EXPECT_TRUE(std::ranges::any_of(during.marks, [](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text == "Point 3 of 7: cancel";
    }));
}

TEST(ChartTest, SaysWhyThereIsNothingToShow) {
    const run::Run run = tiledMatmul(3, 2, true);
    const auto sentence = [&](const run::Run& of) {
        return findView("chart")
            ->build({.run = of,
                     .cursor = {},
                     .profile = model::defaultProfile(),
                     .size = {800, 600},
                     .metrics = fonts()})
            .sentence;
    };
    EXPECT_EQ(sentence(run), "Charts show kernels of the catalog over their parameters.");
    TimedRun timed = timedMultiply();
    for (catalog::Variant& variant : timed.family->variants)
        variant.parameters.clear();
    EXPECT_EQ(sentence(timed.run), "This kernel has no parameter to plot against.");
}

}  // namespace
}  // namespace lockstep::viz
