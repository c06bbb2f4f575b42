// Which points of a sweep the cycle model is asked for, and what becomes of its answer.
#include "run/sweep/modeled_times.h"

#include "run/resources.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

const Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& kernels() {
    static const catalog::Catalog catalog = *catalog::Catalog::read(kResources.kernels());
    return catalog;
}

SweepPlan widths() {
    return planSweep(kernels(), std::vector<std::string>{"matmul/tiled"},
                     std::vector<Setting>{{"width", "16,64,128"}, {"tile", "16"}})
        .value();
}

std::vector<s64> toModel(const Sweep& sweep) {
    std::vector<s64> values;
    for (const SweepTask& task : tasksToModel(widths(), sweep, "NVIDIA H200"))
        values.push_back(task.value);
    return values;
}

Run runAt(s64 width) {
    Run run;
    const auto [family, variant] = *kernels().lookUp("matmul/tiled");
    const std::vector<Setting> settings{{"width", std::to_string(width)}};
    run.catalog = catalog::Experiment{.family = family,
                                      .variant = variant,
                                      .values = *catalog::resolve(*family, *variant, settings),
                                      .buffers = {},
                                      .launches = {},
                                      .expected = {}};
    run.profile = model::defaultProfile();
    return run;
}

TimedRun timed(f64 microseconds, std::optional<f64> error) {
    return {
        .microseconds = microseconds, .compiler = {}, .error = {}, .errorBrief = {}, .errorPercent = error};
}

TEST(ModeledTimes, AreAskedForWhereNobodyMeasuredTheDevice) {
    const SweepPlan plan = widths();
    Sweep sweep = emptySweep(plan);
    EXPECT_EQ(modeledDevice(model::defaultProfile()), "NVIDIA H200");
    EXPECT_EQ(toModel(sweep), (std::vector<s64>{16, 64, 128}));
    const SweepSeries recorded{.variant = plan.variants[0], .source = SweepSource::Recording};
    SweepSeries here = recorded, elsewhere = recorded;
    here.device = "NVIDIA H200", elsewhere.device = "NVIDIA GeForce RTX 5090";
    addPoint(sweep, elsewhere, {.value = 16, .metrics = {{"time_ms", 1}}});
    addPoint(sweep, here, {.value = 64, .metrics = {{"time_ms", 1}}});
    addPoint(sweep, here, {.value = 128, .metrics = {{"bank_conflicts", 1}}});
    EXPECT_EQ(toModel(sweep), (std::vector<s64>{16, 128})) << "another GPU's time is not this one's";
    addModeled(sweep, {plan.variants[0], {}, 16}, runAt(16), timed(2, 8));
    addModeled(sweep, {plan.variants[0], {}, 128}, runAt(128),
               fail(FaultKind::Unsupported, english("no time")));
    EXPECT_TRUE(toModel(sweep).empty()) << "that there is none is an answer, too";
}

TEST(ModeledTimes, StandInTheSweepWithTheirErrorAndTheRatesOfTheWork) {
    const SweepPlan plan = widths();
    Sweep sweep = emptySweep(plan);
    addModeled(sweep, {plan.variants[0], {}, 64}, runAt(64), timed(2, 8));
    ASSERT_EQ(sweep.series.size(), 1u);
    const SweepSeries& series = sweep.series[0];
    EXPECT_STREQ(nameOf(series.source), "model");
    EXPECT_EQ(series.device, "NVIDIA H200");
    const SweepPoint& point = series.points.at(0);
    EXPECT_EQ(point.metrics.at("time_ms"), 0.002);
    EXPECT_EQ(point.metrics.at("tflops"), 2.0 * 64 * 64 * 64 / (1e9 * 0.002));
    EXPECT_EQ(point.modelErrorPercent, 8);
    EXPECT_TRUE(hasModeled(sweep));
    EXPECT_EQ(defaultMetric(sweep).name, "time") << "one is enough: it was asked for";
    EXPECT_FALSE(sweep.hasErrors());
}

TEST(ModeledTimes, SayWhyThereIsNone) {
    Sweep sweep = emptySweep(widths());
    addModeled(sweep, {widths().variants[0], {}, 64}, runAt(64),
               fail(FaultKind::Unsupported, english("no time")));
    EXPECT_FALSE(hasModeled(sweep));
    EXPECT_NE(defaultMetric(sweep).name, "time");
    ASSERT_TRUE(sweep.series.at(0).points.at(0).error);
    EXPECT_EQ(sweep.series[0].points[0].error->message.english(), "no time");
}

}  // namespace
}  // namespace lockstep::run
