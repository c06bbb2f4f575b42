// The worker process and what it does on a (fake) GPU: results, guard zones, times, counters, and every way
// to fail.
#include "cuda/worker/worker.h"

#include "fake_machine.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr const char* kPtx =
    ".version 8.0\n.target sm_50\n// nothing add_one write_behind store_control once\n";

Buffer floats(const std::vector<float>& values) {
    Buffer buffer{.name = "data", .type = ElementType::F32, .shape = {values.size()}, .bytes = {}};
    buffer.bytes.resize(values.size() * sizeof(float));
    std::memcpy(buffer.bytes.data(), values.data(), buffer.bytes.size());
    return buffer;
}

// kernel(buffer, number of its elements)
cuda::Job jobOf(const std::string& kernel, u32 launches = 1) {
    const s32 count = 3;
    std::vector<std::byte> scalar(sizeof count);
    std::memcpy(scalar.data(), &count, sizeof count);
    cuda::Job job;
    job.ptx = kPtx;
    job.buffers.push_back(floats({1, 2, 3}));
    for (u32 i = 0; i < launches; ++i)
        job.launches.push_back({.entry = kernel,
                                .grid = {},
                                .block = {32, 1, 1},
                                .dynamicSharedBytes = 0,
                                .arguments = {BufferArgument{0}, ScalarArgument{scalar}}});
    return job;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(GpuWorker, RunsAllLaunchesAndBringsTheResultsBack) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const cuda::JobReport report = worker.run(jobOf("add_one", 2), {});
    ASSERT_FALSE(report.fault) << report.fault->message.english();
    ASSERT_TRUE(report.outcome);
    EXPECT_EQ(report.outcome->device.name, "Fake GPU");
    EXPECT_EQ(report.outcome->driver, "13.0");
    EXPECT_EQ(report.outcome->buffers[0].bytes, floats({3, 4, 5}).bytes);
    ASSERT_EQ(report.outcome->launches.size(), 2u);
    EXPECT_EQ(report.outcome->launches[0].registers, 10u);
    EXPECT_EQ(report.outcome->launches[0].blocksPerSm, 64u);
    EXPECT_TRUE(report.outcome->strays.empty());
    EXPECT_FALSE(report.timing);
    EXPECT_FALSE(report.counted);
}

TEST(GpuWorker, SetsVariablesAndBringsScratchMemoryBack) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("store_control");
    job.scratch = {{.bytes = 64, .wanted = false}, {.bytes = 16}};
    job.settings = {{"control", 0, true, 2}, {"control", 8, false, 77}};
    const cuda::JobReport report = worker.run(job, {});
    ASSERT_FALSE(report.fault) << report.fault->message.english();
    ASSERT_EQ(report.outcome->scratch.size(), 2u);
    EXPECT_TRUE(report.outcome->scratch[0].empty());
    ASSERT_EQ(report.outcome->scratch[1].size(), 16u);
    u64 words[2];
    std::memcpy(words, report.outcome->scratch[1].data(), sizeof words);
    EXPECT_EQ(words[0], 0u);  // zeros at first
    EXPECT_EQ(words[1], 77u);
    ASSERT_EQ(report.outcome->addresses.size(), 1u);
    EXPECT_EQ(report.outcome->addresses[0] % 256, 0u);

    job.settings = {{"control", 16, false, 1}};
    EXPECT_TRUE(contains(worker.run(job, {}).fault->message.english(), "outside of its variable"));
    job.settings = {{"control", 0, true, 3}};
    EXPECT_TRUE(contains(worker.run(job, {}).fault->message.english(), "a buffer that does not exist"));
}

TEST(GpuWorker, FindsWritesIntoTheGuardZones) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const cuda::JobReport report = worker.run(jobOf("write_behind"), {});
    ASSERT_TRUE(report.outcome);
    ASSERT_EQ(report.outcome->strays.size(), 1u);
    EXPECT_EQ(report.outcome->strays[0].buffer, 0u);
    EXPECT_EQ(report.outcome->strays[0].offset, 12);
    EXPECT_EQ(report.outcome->strays[0].bytes, 4u);
}

TEST(GpuWorker, TimesFromTheInitialContentsAndCountsEveryLaunch) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("add_one", 2);
    job.timedExecutions = 20;
    job.cache = cuda::CacheState::Cold;
    job.metrics = {"first.sum", "second.sum"};
    const cuda::JobReport report = worker.run(job, {});
    ASSERT_FALSE(report.fault) << report.fault->message.english();
    EXPECT_EQ(report.outcome->buffers[0].bytes, floats({3, 4, 5}).bytes)
        << "of one execution, however often it is timed";
    ASSERT_TRUE(report.timing);
    EXPECT_EQ(report.timing->milliseconds.size(), 20u);
    EXPECT_EQ(report.timing->batch, 1u) << "a batch would warm the cache";
    EXPECT_EQ(report.timing->cache, cuda::CacheState::Cold);
    EXPECT_EQ(report.timing->toDevice.bytes, 12u);
    ASSERT_TRUE(report.counted);
    ASSERT_FALSE(report.counted->refused) << report.counted->refused->message.english();
    ASSERT_EQ(report.counted->counters.size(), 2u);
    EXPECT_EQ(report.counted->counters[0].at("second.sum"), 1);
    EXPECT_EQ(report.counted->counters[1].at("first.sum"), 100);
}

TEST(GpuWorker, ReadsTheCountersAsOftenAsItIsTold) {
    const FakeMachine machine("noise=3");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("add_one");
    job.metrics = {"first.sum", "second.sum"};
    job.readings = 3;
    Progress progress;
    const cuda::JobReport report = worker.run(job, {.limit = {}, .progress = &progress});
    ASSERT_TRUE(report.counted && !report.counted->refused);
    EXPECT_EQ(progress.total, 9u) << "three passes each";
    EXPECT_EQ(progress.done, 8u) << "when the last began";
    EXPECT_EQ(report.counted->counters[0].at("second.sum"), 1);
    ASSERT_EQ(report.counted->again.size(), 2u);
    EXPECT_EQ(report.counted->again[0][0].at("second.sum"), 7);
    EXPECT_EQ(report.counted->again[1][0].at("second.sum"), 4);
    EXPECT_EQ(report.outcome->buffers[0].bytes, floats({2, 3, 4}).bytes);
}

TEST(GpuWorker, PutsShortKernelsInBatchesWhereTheCacheMayBeWarm) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("nothing");
    job.timedExecutions = 20;
    const cuda::JobReport report = worker.run(job, {});
    ASSERT_TRUE(report.timing);
    EXPECT_GT(report.timing->batch, 4u);
}

// One process does job after job; a refused one does not end it.
TEST(GpuWorker, LivesOnAfterARefusal) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const cuda::JobReport refused = worker.run(jobOf("no_such_kernel"), {});
    ASSERT_TRUE(refused.fault);
    EXPECT_TRUE(contains(refused.fault->message.english(), "no_such_kernel"))
        << refused.fault->message.english();
    EXPECT_FALSE(worker.run(jobOf("add_one"), {}).fault);
    EXPECT_EQ(worker.starts(), 1u);
}

struct Refusal {
    const char *orders, *sentence;
};

TEST(GpuWorker, SaysInOneSentenceWhatTheDriverRefuses) {
    static constexpr Refusal kRefusals[] = {
        {"cuInit=100",
         "the NVIDIA driver finds no GPU (CUDA_ERROR_NO_DEVICE while starting it); if there is one, look at "
         "nvidia-smi and CUDA_VISIBLE_DEVICES"},
        {"devices=0", "the NVIDIA driver finds no GPU"},
        {"cuInit=803",
         "are of different versions (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH while starting it); restart the "
         "computer"},
        {"cuDevicePrimaryCtxRetain=999",
         "the GPU does not answer (CUDA_ERROR_UNKNOWN while opening Fake GPU)"},
        {"cuMemAlloc_v2=2",
         "the GPU has not enough free memory (CUDA_ERROR_OUT_OF_MEMORY while asking for 2,097,164 bytes)"},
        {"memory=1000000", "the GPU has not enough free memory"},
        {"cuModuleLoadDataEx=222",
         "the driver is older than the PTX (CUDA_ERROR_UNSUPPORTED_PTX_VERSION while compiling it for Fake "
         "GPU); update"},
        {"cuCtxSynchronize=700",
         "accessed an address that belongs to no allocation (CUDA_ERROR_ILLEGAL_ADDRESS while running)"},
        {"cuCtxSynchronize=999", "the GPU does not answer (CUDA_ERROR_UNKNOWN while running)"},
    };
    for (const Refusal& c : kRefusals) {
        const FakeMachine machine(c.orders);
        cuda::Worker worker(machine.command());
        const cuda::JobReport report = worker.run(jobOf("add_one"), {});
        ASSERT_TRUE(report.fault) << c.orders;
        EXPECT_TRUE(contains(report.fault->message.english(), c.sentence)) << report.fault->message.english();
        EXPECT_FALSE(report.fault->message.in(Language::Chinese).empty()) << c.orders;
    }
}

TEST(GpuWorker, PutsExecutionsInABatchOnlyWhereEachFindsWhatTheFirstFound) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("add_one");
    job.timedExecutions = 3;
    const auto batch = [&] {
        const cuda::JobReport report = worker.run(job, {});
        EXPECT_FALSE(report.fault) << report.fault->message.english();
        return report.timing ? report.timing->batch : 0;
    };
    EXPECT_GT(batch(), 1u) << "what it leaves decides nothing";
    job.dataDependence = {0};
    EXPECT_EQ(batch(), 1u);
    job.launches[0].entry = "nothing";
    EXPECT_GT(batch(), 1u) << "the buffer has not changed";

    // It dies where it is executed on what it left.
    job.launches[0].entry = "once";
    job.variables = {{"control", true}, {"no_such_variable", true}};
    EXPECT_EQ(batch(), 1u);
}

TEST(GpuWorker, TellsAHangWhileTimingFromOneOfTheKernel) {
    struct Case {
        const char *orders, *sentence;
    };
    constexpr Case kCases[] = {
        {"cuEventSynchronize=hang",
         "the kernel ended on the GPU, but timing it took more than 3 s and "
         "was stopped; on the command line a larger --limit gives it more time"},
        {"cuptiRangeProfilerStart=hang",
         "the kernel ended on the GPU, but reading its counters took more "
         "than 3 s and was stopped; on the command line a larger --limit gives it more time"}};
    // Long enough that a busy machine comes as far as the call that hangs.
    for (const Case& c : kCases) {
        const FakeMachine machine(c.orders);
        cuda::Worker worker(machine.command());
        cuda::Job job = jobOf("add_one");
        job.timedExecutions = 3;
        job.metrics = {"first.sum"};
        const cuda::JobReport report = worker.run(job, {.limit = 3s});
        EXPECT_TRUE(report.timedOut && report.outcome);
        ASSERT_TRUE(report.fault);
        EXPECT_EQ(report.fault->message.english(), c.sentence);
    }
}

TEST(GpuWorker, KnowsALostGpuFromAFaultyKernel) {
    for (const auto& [orders, isLost] : {std::pair{"cuCtxSynchronize=999", true},
                                         {"cuCtxSynchronize=700", false},
                                         {"cuMemAlloc_v2=2", false}}) {
        const FakeMachine machine(orders);
        cuda::Worker worker(machine.command());
        const cuda::JobReport report = worker.run(jobOf("add_one"), {});
        EXPECT_TRUE(report.fault) << orders;
        EXPECT_EQ(report.gpuIsLost, isLost) << orders;
    }
}

TEST(DriverRelease, IsTheWordOfNumbersAndDots) {
    EXPECT_EQ(cuda::driverReleaseIn(
                  "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 UTC 2025"),
              "580.95.05");
    EXPECT_EQ(cuda::driverReleaseIn("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  575.57.08  "
                                    "Release Build  (dvs-builder@U22)"),
              "575.57.08");
    EXPECT_EQ(cuda::driverReleaseIn("NVRM version: nothing"), "");
    EXPECT_EQ(cuda::driverReleaseIn(""), "");
}

TEST(GpuWorker, ShowsTheCompilersComplaint) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("add_one");
    job.ptx = "// add_one";
    const cuda::JobReport report = worker.run(job, {});
    ASSERT_TRUE(report.fault);
    EXPECT_TRUE(contains(report.fault->message.english(),
                         "(CUDA_ERROR_INVALID_PTX while compiling it for Fake GPU): ptxas application ptx "
                         "input, line 1; fatal : "
                         "Missing .version directive"))
        << report.fault->message.english();
}

TEST(GpuWorker, IsEndedWhenTheKernelHangsAndStartedAgain) {
    std::optional<cuda::Worker> worker;
    {
        const FakeMachine machine("cuCtxSynchronize=hang");
        worker.emplace(machine.command());
        const auto begun = std::chrono::steady_clock::now();
        const cuda::JobReport report = worker->run(jobOf("add_one"), {.limit = 200ms});
        EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
        EXPECT_TRUE(report.timedOut);
        ASSERT_TRUE(report.fault);
        EXPECT_EQ(
            report.fault->message.english(),
            "the kernel was still running on the GPU after 0.2 s and was stopped; it may never end (see "
            "the findings), and if it is only slow, time it again with a larger --limit on the command line");
    }
    const FakeMachine machine("");
    EXPECT_FALSE(worker->run(jobOf("add_one"), {.limit = 10s}).fault);
    EXPECT_EQ(worker->starts(), 2u);
}

TEST(GpuWorker, IsStartedAgainAfterAnIllegalAddress) {
    std::optional<cuda::Worker> worker;
    {
        const FakeMachine machine("cuCtxSynchronize=700");
        worker.emplace(machine.command());
        EXPECT_TRUE(worker->run(jobOf("add_one"), {}).fault);
    }
    const FakeMachine machine("");
    EXPECT_FALSE(worker->run(jobOf("add_one"), {}).fault);
    EXPECT_EQ(worker->starts(), 2u);
}

TEST(GpuWorker, MayCrashWithoutTheProgram) {
    const FakeMachine machine("cuLaunchKernel=crash");
    cuda::Worker worker(machine.command());
    const cuda::JobReport report = worker.run(jobOf("add_one"), {});
    ASSERT_TRUE(report.fault);
    EXPECT_EQ(report.fault->message.english(),
              "the GPU worker ended while running the kernel (signal 6); the next run starts a new one");
}

TEST(GpuWorker, EndsAtOnceWhenCancelled) {
    const FakeMachine machine("cuCtxSynchronize=hang");
    cuda::Worker worker(machine.command());
    Progress progress;
    progress.cancelled = true;
    const cuda::JobReport report = worker.run(jobOf("add_one"), {.limit = {}, .progress = &progress});
    ASSERT_TRUE(report.fault);
    EXPECT_EQ(report.fault->kind, FaultKind::Cancelled);
}

TEST(GpuWorker, KeepsTheResultsWhereCountingIsNotPermitted) {
    const FakeMachine machine("cuptiRangeProfilerEnable=35");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("add_one");
    job.metrics = {"first.sum"};
    const cuda::JobReport report = worker.run(job, {});
    EXPECT_FALSE(report.fault);
    ASSERT_TRUE(report.outcome);
    ASSERT_TRUE(report.counted && report.counted->refused);
    EXPECT_TRUE(contains(report.counted->refused->message.english(), "ERR_NVGPUCTRPERM"))
        << report.counted->refused->message.english();
    EXPECT_TRUE(
        contains(report.counted->refused->message.english(), "NVreg_RestrictProfilingToAdminUsers=0"));
    const Expected<cuda::CounterSupport> support = worker.counters(0);
    ASSERT_TRUE(support) << support.error().message.english();
    EXPECT_EQ(support->library, FAKE_CUPTI);
    EXPECT_TRUE(support->refused);
}

TEST(GpuWorker, KeepsTheResultsWhereTheGpuIsLostWhileTiming) {
    const FakeMachine machine("cuEventSynchronize=999");
    cuda::Worker worker(machine.command());
    cuda::Job job = jobOf("add_one");
    job.timedExecutions = 20;
    const cuda::JobReport report = worker.run(job, {});
    ASSERT_TRUE(report.fault);
    EXPECT_TRUE(report.outcome);
    EXPECT_FALSE(report.timing);
}

TEST(GpuWorker, ChoosesBetweenTwoGpus) {
    const FakeMachine machine("devices=2");
    cuda::Worker worker(machine.command());
    const Expected<cuda::DriverInfo> info = worker.devices();
    ASSERT_TRUE(info);
    ASSERT_EQ(info->devices.size(), 2u);
    EXPECT_EQ(info->devices[1].name, "Second fake GPU");
    EXPECT_EQ(info->devices[1].sharedBytesOptIn, 232448u);
    cuda::Job job = jobOf("add_one");
    job.device = 1;
    EXPECT_EQ(worker.run(job, {}).outcome->device.name, "Second fake GPU");
    job.device = 2;
    const cuda::JobReport report = worker.run(job, {});
    ASSERT_TRUE(report.fault);
    EXPECT_EQ(report.fault->message.english(),
              "there is no GPU 2; this machine's are numbered from 0 to 1 (lockstep doctor lists them)");
}

TEST(GpuWorker, IsMissedWhereThereIsNoDriver) {
    const FakeMachine machine("");
    setenv("LOCKSTEP_LIBCUDA", "libno_such_driver.so", 1);
    cuda::Worker worker(machine.command());
    const Expected<cuda::DriverInfo> info = worker.devices();
    ASSERT_FALSE(info);
    EXPECT_TRUE(contains(info.error().message.english(), "there is no NVIDIA driver"))
        << info.error().message.english();
    EXPECT_FALSE(cuda::Worker({"/no/such/program", {}}).devices());
}

}  // namespace
}  // namespace lockstep
