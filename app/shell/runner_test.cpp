#include "app/shell/runner.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

namespace lockstep::shell {
namespace {

TEST(Runner, LeavesTheProcessorToTheFrames) {
    const catalog::Catalog catalog;
    std::promise<int> ofItsThread;
    Runner runner({.catalog = catalog, .resources = {}, .gpuWorker = {}, .machines = {}},
                  [&] { ofItsThread.set_value(getpriority(PRIO_PROCESS, 0)); });
    runner.lookForGpus();
    EXPECT_GT(ofItsThread.get_future().get(), getpriority(PRIO_PROCESS, 0));
}

// Everything that arrives until `count` points of the sweep have, or a minute is over.
std::vector<app::SweepPointArrived> pointsOf(Runner& runner, std::size_t count) {
    std::vector<app::SweepPointArrived> points;
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (points.size() < count && std::chrono::steady_clock::now() < until) {
        for (const app::Action& action : runner.take())
            if (const auto* point = action.as<app::SweepPointArrived>()) points.push_back(*point);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return points;
}

TEST(Runner, SweepsPointByPointAndRunsBetweenThem) {
    const run::Resources resources{LOCKSTEP_SOURCE_DIR};
    const catalog::Catalog catalog = catalog::Catalog::read(resources.kernels()).value();
    const auto [family, variant] = catalog.lookUp("matmul/tiled").value();
    const catalog::Values values = catalog::resolve(*family, *variant, {}).value();
    Runner runner({.catalog = catalog, .resources = resources, .gpuWorker = {}, .machines = {}}, [] {});
    app::RunSweep job{.ticket = 3,
                      .plan = run::proposedSweep(*family, {variant}, values, "width"),
                      .progress = std::make_shared<Progress>(),
                      .device = {}};
    job.tasks = run::tasksOf(job.plan);
    const std::size_t count = job.tasks.size();
    runner.sweep(job);
    runner.start({.ticket = 4,
                  .choice = {"matmul", "naive", values},
                  .focus = {},
                  .progress = std::make_shared<app::JobProgress>(),
                  .device = {}});
    const std::vector<app::SweepPointArrived> points = pointsOf(runner, count);
    ASSERT_EQ(points.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(points[i].ticket, 3u);
        EXPECT_EQ(points[i].done, i + 1) << "an interrupted one is run again";
        EXPECT_EQ(points[i].total, count);
        ASSERT_EQ(points[i].points->series.size(), 1u);
        EXPECT_TRUE(points[i].points->series[0].has("ptx__inst_executed"));
    }
    runner.sweep(job);
    job.progress->cancelled = true;
    runner.cancelSweep();
    EXPECT_LT(pointsOf(runner, 0).size(), count);
}

TEST(Runner, ModelsTheTimesOfASweepAndSaysWhereThereAreNone) {
    const run::Resources resources{LOCKSTEP_SOURCE_DIR};
    const catalog::Catalog catalog = catalog::Catalog::read(resources.kernels()).value();
    const auto [family, variant] = catalog.lookUp("divergence/parity").value();
    const auto trips = catalog.lookUp("divergence/trip-counts").value().second;
    const catalog::Values values = catalog::resolve(*family, *variant, {}).value();
    Runner runner({.catalog = catalog, .resources = resources, .gpuWorker = {}, .machines = {}}, [] {});
    app::RunSweep job{.ticket = 5,
                      .plan = run::proposedSweep(*family, {variant, trips}, values, "n"),
                      .progress = std::make_shared<Progress>(),
                      .device = {},
                      .modeled = true};
    job.tasks = {{variant, {}, values.at("n")}, {trips, {}, values.at("n")}};
    runner.sweep(job);
    const std::vector<app::SweepPointArrived> points = pointsOf(runner, 2);
    ASSERT_EQ(points.size(), 2u);
    const auto modeled = [&](std::size_t i) {
        const auto& all = points[i].points->series;
        const auto found = std::ranges::find(all, run::SweepSource::Model, &run::SweepSeries::source);
        return found == all.end() ? run::SweepPoint{} : found->points.at(0);
    };
    EXPECT_GT(modeled(0).metrics.at("time_ms"), 0);
    EXPECT_GT(modeled(0).modelErrorPercent.value_or(0), 0);
    EXPECT_TRUE(modeled(1).metrics.empty());
    EXPECT_TRUE(modeled(1).error) << "its machine code loads more sectors than its PTX";
}

}  // namespace
}  // namespace lockstep::shell
