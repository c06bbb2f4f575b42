// The known registers of a kernel, and the resulting occupancy.
#include "run/machine/machine_run.h"

#include "catalog/prebuilt.h"
#include "run/recordings/recordings.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

constexpr const char* kPtx = R"(
.version 8.0
.target sm_52
.address_size 64
.visible .entry nothing() {
    ret;
}
)";

Run runOn(const std::string& profile) {
    Expected<ptx::Module> module = ptx::parse(kPtx, "nothing.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    Experiment experiment;
    experiment.module = std::make_shared<ptx::Module>(std::move(*module));
    experiment.launches = {{.entry = "nothing",
                            .grid = {2000, 1, 1},
                            .block = {256, 1, 1},
                            .dynamicSharedBytes = 0,
                            .arguments = {}}};
    experiment.entry = "nothing";
    Options options;
    options.backend = "emulator";
    options.profile = profile;
    Expected<Run> run = run::run(std::move(experiment), options);
    if (!run) {
        ADD_FAILURE() << describe(run.error());
        return {};
    }
    run->recording.family = "family";
    run->recording.variant = "variant";
    return std::move(*run);
}

// For a device of compute capability 9.0, whose code of the kernel uses so many registers.
HardwareRecording recordingOf(const Run& run, u32 registers) {
    Measured measured;
    measured.registers = {registers};
    measured.blocksPerSm = 2;
    return {.name = "one",
            .device = "a GPU",
            .driver = "13.0",
            .computeCapability = "9.0",
            .date = "2026-01-02",
            .runs = {{.kernel = "family/variant",
                      .parameters = {},
                      .ptxHash = catalog::hashOf(run.recording.ptx),
                      .correct = true,
                      .why = {},
                      .measured = measured,
                      .host = {},
                      .cpuMilliseconds = {}}}};
}

TEST(MachineRun, OccupancyFollowsTheRegistersOfARecordingThatIsAttachedLater) {
    auto run = runOn("cc90");
    EXPECT_EQ(run.report.occupancy.blocksPerSm, 8u) << "64 warps, as long as registers are not known";
    attachRecorded(run, std::vector{recordingOf(run, 127)});
    ASSERT_TRUE(run.measured);
    EXPECT_EQ(registersPerThread(run), 127u);
    EXPECT_EQ(run.report.occupancy.blocksPerSm, 2u) << "65,536 / (8 warps x 4,096)";
    EXPECT_EQ(run.report.occupancy.warpsPerSm, 16u);
    EXPECT_EQ(run.report.occupancy.limitedBy, "registers");
}

TEST(MachineRun, RegistersOfAnotherDevicesCodeAreNotUsed) {
    auto run = runOn("cc10");
    const u32 without = run.report.occupancy.blocksPerSm;
    attachRecorded(run, std::vector{recordingOf(run, 127)});
    ASSERT_TRUE(run.measured);
    EXPECT_FALSE(registersOf(run, run.profile));
    EXPECT_EQ(run.report.occupancy.blocksPerSm, without);
    EXPECT_TRUE(registersOf(run, *model::findProfile("cc90")));
}

TEST(MachineRun, AProfileStandsForDevicesThatHaveNoneOfTheirOwn) {
    auto run = runOn("cc90");
    run.measured = Measured{};
    run.measured->registers = {40};
    run.measured->computeCapability = "8.7";
    EXPECT_TRUE(registersOf(run, *model::findProfile("cc86")));
    EXPECT_FALSE(registersOf(run, *model::findProfile("cc80")));
    EXPECT_FALSE(registersOf(run, *model::findProfile("cc90")));
}

}  // namespace
}  // namespace lockstep::run
