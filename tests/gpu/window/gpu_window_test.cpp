// The window on a machine with a (fake) GPU: found, chosen, used, lost.
#include "../fake_machine.h"
#include "app/shell/window_tests/window_driver.h"
#include "run/recordings/times_facts.h"

namespace lockstep::shell {
namespace {

constexpr const char* kEmulatorSwitch = "//##bar/backend/$$0/##segment";
constexpr const char* kGpuSwitch = "//##bar/backend/$$1/##segment";

std::function<void(Request&)> with(const FakeMachine& machine, const std::string& backend = "auto") {
    return [command = machine.command(), backend](Request& request) {
        request.gpuWorker = command;
        request.backend = backend;
    };
}

void awaitGpus(Hand& hand) {
    hand.await([&] { return hand.state().gpus.names.has_value(); }, "it is known whether there is a GPU");
}

TEST(GpuWindow, UsesTheGpuThatItFindsAndTheEmulatorWhereThatIsChosen) {
    const FakeMachine machine("");
    withWindow(with(machine), [](Hand& hand) {
        awaitGpus(hand);
        hand.awaitRun();
        hand.await([&] { return hand.state().run->measured.has_value() && !hand.state().job.running; },
                   "the run on the GPU");
        EXPECT_EQ(hand.state().run->traceSource, "gpu");
        EXPECT_EQ(hand.state().run->measured->device, "Fake GPU");
        EXPECT_TRUE(hand.state().run->measured->timing);
        EXPECT_TRUE(hand.state().run->comparison->correct);
        EXPECT_FALSE(hand.state().fault);
        EXPECT_FALSE(hand.state().run->measured->timing->coldCache);
        hand.photograph("gpu");
        const auto warm = hand.state().run;
        hand.choose(kGpuSwitch, "Flush L2 before each timed run");
        hand.await(
            [&] {
                return hand.state().run != warm && hand.state().run->measured && !hand.state().job.running;
            },
            "the run that is timed so");
        EXPECT_TRUE(hand.state().run->measured->timing->coldCache);

        hand.press(ImGuiKey_RightArrow);
        hand.press(ImGuiKey_RightArrow);
        const u32 step = hand.state().cursor.step;
        hand.click(kEmulatorSwitch);
        hand.await([&] { return !hand.state().job.running; }, "the run on the emulator");
        EXPECT_EQ(hand.state().backend, "emulator");
        EXPECT_EQ(hand.state().run->traceSource, "emulator");
        EXPECT_FALSE(hand.state().run->measured);
        EXPECT_EQ(hand.state().cursor.step, step) << "the same place on the other machine";
        hand.click(kGpuSwitch);
        hand.await([&] { return !hand.state().job.running; }, "the run on the GPU again");
        EXPECT_EQ(hand.state().backend, "gpu");
        EXPECT_EQ(hand.state().run->traceSource, "gpu");
    });
}

TEST(GpuWindow, SaysWhyThereIsNone) {
    const FakeMachine machine("cuInit=100");
    withWindow(with(machine), [](Hand& hand) {
        awaitGpus(hand);
        hand.awaitRun();
        ASSERT_TRUE(hand.state().gpus.why);
        EXPECT_NE(hand.state().gpus.why->message.english().find("the NVIDIA driver finds no GPU"),
                  std::string::npos);
        EXPECT_FALSE(hand.state().fault) << "nobody insisted on one";
        const auto run = hand.state().run;
        hand.click(kGpuSwitch);
        EXPECT_EQ(hand.state().backend, "auto") << "the switch is off";
        EXPECT_EQ(hand.state().run, run);
        EXPECT_EQ(run->traceSource, "emulator");
        hand.photograph("no-gpu");
    });
    withWindow(with(machine, "gpu"), [](Hand& hand) {
        awaitGpus(hand);
        hand.awaitRun();
        EXPECT_TRUE(hand.state().fault) << "who insists is told at once";
        EXPECT_TRUE(hand.state().run->comparison->correct);
    });
}

TEST(GpuWindow, ChoosesBetweenTwoGpus) {
    const FakeMachine machine("devices=2");
    withWindow(with(machine), [](Hand& hand) {
        awaitGpus(hand);
        hand.await(
            [&] { return hand.state().run && hand.state().run->measured && !hand.state().job.running; },
            "the run on the GPU");
        hand.choose(kGpuSwitch, "GPU 1   Second fake GPU");
        EXPECT_EQ(hand.state().device, 1u);
        hand.await([&] { return !hand.state().job.running; }, "the run on the second GPU");
        EXPECT_EQ(hand.state().run->measured->device, "Second fake GPU");
    });
}

// The kernel is stopped for an illegal address: the process is gone, the window is not, and the next run has
// a new one.
TEST(GpuWindow, OutlivesTheWorkerProcess) {
    std::optional<FakeMachine> machine(std::in_place, "cuLaunchKernel=crash");
    withWindow(with(*machine), [&](Hand& hand) {
        awaitGpus(hand);
        hand.await([&] { return hand.state().fault.has_value(); }, "what went wrong is said");
        EXPECT_NE(hand.state().fault->message.english().find(
                      "the GPU worker ended while running the kernel (signal 6)"),
                  std::string::npos)
            << hand.state().fault->message.english();
        EXPECT_EQ(hand.state().run->traceSource, "emulator");
        hand.photograph("gpu-lost");

        machine.reset();
        machine.emplace("cuCtxSynchronize=700");
        hand.click("//##experiment/run/##text");
        hand.await([&] { return !hand.state().job.running; }, "the next run");
        ASSERT_TRUE(hand.state().fault);
        EXPECT_NE(hand.state().fault->message.english().find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos)
            << hand.state().fault->message.english();
        EXPECT_TRUE(hand.state().run->gpuFault);

        machine.reset();
        machine.emplace("");
        hand.click("//##experiment/run/##text");
        hand.await([&] { return !hand.state().job.running; }, "the run after");
        EXPECT_FALSE(hand.state().fault);
        EXPECT_EQ(hand.state().run->traceSource, "gpu");
    });
}

TEST(GpuWindow, EndsAKernelThatHangsWhenAskedTo) {
    const FakeMachine machine("cuCtxSynchronize=hang");
    withWindow(with(machine), [](Hand& hand) {
        awaitGpus(hand);
        hand.await(
            [&] {
                return hand.state().job.running &&
                       hand.state().job.progress->activity == run::Activity::Running;
            },
            "the kernel runs on the GPU");
        EXPECT_EQ(hand.state().run->traceSource, "emulator") << "the emulator's answer is there meanwhile";
        hand.await([&] { return hand.state().job.seconds > 0.6; }, "its progress is shown");
        hand.photograph("gpu-running");
        hand.click("//##experiment/cancel/##text");
        EXPECT_FALSE(hand.state().job.running);
        hand.click(kEmulatorSwitch);
        hand.await([&] { return !hand.state().job.running; }, "the emulator runs");
        EXPECT_FALSE(hand.state().fault);
    });
}

// Without a GPU, what a recording measured stands in the result, with machine, driver and date.
TEST(GpuWindow, HasWhatARecordingMeasuredWhereThereIsNoGpu) {
    const auto recordings = run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(recordings) << describe(recordings.error());
    const auto prepare = [&](Request& request) {
        request.machines = std::make_shared<const RecordedMachines>(
            [&recordings, catalog = request.catalog]() -> Expected<RecordedMachines::All> {
                return std::make_shared<const std::vector<run::RecordedMachine>>(
                    run::recordedMachines(*recordings, *catalog));
            });
        request.choice = {"matmul", "tiled", {{"width", 64}, {"tile", 16}}};
    };
    withWindow(prepare, [](Hand& hand) {
        hand.awaitRun();
        ASSERT_TRUE(hand.state().run->measured && hand.state().run->measured->timing);
        EXPECT_EQ(hand.state().run->measured->recording, "nvidia-h200");
        EXPECT_EQ(hand.state().run->traceSource, "emulator");
        hand.photograph("recorded");
    });
}

}  // namespace
}  // namespace lockstep::shell
