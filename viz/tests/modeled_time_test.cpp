// Modeled times beside measured ones: each with a mark of its own and its error, in charts, in the Times view
// and below what the Waits view changes; and asked for only on demand.
#include "explain/hints/hint.h"
#include "run/sweep/modeled_times.h"
#include "viz/issues_on_show.h"
#include "viz/parts/chart.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"
#include "viz/testing/test_times.h"
#include "viz/view.h"
#include "viz/views/change_bars.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

const Fonts& fonts() {
    static const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    return fonts.value();
}

bool has(const Scene& scene, const std::string& part) {
    return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text.find(part) != std::string::npos;
    });
}
bool hovers(const Scene& scene, const std::string& part) {
    return std::ranges::any_of(
        scene.hits, [&](const HitArea& area) { return area.hit.text().find(part) != std::string::npos; });
}
void expectTidy(const Scene& scene, const std::string& what) {
    for (const std::string& untidy : untidyTexts(scene, fonts()))
        ADD_FAILURE() << what << ": " << untidy;
}

run::TimedRun modeled(f64 microseconds, f64 error) {
    return {.microseconds = microseconds,
            .clockMhz = 1000,
            .compiler = {},
            .error = {},
            .errorBrief = {},
            .errorPercent = error};
}

// At width 128 and 512 the model has a time, at 2048 none.
SweptRun modeledMultiply() {
    SweptRun swept = sweptMultiply();
    const catalog::Family& family = *swept.timed.family;
    const run::SweepPlan plan =
        run::proposedSweep(family, {&family.variants[2]}, swept.timed.run.catalog->values, "width");
    run::Sweep sweep = run::emptySweep(plan);
    const run::Run& run = swept.timed.run;
    run::addModeled(sweep, {&family.variants[2], {}, 128}, run, modeled(10, 8));
    run::addModeled(sweep, {&family.variants[2], {}, 512}, run, modeled(100, 5));
    run::addModeled(sweep, {&family.variants[2], {}, 2048}, run,
                    fail(FaultKind::Unsupported, english("the kernel has problems")));
    swept.sweeps.add(sweep);
    return swept;
}

ChartOptions times() {
    return {.metric = u16(run::findSweepMetric("time") - run::sweepMetrics().data() + 1)};
}

Scene chart(const SweptRun& swept, Size size, Language language, bool titled = true) {
    return findView("chart")->build({.run = swept.timed.run,
                                     .cursor = {},
                                     .profile = model::defaultProfile(),
                                     .size = size,
                                     .language = language,
                                     .metrics = fonts(),
                                     .state = {.options = times()},
                                     .machines = &swept.timed.machines,
                                     .sweeps = &swept.sweeps,
                                     .titled = titled});
}

TEST(ModeledTimeTest, AChartSaysOfAModeledPointThatItIsAndHowFarOff) {
    const Scene scene = chart(modeledMultiply(), {1280, 720}, Language::English);
    EXPECT_TRUE(hovers(scene,
                       "Tiled, 16 x 16, width = 128: 10.0 µs (kernel time); modeled for NVIDIA H200, "
                       "mean error 8%."));
    EXPECT_TRUE(hovers(scene, "from empty caches"));
    EXPECT_TRUE(has(scene, "modeled (mean error 5 to 8%)")) << "the key, as far as the drawn points go";
    EXPECT_NE(scene.sentence.find("No modeled time at width = 2,048: the kernel has problems."),
              std::string::npos)
        << scene.sentence;
    EXPECT_NE(scene.sentence.find("of one launch from empty caches"), std::string::npos);
    const Scene without = chart(sweptMultiply(), {1280, 720}, Language::English);
    EXPECT_FALSE(has(without, "modeled (")) << "no such point, no such key";
    EXPECT_EQ(without.sentence.find("odeled"), std::string::npos);
}

TEST(ModeledTimeTest, AChartDrawsItsErrorAndNothingOfTheKindForOthers) {
    Chart picture;
    picture.across = "n", picture.up = "time", picture.modeled = "modeled (mean error 8%)";
    const auto lines = [&](f64 low, f64 high) {
        picture.series = {{.name = "a", .source = PointSource::Modeled}};
        picture.series[0].points = {{.x = 1, .y = 10, .low = low, .high = high, .hover = "h"}};
        Canvas canvas({640, 400}, fonts());
        drawChart(canvas, {0, 0, 640, 400}, picture);
        const Scene scene = std::move(canvas).take("");
        return std::ranges::count_if(scene.marks,
                                     [](const Mark& mark) { return std::holds_alternative<LineMark>(mark); });
    };
    EXPECT_EQ(lines(9.2, 10.8), lines(10, 10) + 3) << "a line and its two ends";
}

TEST(ModeledTimeTest, AChartOffersToModelWhatNobodyMeasured) {
    const auto offer = [](const SweptRun& swept, bool titled) {
        const Scene scene = chart(swept, {1280, 720}, Language::English, titled);
        const auto found =
            std::ranges::find_if(scene.hits, [](const HitArea& area) { return area.hit.modeled; });
        return found == scene.hits.end() ? std::string()
                                         : found->hit.sweep.value_or("") + ": " + found->hit.text();
    };
    const std::string some = offer(sweptMultiply(), false);
    EXPECT_NE(some.find("width: Nobody measured the NVIDIA H200 at width = 64, 128,"), std::string::npos)
        << some;
    const std::string fewer = offer(modeledMultiply(), false);
    EXPECT_EQ(fewer.find("128"), std::string::npos) << "these are known: " << fewer;
    EXPECT_EQ(offer(sweptMultiply(), true), "") << "there is nothing to click on in a file";
}

TEST(ModeledTimeTest, ModeledChartsHaveRoomAtEverySize) {
    const SweptRun swept = modeledMultiply();
    for (const Size size :
         {Size{480, 240}, Size{640, 480}, Size{960, 600}, Size{1280, 720}, Size{2560, 1440}})
        for (const Language language : {Language::English, Language::Chinese})
            for (const bool titled : {true, false})
                expectTidy(chart(swept, size, language, titled),
                           fmt::format("{} x {}", size.width, size.height));
}

Scene timesPage(const TimedRun& timed, const IssuesOnShow* issues, bool asks, Size size,
                Language language = Language::English, std::optional<u32> percent = {}, bool titled = true) {
    return findView("times")->build({.run = timed.run,
                                     .cursor = {},
                                     .profile = model::defaultProfile(),
                                     .size = size,
                                     .language = language,
                                     .metrics = fonts(),
                                     .state = {.options = TimesOptions{.isModeled = asks}},
                                     .machines = &timed.machines,
                                     .issues = issues,
                                     .issuesPercent = percent,
                                     .titled = titled});
}

TEST(ModeledTimeTest, TimesShowsItOnlyWhenAsked) {
    const TimedRun timed = timedMultiply();
    IssuesOnShow known;
    known.set(modeled(700, 8));
    EXPECT_EQ(modeledBy(*findView("times"), TimesOptions{}), Modeled::None);
    EXPECT_EQ(modeledBy(*findView("times"), TimesOptions{.isModeled = true}), Modeled::Time);
    EXPECT_FALSE(has(timesPage(timed, &known, false, {960, 640}), "modeled"));
    const Scene shown = timesPage(timed, &known, true, {960, 640});
    EXPECT_TRUE(has(shown, "700 µs, modeled for NVIDIA H200, mean error 8%"));
    EXPECT_NE(shown.sentence.find("This run takes 700 µs, modeled for NVIDIA H200, mean error 8%."),
              std::string::npos)
        << shown.sentence;
    EXPECT_TRUE(has(timesPage(timed, nullptr, true, {960, 640}, Language::English, 37),
                    "Executing the machine code: 37%"));
    IssuesOnShow none;
    none.set(Expected<run::TimedRun>(fail(FaultKind::Unsupported, english("the kernel has problems"))));
    EXPECT_TRUE(has(timesPage(timed, &none, true, {960, 640}), "No modeled time: the kernel has problems"));
    const Scene window = timesPage(timed, nullptr, false, {960, 640}, Language::English, {}, false);
    EXPECT_TRUE(has(window, "Model the time of this run"));
}

TEST(ModeledTimeTest, TimesHasRoomForItAtEverySize) {
    const TimedRun timed = timedOnTwo();
    IssuesOnShow known;
    known.set(modeled(700, 8));
    for (const Size size :
         {Size{560, 200}, Size{640, 480}, Size{960, 600}, Size{1280, 720}, Size{2560, 1440}})
        for (const Language language : {Language::English, Language::Chinese})
            for (const bool titled : {true, false})
                expectTidy(timesPage(timed, &known, true, size, language, {}, titled),
                           fmt::format("{} x {}", size.width, size.height));
}

// A run with a hint that "wider" cures without rest: it comes after "tiled".
TimedRun curedMultiply(u64 rest) {
    TimedRun timed = timedMultiply();
    timed.machines[0].recording.device = "NVIDIA H200";
    timed.family->variants[3].after = "tiled";
    explain::Hints hints;
    hints.all.push_back({.rule = "bank_conflict",
                         .launch = {},
                         .line = {},
                         .what = {},
                         .cure = {},
                         .fix = explain::HintFix{.variant = "wider", .excess = rest}});
    timed.run.hints = std::make_shared<const explain::Hints>(std::move(hints));
    return timed;
}

RecordedCures curesOf(const TimedRun& timed) {
    return recordedCures({.run = timed.run,
                          .cursor = {},
                          .profile = model::defaultProfile(),
                          .size = {960, 640},
                          .metrics = fonts(),
                          .machines = &timed.machines});
}

TEST(ModeledTimeTest, AVariantThatTakesAllOfItAwayStandsBesideTheChange) {
    const TimedRun timed = curedMultiply(0);
    const RecordedCures cures = curesOf(timed);
    ASSERT_TRUE(cures.own);
    EXPECT_EQ(cures.own->milliseconds, 0.61);
    ASSERT_TRUE(cures.fixed.contains(time::Change::NoBankConflicts));
    EXPECT_EQ(cures.fixed.at(time::Change::NoBankConflicts).milliseconds, 0.55);
    EXPECT_TRUE(curesOf(curedMultiply(7)).fixed.empty()) << "some conflicts are left";
    TimedRun further = curedMultiply(0);
    further.family->variants[3].after = "naive";
    EXPECT_TRUE(curesOf(further).fixed.empty()) << "it changes another variant";
    TimedRun elsewhere = curedMultiply(0);
    elsewhere.machines[0].recording.device = "made-up GPU";
    EXPECT_TRUE(curesOf(elsewhere).fixed.empty()) << "not the device that is modeled";
    TimedRun smaller = curedMultiply(0);
    smaller.run.catalog->values["width"] = 512;
    EXPECT_TRUE(curesOf(smaller).fixed.empty()) << "not recorded at this size";
}

TEST(ModeledTimeTest, RecordedBarsGiveWayFirst) {
    const TimedRun timed = curedMultiply(0);
    const RecordedCures cures = curesOf(timed);
    run::ChangedTimes changes{.elapsedCycles = 1000, .simulatedSms = 1, .changes = {}};
    for (const time::ChangeRow& row : time::kChanges)
        changes.changes.push_back({.row = &row, .elapsedCycles = 800});
    Canvas canvas({960, 640}, fonts());
    ChangeBars bars(canvas, Language::English, changes, 1000, cures);
    const f32 all = bars.height();
    EXPECT_TRUE(bars.makeRoom());
    EXPECT_LT(bars.height(), all);
    EXPECT_FALSE(bars.makeRoom()) << "all changes have a time";
    ChangeBars drawn(canvas, Language::English, changes, 1000, cures);
    drawn.draw({0, 0, 960, 640});
    const Scene scene = std::move(canvas).take("");
    EXPECT_TRUE(has(scene, "recorded: Tiled, 32 x 32"));
    EXPECT_TRUE(has(scene, "610 µs"));
    EXPECT_TRUE(has(scene, "9.8% less time")) << "0.55 ms of 0.61 ms";
    EXPECT_TRUE(has(scene, "20% less time"));
}

}  // namespace
}  // namespace lockstep::viz
