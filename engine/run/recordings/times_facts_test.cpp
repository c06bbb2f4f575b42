// The times of a family, from a recording that is written here: what stands beside what, and by how much it
// is faster.
#include "run/recordings/times_facts.h"

#include "run/resources.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::run {
namespace {

const catalog::Catalog& catalogue() {
    static const Expected<catalog::Catalog> read =
        catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    return *read;
}

run::RecordedRun recorded(const char* kernel, std::vector<Setting> parameters, f64 milliseconds,
                          std::optional<f64> processor = {}) {
    RecordedRun run;
    run.kernel = kernel;
    run.parameters = std::move(parameters);
    run.measured.timing = KernelTiming{};
    run.measured.timing->kernel = {.median = milliseconds,
                                   .lowerQuartile = 0.9 * milliseconds,
                                   .upperQuartile = 1.1 * milliseconds,
                                   .least = 0,
                                   .most = 0,
                                   .runs = 20};
    run.cpuMilliseconds = processor;
    return run;
}

catalog::Experiment experiment(const char* kernel, const std::vector<Setting>& settings) {
    const auto found = *catalogue().lookUp(kernel);
    catalog::Experiment experiment;
    experiment.family = found.first;
    experiment.variant = found.second;
    experiment.values = *catalog::resolve(*found.first, *found.second, settings);
    return experiment;
}

const TimedKernel& kernelNamed(const TimesFacts& facts, std::string_view variant) {
    return *std::ranges::find_if(facts.kernels, [&](const TimedKernel& kernel) {
        return kernel.variant && kernel.variant->name == variant;
    });
}

std::vector<RecordedMachine> machine(std::vector<RecordedRun> runs) {
    HardwareRecording recording;
    recording.device = "a GPU";
    recording.runs = std::move(runs);
    return recordedMachines({recording}, catalogue());
}

TEST(TimesFactsTest, KernelsThatHaveNoParameterInCommonAreNotCompared) {
    const auto machines =
        machine({recorded("coalescing/stride", {{"n", "1048576"}, {"block", "128"}, {"stride", "2"}}, 0.02),
                 recorded("coalescing/sequential", {{"n", "1048576"}, {"block", "128"}}, 0.01),
                 recorded("coalescing/rows", {{"width", "50"}, {"height", "16"}}, 0.002)});
    const auto facts = timesFacts(experiment("coalescing/stride", {{"n", "1048576"}}), machines, 0);
    ASSERT_TRUE(facts);
    EXPECT_TRUE(kernelNamed(*facts, "sequential").run);
    EXPECT_FALSE(kernelNamed(*facts, "rows").run) << "800 elements in less time than a million is no merit";
    EXPECT_EQ(facts->fastest()->variant->name, "sequential");
}

TEST(TimesFactsTest, VariantsOfOneSizeStandSideBySide) {
    const auto machines =
        machine({recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.5),
                 recorded("matmul/naive", {{"width", "1000"}, {"tile", "16"}}, 4.0, 200.0),
                 recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 0.25),
                 recorded("matmul/tiled", {{"width", "1000"}, {"tile", "16"}}, 2.0),
                 recorded("matmul/tiled-bounds", {{"width", "1000"}, {"tile", "16"}}, 1.0)});
    const auto facts = timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->sizes.size(), 2u);
    EXPECT_TRUE(facts->isTheRuns);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "tiled").milliseconds, 0.25);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "tiled").rate, 2.0 * 64 * 64 * 64 / 0.25e-3);
    EXPECT_FALSE(kernelNamed(*facts, "tiled-bounds").run) << "it was not recorded at 64";

    const auto large = timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 2);
    ASSERT_TRUE(large);
    EXPECT_FALSE(large->isTheRuns);
    const TimedKernel &tiled = kernelNamed(*large, "tiled"), &bounds = kernelNamed(*large, "tiled-bounds");
    EXPECT_DOUBLE_EQ(tiled.step, 2.0);
    EXPECT_DOUBLE_EQ(bounds.step, 2.0);
    EXPECT_TRUE(large->isRunRecorded) << "though another size is chosen";
    EXPECT_DOUBLE_EQ(bounds.total, 4.0);
    EXPECT_EQ(large->fastest(), &bounds);
    EXPECT_FALSE(large->kernels.back().variant) << "the processor's loop comes last";
    EXPECT_DOUBLE_EQ(large->kernels.back().milliseconds, 200.0);
    EXPECT_DOUBLE_EQ(large->kernels.back().rate, 2e9 / 0.2);
}

TEST(TimesFactsTest, AKernelThatDoesNotEndHasNoTime) {
    RecordedRun hangs;
    hangs.kernel = "matmul/tiled", hangs.parameters = {{"width", "64"}, {"tile", "16"}},
    hangs.ending = Ending::Hangs;
    const auto machines = machine({recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.5), hangs});
    const auto facts = timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0);
    ASSERT_TRUE(facts) << "that it does not end is known";
    EXPECT_EQ(kernelNamed(*facts, "tiled").ended, &machines[0].recording.runs[1]);
    EXPECT_FALSE(kernelNamed(*facts, "tiled").run);
    EXPECT_FALSE(kernelNamed(*facts, "naive").ended);
    EXPECT_EQ(facts->fastest(), &kernelNamed(*facts, "naive"));
}

TEST(TimesFactsTest, AWrongResultIsNotTheFastest) {
    auto machines = machine({recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.5),
                             recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 0.25)});
    const auto fastest = [&] {
        return timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0)
            ->fastest()
            ->milliseconds;
    };
    EXPECT_EQ(fastest(), 0.25);
    machines[0].recording.runs[1].correct = false;
    EXPECT_EQ(fastest(), 0.5);
}

// The user's own machine stands first, ours beside it.
TEST(TimesFactsTest, ASecondMachineStandsBesideTheFirst) {
    auto machines = machine({recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.5),
                             recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 0.25)});
    EXPECT_FALSE(timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0)->beside);
    machines.push_back(machine({recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.1)}).front());
    EXPECT_FALSE(timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0)->beside)
        << "it has another variant alone";
    machines.push_back(machine({recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 0.125, 7.0),
                                recorded("matmul/tiled", {{"width", "1000"}, {"tile", "16"}}, 3.0)})
                           .front());

    const auto facts = timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->machine, &machines[0]);
    EXPECT_EQ(facts->beside, &machines[2]);
    const TimedKernel &tiled = kernelNamed(*facts, "tiled"), &naive = kernelNamed(*facts, "naive");
    EXPECT_DOUBLE_EQ(tiled.milliseconds, 0.25);
    EXPECT_DOUBLE_EQ(facts->comparedOf(tiled)->milliseconds, 0.125);
    EXPECT_DOUBLE_EQ(facts->comparedOf(tiled)->rate, 2 * tiled.rate);
    EXPECT_FALSE(facts->comparedOf(naive)->run) << "it was not measured there";
    EXPECT_EQ(facts->sizes.size(), 2u) << "64 of both, 1000 of the one beside";

    const auto large = timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 2);
    ASSERT_TRUE(large);
    EXPECT_FALSE(kernelNamed(*large, "tiled").run);
    EXPECT_DOUBLE_EQ(large->comparedOf(kernelNamed(*large, "tiled"))->milliseconds, 3.0);
    EXPECT_EQ(timesFacts(experiment("matmul/tiled", {{"width", "7"}}), machines, 0)->size, 0u)
        << "one of the first's";
}

// Of the sizes that differ in fewest parameters, the one that does about as much.
TEST(TimesFactsTest, ASizeNobodyRecordedShowsTheMostSimilar) {
    const auto machines = machine({recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.5),
                                   recorded("matmul/naive", {{"width", "1024"}, {"tile", "16"}}, 4.0),
                                   recorded("matmul/naive", {{"width", "1001"}, {"tile", "8"}}, 4.0),
                                   recorded("matmul/naive", {{"width", "4096"}, {"tile", "16"}}, 40.0)});
    const auto sizeAt = [&](const char* width) {
        const auto facts = timesFacts(experiment("matmul/naive", {{"width", width}}), machines, 0);
        EXPECT_TRUE(facts && !facts->isTheRuns && !facts->isRunRecorded) << width;
        return facts ? facts->sizes[facts->size].front().second : "";
    };
    EXPECT_EQ(sizeAt("7"), "64");
    EXPECT_EQ(sizeAt("1000"), "1024");
    EXPECT_EQ(sizeAt("3000"), "4096");
}

// A step is over the variant that is changed: a side branch is no step of what stands below it in the table.
TEST(TimesFactsTest, AStepIsOverTheVariantThatIsChanged) {
    const std::vector<Setting> size{{"width", "64"}, {"tile", "16"}};
    const auto machines =
        machine({recorded("matmul/naive", size, 0.5), recorded("matmul/naive-swapped", size, 4.0),
                 recorded("matmul/tiled", size, 0.25), recorded("matmul/missing-first-barrier", size, 0.2)});
    const auto facts = timesFacts(experiment("matmul/tiled", {{"width", "64"}}), machines, 0);
    ASSERT_TRUE(facts);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "naive-swapped").step, 0.125);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "tiled").step, 2.0) << "over naive, not over what stands before it";
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "missing-first-barrier").step, 1.25) << "over tiled";
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "naive").step, 0);
    const auto alone =
        machine({recorded("matmul/naive", size, 0.5), recorded("matmul/missing-first-barrier", size, 0.2)});
    EXPECT_DOUBLE_EQ(kernelNamed(*timesFacts(experiment("matmul/naive", {{"width", "64"}}), alone, 0),
                                 "missing-first-barrier")
                         .step,
                     0)
        << "nobody timed what it changes";
}

TEST(TimesFactsTest, ShortTimesMeasuredInTwoWaysGiveNoStep) {
    for (const f64 milliseconds : {0.004, 0.06}) {
        std::vector<RecordedRun> runs{recorded("reduction/grid-stride", {{"n", "1024"}}, milliseconds),
                                      recorded("reduction/single-pass", {{"n", "1024"}}, milliseconds)};
        runs[0].measured.timing->batch = 50;
        const auto machines = machine(runs);
        const auto facts = timesFacts(experiment("reduction/single-pass", {{"n", "1024"}}), machines, 0);
        ASSERT_TRUE(facts);
        EXPECT_EQ(kernelNamed(*facts, "single-pass").step, milliseconds < 0.05 ? 0 : 1)
            << "run by run, not many in a row";
    }
}

TEST(TimesFactsTest, ACopySaysWhatMemoryCanDo) {
    const auto machines = machine({recorded("transpose/copy", {{"rows", "1000"}, {"columns", "1000"}}, 2.0),
                                   recorded("reduction/v0", {{"n", "1000000"}, {"block", "128"}}, 4.0)});
    EXPECT_DOUBLE_EQ(machines[0].copyRate, 8e6 / 2e-3);
    const auto facts = timesFacts(experiment("reduction/v0", {}), machines, 0);
    ASSERT_TRUE(facts);
    EXPECT_FALSE(facts->countsOperations);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "v0").rate, 4e6 / 4e-3);
}

TEST(TimesFactsTest, WhatDeviceMemoryMovedIsAsCounted) {
    auto counted = recorded("matmul/naive", {{"width", "64"}, {"tile", "16"}}, 0.5);
    counted.measured.counters = {
        {"dram__sectors_read", 100}, {"dram__sectors_write", 28}, {"lts__t_sectors", 5}};
    const auto machines =
        machine({counted, recorded("matmul/tiled", {{"width", "64"}, {"tile", "16"}}, 0.25)});
    const auto facts = timesFacts(experiment("matmul/naive", {{"width", "64"}}), machines, 0);
    ASSERT_TRUE(facts);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "naive").deviceBytes, 128 * 32);
    EXPECT_DOUBLE_EQ(kernelNamed(*facts, "tiled").deviceBytes, 0) << "nobody counted";
}

TEST(TimesFactsTest, AMeasurementIsOfItsOwnKindOfDevice) {
    run::Run run;
    EXPECT_TRUE(measurementsOf(run, {}).all.empty());
    run.measured = Measured{};
    run.measured->computeCapability = "9.0";
    const KnownMeasurements known = measurementsOf(run, {});
    EXPECT_EQ(measuredOn(*model::findProfile("cc90"), known), &known.all.front());
    EXPECT_EQ(measuredOn(*model::findProfile("cc80"), known), nullptr);
}

TEST(TimesFactsTest, CountersOfAnotherMachineStandBesideThose) {
    KnownMeasurements known;
    known.all.resize(3);
    known.all[0].computeCapability = "12.0", known.all[0].counters = {{"dram__sectors_read", 1}};
    known.all[1].computeCapability = "9.0", known.all[1].counters = {{"dram__sectors_read", 2}};
    const auto beside = [&](const char* profile) {
        return countedBeside(measuredOn(*model::findProfile(profile), known), known);
    };
    EXPECT_EQ(beside("cc90"), &known.all[0]);
    EXPECT_EQ(beside("cc120"), &known.all[1]);
    EXPECT_EQ(beside("cc80"), nullptr) << "beside nothing";
    known.all[0].counters.clear();
    EXPECT_EQ(beside("cc90"), nullptr) << "nobody counted";
}

TEST(TimesFactsTest, WithoutARecordingThereAreNone) {
    EXPECT_FALSE(timesFacts(experiment("matmul/tiled", {}), {}, 0));
    const auto machines = machine({recorded("matmul/naive", {{"width", "64"}}, 0.5)});
    EXPECT_FALSE(timesFacts(experiment("transpose/copy", {}), machines, 0));
}

}  // namespace
}  // namespace lockstep::run
