// Times at several block sizes, from a recording that is written here.
#include "run/recordings/occupancy_times.h"

#include "run/resources.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

const catalog::Catalog& catalogue() {
    static const Expected<catalog::Catalog> read =
        catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    return *read;
}

RecordedRun recorded(const char* kernel, std::vector<Setting> parameters, u32 blocksPerSm, f64 milliseconds) {
    RecordedRun run;
    run.kernel = kernel;
    run.parameters = std::move(parameters);
    run.measured.registers = {32};
    run.measured.blocksPerSm = blocksPerSm;
    run.measured.timing = KernelTiming{};
    run.measured.timing->kernel.median = milliseconds;
    return run;
}

std::vector<RecordedMachine> machine(std::vector<RecordedRun> runs) {
    HardwareRecording recording;
    recording.device = "a GPU";
    recording.runs = std::move(runs);
    return recordedMachines({recording}, catalogue());
}

catalog::Experiment tiled(const char* width, const char* tile) {
    const auto [family, variant] = *catalogue().lookUp("matmul/tiled");
    catalog::Experiment experiment;
    experiment.family = family;
    experiment.variant = variant;
    experiment.values =
        *catalog::resolve(*family, *variant, std::vector<Setting>{{"width", width}, {"tile", tile}});
    return experiment;
}

TEST(OccupancyTimesTest, TakesTheRunsOwnSizeWhereItWasRecordedInSeveralBlockSizes) {
    const auto machines = machine({recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 8, 0.3),
                                   recorded("matmul/tiled", {{"width", "64"}, {"tile", "8"}}, 32, 0.5),
                                   recorded("matmul/tiled", {{"width", "1024"}, {"tile", "8"}}, 32, 3),
                                   recorded("matmul/tiled", {{"width", "1024"}, {"tile", "16"}}, 8, 2),
                                   recorded("matmul/tiled", {{"width", "1024"}, {"tile", "32"}}, 2, 1)});
    const auto times = occupancyTimes(tiled("64", "16"), machines);
    ASSERT_TRUE(times);
    EXPECT_EQ(times->parameter, "tile");
    EXPECT_EQ(times->fixed, (std::vector<Setting>{{"width", "64"}}));
    ASSERT_EQ(times->rows.size(), 2u);
    EXPECT_EQ(times->rows[0].value, "8");
    EXPECT_EQ(times->rows[0].threads, 64u);
    EXPECT_EQ(times->rows[0].warpsPerSm(), 64u);
    EXPECT_FALSE(times->rows[0].isTheRuns);
    EXPECT_TRUE(times->rows[1].isTheRuns);
    EXPECT_DOUBLE_EQ(times->rows[1].milliseconds, 0.3);
}

TEST(OccupancyTimesTest, ElseTheSizeWithMostBlockSizes) {
    const auto machines = machine({recorded("matmul/tiled", {{"width", "1024"}, {"tile", "8"}}, 32, 3),
                                   recorded("matmul/tiled", {{"width", "1024"}, {"tile", "16"}}, 8, 2),
                                   recorded("matmul/tiled", {{"width", "1024"}, {"tile", "32"}}, 2, 1),
                                   recorded("matmul/tiled", {{"width", "64"}, {"tile", "8"}}, 32, 0.5),
                                   recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 8, 0.2)});
    const auto times = occupancyTimes(tiled("64", "8"), machines);
    ASSERT_TRUE(times);
    EXPECT_EQ(times->fixed, (std::vector<Setting>{{"width", "1024"}}));
    EXPECT_EQ(times->rows.size(), 3u);
}

TEST(OccupancyTimesTest, NoneWhereOneBlockSizeWasRecorded) {
    const auto machines = machine({recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 8, 0.3),
                                   recorded("matmul/tiled", {{"width", "128"}, {"tile", "16"}}, 8, 0.4)});
    EXPECT_FALSE(occupancyTimes(tiled("64", "16"), machines));
    EXPECT_FALSE(occupancyTimes(tiled("64", "16"), {}));
}

}  // namespace
}  // namespace lockstep::run
