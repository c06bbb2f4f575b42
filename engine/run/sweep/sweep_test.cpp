// Plans of sweeps and what their points have, with the catalog and the recordings that ship.
#include "run/sweep/sweep.h"

#include "run/recordings/recordings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::run {
namespace {

const catalog::Catalog& kernels() {
    static const catalog::Catalog catalog = *catalog::Catalog::read(LOCKSTEP_SOURCE_DIR "/kernels");
    return catalog;
}

Expected<SweepPlan> plan(std::vector<std::string> words, std::vector<Setting> settings) {
    return planSweep(kernels(), words, settings);
}

std::string mistake(std::vector<std::string> words, std::vector<Setting> settings) {
    const auto planned = plan(std::move(words), std::move(settings));
    return planned ? "none" : planned.error().message.english();
}

std::string tasks(const SweepPlan& plan) {
    std::vector<std::string> all;
    for (const SweepTask& task : tasksOf(plan))
        all.push_back(fmt::format("{}{}:{}", task.variant->name,
                                  task.setting ? "/" + task.setting->second : "", task.value));
    return fmt::format("{}", fmt::join(all, " "));
}

TEST(SweepPlan, RunsAllSeriesAtTheSmallestValueFirst) {
    const auto two = plan({"matmul/naive", "tiled"}, {{"width", "256,64"}, {"tile", "8"}});
    ASSERT_TRUE(two) << describe(two.error());
    EXPECT_EQ(tasks(*two), "naive:64 tiled:64 naive:256 tiled:256");
    EXPECT_EQ(two->fixed, (std::vector<Setting>{{"tile", "8"}}));
    const auto series = plan({"matmul/tiled"}, {{"tile", "8,16"}, {"width", "64:128:x2"}});
    ASSERT_TRUE(series);
    EXPECT_EQ(series->parameter, "width") << "the one with a first and a last value";
    EXPECT_EQ(tasks(*series), "tiled/8:64 tiled/16:64 tiled/8:128 tiled/16:128");
    const auto both = plan({"matmul/tiled"}, {{"tile", "8,16"}, {"width", "64,128"}});
    ASSERT_TRUE(both);
    EXPECT_EQ(both->parameter, "tile") << "the first";
}

TEST(SweepPlan, TakesOfAFamilyTheVariantsThatHaveTheParameter) {
    const auto all = plan({"matmul"}, {{"width", "64,128"}});
    ASSERT_TRUE(all);
    EXPECT_GT(all->variants.size(), 10u);
    EXPECT_EQ(std::ranges::count(all->variants, "rectangular", &catalog::Variant::name), 0);
}

TEST(SweepPlan, SaysWhatIsWrong) {
    EXPECT_EQ(mistake({}, {{"width", "1,2"}}),
              "say what to sweep: FAMILY, or FAMILY/VARIANT (lockstep list shows them)");
    EXPECT_EQ(mistake({"matmul/tiled"}, {{"width", "64"}}),
              "say which parameter to sweep: --set width=64:4096:x2, width=16:256:+16 or width=64,256,1024");
    EXPECT_EQ(mistake({"matmul/tiled"}, {{"widht", "64,128"}}),
              "--set widht=64,128: none of these kernels has a parameter 'widht'; did you mean 'width'? "
              "(lockstep list shows them)");
    EXPECT_EQ(mistake({"matmul/tiled"}, {{"width", "64,wide"}}),
              "--set width=64,wide: wide is not a whole number");
    EXPECT_EQ(mistake({"matmul/tiled", "reduction/v0"}, {{"width", "64,128"}}),
              "matmul and reduction are two families; a sweep takes variants of one");
    EXPECT_EQ(mistake({"matmul/naive", "matmul/rectangular"}, {{"width", "64,128"}}),
              "matmul/rectangular has no parameter 'width'; leave it out");
    EXPECT_EQ(mistake({"matmul"}, {{"width", "64,128"}, {"j", "1,2"}}),
              "no variant of matmul has both 'width' and 'j'");
    EXPECT_EQ(mistake({"matmul"}, {{"width", "1,2"}, {"j", "1,2"}, {"k", "1,2"}}),
              "3 parameters have several values; a sweep takes one, and a second for its series");
}

TEST(SweepPlan, AValueOutOfRangeIsTheFaultOfItsPoint) {
    const auto wide = plan({"matmul/tiled"}, {{"width", "4096,8192"}});
    ASSERT_TRUE(wide);
    EXPECT_TRUE(valuesOf(*wide, tasksOf(*wide)[0]));
    const auto values = valuesOf(*wide, tasksOf(*wide)[1]);
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().message.english(), "width=8192 is not possible; width can be 1 to 4096");
}

Run counted(std::map<std::string, u64> counters) {
    Run run;
    run.recording.complete = true;
    run.profile.name = "cc90";
    run.report.counters = std::move(counters);
    return run;
}

TEST(Sweep, DerivesRatiosFromCounters) {
    const MetricValues values =
        modelMetricsOf(counted({{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 80},
                                {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 10},
                                {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 40},
                                {"l1tex__t_requests_pipe_lsu_mem_global_op_st", 20},
                                {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", 20},
                                {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 3},
                                {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", 4}}));
    EXPECT_EQ(values.at("sectors_per_request"), 4);
    EXPECT_EQ(values.at("sectors_per_load_request"), 8);
    EXPECT_EQ(values.at("global_sectors"), 120);
    EXPECT_EQ(values.at("l1_hit_rate"), 25);
    EXPECT_EQ(values.at("bank_conflicts"), 7);
    EXPECT_FALSE(values.contains("l2_hit_rate")) << "nothing was read there";
    EXPECT_FALSE(values.contains("time_ms"));
}

TEST(Sweep, PointsAreAscendingAndEachOnce) {
    const auto planned = plan({"matmul/tiled"}, {{"width", "64,128"}});
    Sweep sweep = emptySweep(*planned);
    const std::vector<SweepTask> all = tasksOf(*planned);
    addRun(sweep, all[1], counted({{"ptx__inst_executed", 2}}));
    addRun(sweep, all[0], counted({{"ptx__inst_executed", 1}}));
    addRun(sweep, all[1], counted({{"ptx__inst_executed", 3}}));
    ASSERT_EQ(sweep.series.size(), 1u);
    ASSERT_EQ(sweep.series[0].points.size(), 2u);
    EXPECT_EQ(sweep.series[0].points[0].value, 64);
    EXPECT_EQ(sweep.series[0].points[1].metrics.at("ptx__inst_executed"), 3);
    EXPECT_FALSE(sweep.hasErrors());
    addError(sweep, all[0], SweepSource::Emulator, "cc90",
             fail(FaultKind::Usage, english("the step must be 1 or more")).value());
    EXPECT_EQ(sweep.series.size(), 1u);
    EXPECT_TRUE(sweep.hasErrors());
}

TEST(Sweep, HasOfARecordingThePointsThatAreLikeItsOwn) {
    const Expected<HardwareRecording> recording =
        readRecording(LOCKSTEP_SOURCE_DIR "/assets/recordings/nvidia-h200.json");
    ASSERT_TRUE(recording);
    const std::vector<RecordedMachine> machines{{*recording, 0}};
    const auto planned = plan({"matmul/tiled"}, {{"width", "64,128,1024"}, {"tile", "16,8"}});
    Sweep sweep = emptySweep(*planned);
    addRecorded(sweep, *planned, machines);
    const auto* run = recording->findRun("matmul/tiled", {{"width", "1024"}, {"tile", "8"}});
    ASSERT_TRUE(run);
    const auto series = std::ranges::find_if(sweep.series, [](const SweepSeries& one) {
        return one.variant && one.setting && one.setting->second == "8";
    });
    ASSERT_NE(series, sweep.series.end());
    EXPECT_EQ(series->source, SweepSource::Recording);
    EXPECT_EQ(series->device, "NVIDIA H200");
    ASSERT_EQ(series->points.size(), 1u) << "128 was not recorded, 64 with another tile";
    EXPECT_EQ(series->points[0].metrics.at("time_ms"), run->measured.timing->kernel.median);
    EXPECT_EQ(series->points[0].metrics.at("first_launch_ms"), run->host->firstMs);
    EXPECT_EQ(series->points[0].metrics.at("tflops"),
              2.0 * 1024 * 1024 * 1024 / (1e9 * run->measured.timing->kernel.median));
    EXPECT_EQ(defaultMetric(sweep).name, "time");
}

TEST(Sweep, TakesAnotherNumberOfBlocksWhereTheWorkIsTheSame) {
    const Expected<HardwareRecording> recording =
        readRecording(LOCKSTEP_SOURCE_DIR "/assets/recordings/nvidia-h200.json");
    ASSERT_TRUE(recording);
    const std::vector<RecordedMachine> machines{{*recording, 0}};
    const auto pointsOf = [&](const std::vector<Setting>& settings) {
        const auto planned = plan({"reduction/v6"}, settings);
        Sweep sweep = emptySweep(*planned);
        addRecorded(sweep, *planned, machines);
        const auto series =
            std::ranges::find_if(sweep.series, [](const SweepSeries& one) { return one.variant != nullptr; });
        return series == sweep.series.end() ? std::vector<SweepPoint>{} : series->points;
    };
    const std::vector<SweepPoint> free = pointsOf({{"n", "1024,65536,4194304"}, {"block", "128"}});
    ASSERT_EQ(free.size(), 3u);
    const auto blocks = [](const SweepPoint& point) {
        return std::ranges::find(point.others, "blocks", &Setting::first)->second;
    };
    EXPECT_EQ(blocks(free[0]), "2") << "the default, which was recorded";
    EXPECT_EQ(blocks(free[2]), "1056");
    EXPECT_EQ(pointsOf({{"n", "1024,65536,4194304"}, {"block", "128"}, {"blocks", "2"}}).size(), 1u)
        << "what was chosen stays";
}

TEST(Sweep, ShowsTheTimeWhereHalfOfTheValuesHaveOne) {
    const auto planned = plan({"matmul/tiled"}, {{"width", "1:8:+1"}});
    Sweep sweep = emptySweep(*planned);
    for (const SweepTask& task : tasksOf(*planned))
        addRun(sweep, task, counted({{"ptx__thread_inst_executed", 7}}));
    EXPECT_EQ(defaultMetric(sweep).key, "ptx__thread_inst_executed") << "nothing else is there";
    sweep.series[0].points[0].metrics["time_ms"] = 1;
    sweep.series[0].points[1].metrics["time_ms"] = 2;
    EXPECT_NE(defaultMetric(sweep).name, "time");
    for (SweepPoint& point : sweep.series[0].points)
        point.metrics["sectors_per_request"] = 4, point.metrics["bank_conflicts"] = f64(point.value);
    EXPECT_EQ(defaultMetric(sweep).name, "bank_conflicts") << "sectors are the same everywhere";
    for (SweepPoint& point : sweep.series[0].points)
        if (point.value <= 4) point.metrics["time_ms"] = 1;
    EXPECT_EQ(defaultMetric(sweep).name, "time");
}

TEST(SweepMetrics, AreFoundByNameByKeyAndAsNcuHasThem) {
    EXPECT_EQ(findSweepMetric("time")->key, "time_ms");
    EXPECT_EQ(findSweepMetric("time_ms")->name, "time");
    EXPECT_EQ(findSweepMetric("dram__sectors_read.sum")->key, "dram__sectors_read");
    EXPECT_EQ(findSweepMetric("tim"), nullptr);
    for (const SweepMetric& metric : sweepMetrics()) {
        EXPECT_EQ(findSweepMetric(metric.name), &metric);
        EXPECT_EQ(findSweepMetric(metric.key), &metric);
    }
}

}  // namespace
}  // namespace lockstep::run
