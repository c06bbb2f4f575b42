// A run of the catalog on a (fake) GPU: whose result, whose trace, what is said where the GPU refuses.
#include "run/run.h"

#include "../support/shipped_catalog.h"
#include "catalog/values/expression.h"
#include "fake_machine.h"
#include "run/activity.h"
#include "run/gpu/gpu_run.h"
#include "run/recordings/record.h"
#include "run/recordings/recording_heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

using namespace std::chrono_literals;

Expected<run::Experiment> shippedKernel(const std::string& name,
                                        const std::vector<std::pair<std::string, std::string>>& settings) {
    const auto found = shipped().lookUp(name);
    if (!found) return Unexpected{found.error()};
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, settings);
    if (!values) return Unexpected{values.error()};
    return run::open({LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
}

Expected<run::Experiment> product(const std::string& variant = "naive", const std::string& width = "20") {
    return shippedKernel("matmul/" + variant, {{"width", width}});
}

// A kernel that the recorder refuses.
run::Experiment unrecordable() {
    constexpr const char* kPtx = R"(.version 7.8
.target sm_90
.address_size 64
.func own () { .local .b8 depot[16]; .reg .b32 %r1; mov.u32 %r1, 7; st.local.u32 [depot], %r1; ret; }
.visible .entry k() { call.uni own; ret; })";
    Expected<ptx::Module> module = ptx::parse(kPtx, "k.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    return {.module = std::make_shared<ptx::Module>(std::move(*module)),
            .launches = {{.entry = "k",
                          .grid = {1, 1, 1},
                          .block = {32, 1, 1},
                          .dynamicSharedBytes = 0,
                          .arguments = {}}},
            .buffers = {},
            .catalog = {},
            .entry = "k",
            .source = "k.ptx"};
}

// One entry in PTX; its parameters are the buffers, of 32-bit integers.
run::Experiment ownKernel(const std::string& entry, const std::string& parameters, const std::string& body,
                          const std::vector<u64>& elements = {}) {
    Expected<ptx::Module> module = ptx::parse(
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry " + entry + "(" + parameters +
            ") {\n.reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p<4>;\n" + body + "\nret; }\n",
        "own.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    run::Experiment experiment{.module = std::make_shared<ptx::Module>(std::move(*module)),
                               .launches = {{.entry = entry,
                                             .grid = {1, 1, 1},
                                             .block = {32, 1, 1},
                                             .dynamicSharedBytes = 0,
                                             .arguments = {}}},
                               .buffers = {},
                               .catalog = {},
                               .entry = entry,
                               .source = "own.ptx"};
    for (const u64 count : elements) {
        experiment.launches[0].arguments.emplace_back(BufferArgument{u32(experiment.buffers.size())});
        experiment.buffers.push_back({.name = "b" + std::to_string(experiment.buffers.size()),
                                      .type = ElementType::I32,
                                      .shape = {count},
                                      .bytes = std::vector<std::byte>(4 * count)});
    }
    return experiment;
}

run::Options on(const std::string& backend, cuda::Worker& worker) {
    run::Options options;
    options.backend = backend;
    options.gpu.worker = &worker;
    options.emulator.limit = 20s;
    return options;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(GpuRun, TakesResultFiguresAndTraceFromTheGpu) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product(), on("auto", worker));
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->recording.backend, "gpu");
    EXPECT_EQ(run->recording.device, "Fake GPU");
    EXPECT_EQ(run->traceSource, "gpu");
    EXPECT_EQ(run->correct(), true);
    ASSERT_TRUE(run->measured && run->measured->timing && run->measured->emulator);
    EXPECT_EQ(run->measured->emulator->differing, 0u)
        << "whole numbers: fused or not, the products are exact";
    EXPECT_EQ(run->measured->timing->kernel.runs, 20u);
    EXPECT_EQ(run->measured->registers, std::vector<u32>{32});
    // The fake CUPTI gives metric number n the value n.
    EXPECT_EQ(run->measured->counterReadings, 3u);
    const auto counted = run::countedMetrics();
    for (std::size_t n = 0; n < counted.size(); ++n)
        EXPECT_EQ(run->measured->counters.at(counted[n]), f64(n)) << counted[n];
    EXPECT_FALSE(run->recording.trace.blocks.empty());
    EXPECT_GT(run->report.counters.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld"), 0u);
    EXPECT_TRUE(run->notes.empty());
}

// Of what varies by nature the median, of what only grows by chance the least, of a rule without exceptions
// what was read first.
TEST(GpuRun, CountsWhatVariesSeveralTimes) {
    const FakeMachine machine("noise=1000");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product(), on("gpu", worker));
    ASSERT_TRUE(run && run->measured) << describe(run.error());
    const auto counted = run::countedMetrics();
    const auto number = [&](std::string_view metric) {
        return f64(std::ranges::find(counted, metric) - counted.begin());
    };
    for (const char* varies :
         {"lts__t_sectors_srcunit_tex_op_write", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"})
        EXPECT_EQ(run->measured->counters.at(varies), 1000 + number(varies));
    EXPECT_EQ(run->measured->counters.at("dram__sectors_read"), number("dram__sectors_read"))
        << "what else the machine reads only adds";
    for (const char* exact :
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "l1tex__t_requests_pipe_lsu_mem_global_op_st"})
        EXPECT_EQ(run->measured->counters.at(exact), number(exact));
}

TEST(GpuRun, TellsWhatItIsAt) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    std::vector<run::Activity> begun;
    const run::ActivityListener listener([&](run::Activity activity) { begun.push_back(activity); });
    ASSERT_TRUE(run::run(*product(), on("gpu", worker)));
    using enum run::Activity;
    begun.erase(std::unique(begun.begin(), begun.end()), begun.end());
    EXPECT_EQ(begun, (std::vector{Emulating, Starting, Compiling, Running, Timing, Counting, Recording,
                                  Checking, Caches}));
}

TEST(GpuRun, SaysThatItsResultIsNotCheckedWhereItIsCancelledMeanwhile) {
    Progress progress;
    run::Options options;
    options.backend = "emulator";
    options.emulator.progress = &progress;
    const run::ActivityListener listener([&](run::Activity activity) {
        progress.cancelled = activity == run::Activity::Checking || progress.cancelled;
    });
    const Expected<run::Run> run = run::run(*product(), options);
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_FALSE(run->comparison);
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(contains(run->notes[0].message.english(), "the result is not checked"))
        << run->notes[0].message.english();
}

// The fake GPU's trace is the emulator's own, but for who made it: the recorder's text ran in the worker.
TEST(GpuRun, HasTheGpusTraceOfTheBlocksAskedFor) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    run::Options options = on("gpu", worker);
    options.emulator.focus = {{1, 1, 0}, {0, 1, 0}, {1, 1, 0}, {7, 0, 0}};
    const Expected<run::Run> run = run::run(*product("tiled", "32"), options);
    ASSERT_TRUE(run) << describe(run.error());
    options.backend = "emulator";
    const Expected<run::Run> emulated = run::run(*product("tiled", "32"), options);
    ASSERT_TRUE(emulated) << describe(emulated.error());
    EXPECT_EQ(run->traceSource, "gpu");
    EXPECT_EQ(emulated->traceSource, "emulator");
    const auto &blocks = run->recording.trace.blocks, &same = emulated->recording.trace.blocks;
    ASSERT_EQ(blocks.size(), 2u) << "those that there are, each once";
    EXPECT_EQ(blocks[0].block, (Dim3{0, 1, 0}));
    EXPECT_EQ(blocks[1].block, (Dim3{1, 1, 0}));
    for (std::size_t b = 0; b < 2; ++b) {
        ASSERT_EQ(blocks[b].warps.size(), 8u);
        for (std::size_t w = 0; w < 8; ++w) {
            const trace::WarpTrace &mine = blocks[b].warps[w], &theirs = same[b].warps[w];
            ASSERT_EQ(mine.steps.size(), theirs.steps.size());
            for (std::size_t s = 0; s < mine.steps.size(); ++s)
                EXPECT_EQ(mine.steps[s].pc, theirs.steps[s].pc);
            EXPECT_EQ(mine.valuePool, theirs.valuePool);
        }
    }
}

TEST(GpuRun, KeepsTheEmulatorsTraceWhereTheGpusCannotBeHad) {
    // Only the text with the recorder in it has a variable to set.
    const FakeMachine machine("cuModuleGetGlobal_v2=2");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product("tiled", "16"), on("gpu", worker));
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->correct(), true);
    EXPECT_EQ(run->traceSource, "emulator");
    EXPECT_FALSE(run->recording.trace.blocks.empty());
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(contains(run->notes[0].message.english(),
                         "the trace is the emulator's, for the GPU's could not be recorded: "))
        << run->notes[0].message.english();
    EXPECT_TRUE(contains(run->notes[0].message.in(Language::Chinese), "轨迹来自模拟器"));
}

TEST(GpuRun, NamesTheInstructionThatIsNotRecorded) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    run::Options options = on("gpu", worker);
    const Expected<run::Run> run = run::run(unrecordable(), options);
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->traceSource, "emulator");
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(
        contains(run->notes[0].message.english(),
                 "\"call.uni\" calls a function with arrays of its own, and that is not recorded on a GPU"))
        << run->notes[0].message.english();
}

TEST(GpuRun, RefusesALaunchThatNoDeviceTakes) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    for (const char* backend : {"auto", "gpu"}) {
        run::Experiment large = ownKernel("nothing", "", "");
        large.launches[0].block = {2048, 1, 1};
        const Expected<run::Run> threads = run::run(large, on(backend, worker));
        ASSERT_FALSE(threads);
        EXPECT_EQ(threads.error().kind, FaultKind::Usage);
        EXPECT_TRUE(contains(threads.error().message.english(), "too many threads"))
            << threads.error().message.english();
        large.launches[0].block = {32, 1, 1};
        large.launches[0].dynamicSharedBytes = 300'000;
        EXPECT_FALSE(run::run(large, on(backend, worker)));
    }
}

TEST(GpuRun, TellsTheFirstReasonWhereNeitherRunsTheKernel) {
    const FakeMachine machine("cuModuleLoadDataEx=222");
    cuda::Worker worker(machine.command());
    const run::Experiment unknown = ownKernel("nothing", "", "alloca.u64 %d1, %d2;");
    const Expected<run::Run> run = run::run(unknown, on("auto", worker));
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().kind, FaultKind::Unsupported);
}

// The emulator loops forever; the fake driver recognizes the kernel by its name, and returns at once.
TEST(GpuRun, DoesNotBlameAKernelForTheEmulatorsTime) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    run::Options options = on("gpu", worker);
    options.emulator.limit = 700ms;
    options.gpu.timedExecutions = 3;
    const Expected<run::Run> run = run::run(ownKernel("nothing", "", "again: bra again;"), options);
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_TRUE(run->recording.complete);
    EXPECT_TRUE(run->recording.findings.empty());
    EXPECT_FALSE(run->emulated);
    ASSERT_FALSE(run->notes.empty());
    EXPECT_TRUE(contains(run->notes[0].message.english(), "the emulator was stopped after 0.7 s"))
        << run->notes[0].message.english();
    EXPECT_TRUE(contains(run->notes[0].message.in(Language::Chinese), "模拟器运行 0.7 秒后停止"))
        << run->notes[0].message.in(Language::Chinese);
}

// out[atomicAdd(next, 32)] = 1 is right once: an execution on what the first left stores behind the buffer.
TEST(GpuRun, TimesAKernelThatIsRightOnceFromItsInitialContents) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run =
        run::run(ownKernel("bump", ".param .u64 out, .param .u64 next",
                           "ld.param.u64 %d1, [out]; ld.param.u64 %d2, [next]; mov.u32 %r1, %tid.x; "
                           "atom.global.add.u32 %r2, [%d2], 1048576;"
                           "mul.wide.u32 %d3, %r2, 4; add.u64 %d4, %d1, %d3; st.global.u32 [%d4], 1;",
                           {31 * 1048576 + 1, 1}),
                 on("gpu", worker));
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_TRUE(run->notes.empty()) << run->notes[0].message.english();
    EXPECT_EQ(run->correct().value_or(true), true);
    ASSERT_TRUE(run->measured && run->measured->timing);
    EXPECT_EQ(run->measured->timing->batch, 1u);
}

// What the plain run survives, the recording run survives, too: 2 MiB behind the buffer are guard zone in
// both.
TEST(GpuRun, RecordsWhatReachesFarBehindABuffer) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run =
        run::run(ownKernel("faroff", ".param .u64 out",
                           "ld.param.u64 %d1, [out]; st.global.u32 [%d1+2097152], 1;", {32}),
                 on("gpu", worker));
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->correct(), false);
    EXPECT_EQ(run->traceSource, "gpu") << (run->notes.empty() ? "" : run->notes[0].message.english());
}

TEST(GpuRun, RefusesAKernelThatTheDriverDoesNotHave) {
    const FakeMachine machine("cuModuleGetFunction=500");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> refused = run::run(*product("naive-swapped"), on("gpu", worker));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(contains(refused.error().message.english(), "no such name"))
        << refused.error().message.english();
}

TEST(GpuRun, SaysWhyTheEmulatorRunsWhereTheGpuRefuses) {
    const FakeMachine machine("cuInit=803");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product(), on("auto", worker));
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->recording.backend, "emulator");
    EXPECT_EQ(run->correct(), true);
    EXPECT_FALSE(run->measured);
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(contains(run->notes[0].message.english(), "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));
    EXPECT_FALSE(run::run(*product(), on("gpu", worker))) << "who insists is refused";
}

TEST(GpuRun, SaysThatThereIsNoDriver) {
    const FakeMachine machine("");
    setenv("LOCKSTEP_LIBCUDA", "libno_such_driver.so", 1);
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product(), on("auto", worker));
    ASSERT_TRUE(run) << describe(run.error());
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(contains(run->notes[0].message.english(), "there is no NVIDIA driver on this machine"));
    EXPECT_EQ(worker.starts(), 0u) << "that is known without a worker";
}

TEST(GpuRun, KeepsTheEmulatorsFindingsWhereTheKernelIsStopped) {
    const FakeMachine machine("cuCtxSynchronize=700");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product(), on("gpu", worker));
    ASSERT_TRUE(run) << describe(run.error());
    ASSERT_TRUE(run->gpuFault);
    EXPECT_TRUE(contains(run->gpuFault->message.english(), "CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_EQ(run->correct(), false);
    EXPECT_FALSE(run->recording.trace.blocks.empty());
}

TEST(GpuRun, EndsAHangAtTheLimit) {
    const FakeMachine machine("cuCtxSynchronize=hang");
    cuda::Worker worker(machine.command());
    run::Options options = on("gpu", worker);
    options.emulator.limit = 300ms;
    const Expected<run::Run> run = run::run(*product(), options);
    ASSERT_TRUE(run) << describe(run.error());
    ASSERT_TRUE(run->gpuFault);
    EXPECT_TRUE(contains(run->gpuFault->message.english(), "still running on the GPU after 0.3 s"));
    EXPECT_EQ(run->correct(), false);
}

TEST(GpuRun, GoesOnWithoutCounters) {
    const FakeMachine machine("cuptiRangeProfilerEnable=35");
    cuda::Worker worker(machine.command());
    const Expected<run::Run> run = run::run(*product(), on("gpu", worker));
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_TRUE(run->measured->timing);
    EXPECT_TRUE(run->measured->counters.empty());
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(contains(run->notes[0].message.english(), "ERR_NVGPUCTRPERM"));
}

TEST(HardwareRecording, IsWrittenReadAndFoundAgain) {
    const FakeMachine machine("");
    cuda::Worker worker(machine.command());
    const Expected<run::Recorded> made = run::record(*product(), on("gpu", worker));
    ASSERT_TRUE(made) << describe(made.error());
    EXPECT_TRUE(made->notes.empty());
    const run::RecordedRun* recorded = &made->run;
    EXPECT_EQ(recorded->kernel, "matmul/naive");
    EXPECT_EQ(recorded->correct, true);
    EXPECT_TRUE(recorded->cpuMilliseconds);
    run::HardwareRecording recording{.name = "",
                                     .device = "Fake GPU",
                                     .driver = "13.0 (580.95.05)",
                                     .computeCapability = "9.0",
                                     .date = "2026-01-02",
                                     .memoryBytes = 1,
                                     .l2Bytes = 2,
                                     .multiprocessors = 3,
                                     .cpuThreads = 4,
                                     .runs = {*recorded}};
    const std::string text = run::writtenRecording(recording);
    const Expected<run::HardwareRecording> read = run::parseRecording(text, "folder/mine.json");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(read->name, "mine");
    EXPECT_EQ(run::writtenRecording(*read), text);
    EXPECT_TRUE(contains(text, "\"driver\": \"13.0\",\n  \"driver_release\": \"580.95.05\",\n")) << text;

    // An emulator's run of the same kernel and size takes the measurements, with where they are from.
    run::Options options;
    options.backend = "emulator";
    Expected<run::Run> run = run::run(*product(), options);
    ASSERT_TRUE(run);
    run::attachRecorded(*run, std::span(&*read, 1));
    ASSERT_TRUE(run->measured && run->measured->timing);
    EXPECT_EQ(run->measured->recording, "mine");
    EXPECT_EQ(run->measured->date, "2026-01-02");
    EXPECT_EQ(run->measured->counters, recorded->measured.counters);
    EXPECT_NEAR(run->measured->timing->kernel.median, recorded->measured.timing->kernel.median,
                1e-5 * recorded->measured.timing->kernel.median);
    Expected<run::Run> other = run::run(*product("naive", "21"), options);
    ASSERT_TRUE(other);
    run::attachRecorded(*other, std::span(&*read, 1));
    EXPECT_FALSE(other->measured) << "of another size";
    run->measured.reset();
    run->recording.ptx += " ";
    run->notes.clear();
    run::attachRecorded(*run, std::span(&*read, 1));
    EXPECT_FALSE(run->measured) << "of another text";
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_TRUE(contains(run->notes[0].message.english(),
                         "the figures measured on Fake GPU (2026-01-02) are of other code"))
        << run->notes[0].message.english();
    EXPECT_FALSE(run->notes[0].message.in(Language::Chinese).empty());
}

TEST(HardwareRecording, SaysWhichKernelsDoNotEnd) {
    struct Case {
        const char* orders;
        std::chrono::milliseconds limit;
        run::Ending ending;
        const char* why;
    };
    static constexpr Case kCases[] = {
        {"cuCtxSynchronize=hang", 300ms, run::Ending::Hangs,
         "the kernel was still running on the GPU after 0.3 s"},
        {"cuCtxSynchronize=700", 20s, run::Ending::Stopped,
         "the kernel accessed an address that belongs to no allocation"},
    };
    for (const Case& c : kCases) {
        const FakeMachine machine(c.orders);
        cuda::Worker worker(machine.command());
        run::Options options = on("gpu", worker);
        options.emulator.limit = c.limit;
        const Expected<run::Recorded> recorded = run::record(*product(), options);
        ASSERT_TRUE(recorded) << describe(recorded.error());
        EXPECT_EQ(recorded->run.ending, c.ending);
        EXPECT_EQ(recorded->run.correct, false);
        EXPECT_FALSE(recorded->run.measured.timing);
        EXPECT_TRUE(contains(recorded->run.why.en, c.why)) << recorded->run.why.en;
        EXPECT_FALSE(recorded->run.why.zh.empty());

        run::HardwareRecording recording;
        recording.device = "Fake GPU", recording.date = "2026-01-02", recording.runs = {recorded->run};
        const std::string text = run::writtenRecording(recording);
        const Expected<run::HardwareRecording> read = run::parseRecording(text, "mine.json");
        ASSERT_TRUE(read) << describe(read.error());
        EXPECT_EQ(run::writtenRecording(*read), text);
        EXPECT_EQ(read->runs[0].ending, c.ending);

        // Running it elsewhere gives a message.
        run::Options emulated;
        emulated.backend = "emulator";
        Expected<run::Run> run = run::run(*product(), emulated);
        ASSERT_TRUE(run);
        run::attachRecorded(*run, std::span(&*read, 1));
        EXPECT_FALSE(run->measured);
        ASSERT_EQ(run->notes.size(), 1u);
        EXPECT_EQ(run->notes[0].message.english(),
                  "there are no figures measured on Fake GPU (2026-01-02): " + recorded->run.why.en);
    }
}

TEST(HardwareRecording, ThatIsDamagedSaysWhere) {
    struct Case {
        const char *text, *sentence;
    };
    static constexpr Case kCases[] = {
        {"", "is not JSON; give a file that lockstep record has written"},
        {"{}", "is no recording of this version; give a file that lockstep record has written"},
        {R"({"format":"lockstep-recording","version":1,"device":"x","compute_capability":"9.0","driver":"13.0","date":"d","memory_bytes":1,)"
         R"("multiprocessors":1,"l2_bytes":1,"cpu_threads":1,"runs":[{"kernel":"a/b","ptx":"0"}]})",
         "'parameters' is missing in run 1 (a/b); record it again with lockstep record"},
        {R"({"format":"lockstep-recording","version":1,"device":"a\u001bb"})",
         "'device' has a control character; record it again with lockstep record"},
        {R"({"format":"lockstep-recording","version":1,"device":"x","compute_capability":"9.0","driver":"13.0","date":"d","memory_bytes":1e30})",
         "'memory_bytes' must be a whole number; record it again with lockstep record"},
        {R"({"format":"lockstep-recording","version":1,"device":7})",
         "'device' must be a text; record it again with lockstep record"},
    };
    for (const Case& c : kCases) {
        const Expected<run::HardwareRecording> read = run::parseRecording(c.text, "f.json");
        ASSERT_FALSE(read) << c.text;
        EXPECT_EQ(describe(read.error()), std::string("f.json: ") + c.sentence);
    }
}

// One figure of a good file made wrong: the sentence names the run, its kernel and the key.
TEST(HardwareRecording, RefusesFiguresThatNobodyMeasured) {
    const std::string good =
        R"({"format":"lockstep-recording","version":1,"device":"x","compute_capability":"9.0","driver":"13.0","date":"d","memory_bytes":1,)"
        R"("multiprocessors":1,"l2_bytes":1,"cpu_threads":1,"runs":[{"kernel":"a/b","ptx":"0","parameters":{"n":"4"},"correct":true,"registers":[8],"blocks_per_sm":2,)"
        R"("timing":{"kernel_ms":{"median":2,"lower_quartile":1.5,"upper_quartile":2.5,"min":1,"max":3,"runs":20},"batch":1,"l2":"warm","sm_mhz":1}}]})";
    const Expected<run::HardwareRecording> read = run::parseRecording(good, "f.json");
    ASSERT_TRUE(read) << describe(read.error());
    struct Case {
        const char *from, *to, *sentence;
    };
    static constexpr Case kCases[] = {
        {"\"median\":2,", "\"median\":0,", "'median' must be above 0"},
        {"\"min\":1", "\"min\":9", "'kernel_ms' must ascend from 'min' over 'median' to 'max'"},
        {"\"runs\":20", "\"runs\":0", "'runs' of 'kernel_ms' must be above 0"},
        {"\"warm\"", "\"hot\"", "'l2' must be cold or warm"},
        {"[8]", "[8.5]", "'registers' must be whole numbers"},
        {"[8]", "7", "'registers' must be a list"},
        {"true", "1", "'correct' must be true, false or null"},
        {"\"blocks_per_sm\":2", "\"blocks_per_sm\":2,\"counters\":[1]", "'counters' must be an object"},
        {"\"4\"", "\"4\\n\"", "'n' has a control character"},
        {"{\"n\":\"4\"}", "[]", "'parameters' must be an object"},
    };
    for (const Case& c : kCases) {
        std::string text = good;
        text.replace(text.find(c.from), std::string_view(c.from).size(), c.to);
        const Expected<run::HardwareRecording> refused = run::parseRecording(text, "f.json");
        ASSERT_FALSE(refused) << c.to;
        EXPECT_EQ(describe(refused.error()), std::string("f.json: ") + c.sentence +
                                                 " in run 1 (a/b); record it again with lockstep record");
    }
}

// All that a profiler can tell, and nothing of our own.
TEST(CountedMetrics, AreWhatTheHardwareCounts) {
    const auto counted = run::countedMetrics();
    EXPECT_EQ(counted.size(), 26u);
    for (const std::string_view metric : counted)
        EXPECT_FALSE(metric.starts_with("ptx__")) << metric;
    for (const std::string_view metric : {"smsp__inst_executed", "dram__sectors_read",
                                          "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit"})
        EXPECT_NE(std::ranges::find(counted, metric), counted.end()) << metric;
}

TEST(Spread, HasItsQuartilesBetweenNeighbors) {
    const std::vector<f64> values{4, 1, 3, 2};
    const run::Spread spread = run::spreadOf(values);
    EXPECT_EQ(spread.median, 2.5);
    EXPECT_EQ(spread.lowerQuartile, 1.75);
    EXPECT_EQ(spread.upperQuartile, 3.25);
    EXPECT_EQ(spread.least, 1);
    EXPECT_EQ(spread.most, 4);
    EXPECT_EQ(spread.runs, 4u);
}

TEST(SameResults, AreComparedBitForBit) {
    const auto buffer = [](const std::vector<f32>& values) {
        Buffer b{.name = "b", .type = ElementType::F32, .shape = {values.size()}, .bytes = {}};
        const auto bytes = std::as_bytes(std::span(values));
        b.bytes.assign(bytes.begin(), bytes.end());
        return b;
    };
    const std::vector<Buffer> a{buffer({1, 2, 0})}, b{buffer({1, 2.5f, -0.0f})};
    const run::SameResults same = run::compareBits(a, b);
    EXPECT_EQ(same.differing, 2u) << "the sign of zero is a bit";
    EXPECT_EQ(same.largest, 0.5);
    EXPECT_EQ(run::compareBits(a, a).differing, 0u);
}

TEST(RecordingHead, IsRefusedWhereThereIsNoRecording) {
    for (const char* text : {"", "{", "[]", "{}", R"({"runs":[{"format":"lockstep-recording"}]})",
                             R"({"format":"lockstep-recording")"}) {
        const Expected<run::RecordingHead> head = run::parseRecordingHead(text, "f.json");
        ASSERT_FALSE(head) << text;
        EXPECT_EQ(describe(head.error()),
                  "f.json: is no recording; give a file that lockstep record has written");
    }
}

// What ships is readable and of kernels that exist, as they are now.
TEST(ShippedRecordings, AreOfTheCatalogueAsItIs) {
    const Expected<std::vector<run::HardwareRecording>> recordings =
        run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(recordings) << describe(recordings.error());
    const Expected<std::vector<run::RecordingHead>> heads = run::shippedRecordingHeads({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(heads) << describe(heads.error());
    ASSERT_EQ(heads->size(), recordings->size());
    for (const run::HardwareRecording& recording : *recordings) {
        EXPECT_FALSE(recording.runs.empty()) << recording.name;
        const run::RecordingHead& head = heads->at(std::size_t(&recording - recordings->data()));
        EXPECT_EQ(std::tie(head.name, head.device, head.driver, head.computeCapability, head.date),
                  std::tie(recording.name, recording.device, recording.driver, recording.computeCapability,
                           recording.date));
        EXPECT_EQ(head.runs, recording.runs.size());
        for (const run::RecordedRun& run : recording.runs)
            EXPECT_TRUE(shipped().lookUp(run.kernel)) << recording.name;
    }
}

TEST(SizesToRecord, BeginWithTheDefaultsAndHaveNoneTwice) {
    const auto found = shipped().lookUp("matmul/register-2d");
    ASSERT_TRUE(found);
    const auto sizes = run::sizesToRecord(*found->first, *found->second,
                                          LOCKSTEP_SOURCE_DIR "/assets/recordings/sizes.json");
    ASSERT_TRUE(sizes) << describe(sizes.error());
    EXPECT_EQ(sizes->front().at("width"), 64);
    for (std::size_t i = 0; i < sizes->size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NE((*sizes)[i], (*sizes)[j]);
}

// What a family says of its sizes, without making the buffers.
TEST(SizesToRecord, AreThoseThatTheVariantsTake) {
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            const auto sizes =
                run::sizesToRecord(family, variant, LOCKSTEP_SOURCE_DIR "/assets/recordings/sizes.json");
            ASSERT_TRUE(sizes) << describe(sizes.error());
            for (const catalog::Values& values : *sizes) {
                const catalog::Values scope = family.scope(values);
                for (const catalog::Requirement& requirement : variant.requirements)
                    EXPECT_NE(catalog::evaluate(requirement.that, scope).value_or(0), 0)
                        << family.name << "/" << variant.name << ": " << requirement.that;
                for (const std::string& name : variant.computed) {
                    const catalog::Parameter& parameter = *family.findParameter(name);
                    EXPECT_NE(std::ranges::find(parameter.values,
                                                catalog::evaluate(parameter.computed, scope).value_or(-1)),
                              parameter.values.end())
                        << family.name << "/" << variant.name << ": " << name;
                }
            }
        }
}

}  // namespace
}  // namespace lockstep
