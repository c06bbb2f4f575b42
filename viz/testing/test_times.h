// For tests: a family with a recording written by hand, so that the views of times and of memory have
// something to show that nobody measured and that never changes.
#pragma once

#include "catalog/prebuilt.h"
#include "run/recordings/times_facts.h"
#include "viz/sweeps_on_show.h"
#include "viz/testing/test_run.h"

namespace lockstep::viz {

struct TimedRun {
    std::unique_ptr<catalog::Family> family = std::make_unique<catalog::Family>();
    std::vector<run::RecordedMachine> machines;
    run::Run run;
};

// A tiled multiply of width 1024 by blocks of 16 x 16, the family's third variant, and what "a GPU" of cc 9.0
// needed for each.
inline TimedRun timedMultiply() {
    struct Row {
        const char *name, *en, *zh;
        f64 milliseconds, sectors;
    };
    constexpr Row kRows[] = {{"naive", "Naive", "朴素版", 1.02, 400000},
                             {"swapped", "Naive, x and y swapped", "朴素版，x 与 y 对调", 9.6, 410000},
                             {"tiled", "Tiled, 16 x 16", "分块 16 × 16", 0.61, 395000},
                             {"wider", "Tiled, 32 x 32", "分块 32 × 32", 0.55, 394000},
                             {"registers", "4 x 4 results a thread", "每个线程 4 × 4 个结果", 0.16, 393500},
                             {"vectors", "Loads of four words", "一次读四个字", 0.13, 393400}};
    TimedRun timed;
    catalog::Family& family = *timed.family;
    family.name = "multiply";
    catalog::Parameter width;
    width.name = "width", width.min = 1, width.max = 4096, width.defaultValue = 64;
    family.parameters = {width};
    run::HardwareRecording recording;
    recording.device = "made-up GPU", recording.driver = "13.0", recording.computeCapability = "9.0",
    recording.date = "2026-01-01";
    for (const Row& row : kRows) {
        catalog::Variant variant;
        variant.name = row.name, variant.title = {row.en, row.zh}, variant.parameters = {"width"};
        variant.work.operations = "2 * width * width * width";
        family.variants.push_back(variant);
        run::RecordedRun recorded;
        recorded.kernel = std::string("multiply/") + row.name;
        recorded.parameters = {{"width", "1024"}};
        recorded.measured.timing = run::KernelTiming{};
        recorded.measured.timing->kernel = {.median = row.milliseconds,
                                            .lowerQuartile = 0.97 * row.milliseconds,
                                            .upperQuartile = 1.05 * row.milliseconds,
                                            .least = 0,
                                            .most = 0,
                                            .runs = 20};
        recorded.measured.counters = {{"dram__sectors_read", row.sectors}, {"dram__sectors_write", 131072}};
        recording.runs.push_back(recorded);
    }
    timed.machines = {{recording, 4.1e12}};

    timed.run = tiledMatmul(64, 16, true);
    timed.run.recording.launches[0].grid = {64, 64, 1};
    timed.run.catalog = catalog::Experiment{.family = timed.family.get(),
                                            .variant = &family.variants[2],
                                            .values = {{"width", 1024}},
                                            .buffers = {},
                                            .launches = {},
                                            .expected = {}};
    timed.run.profile = model::defaultProfile();
    model::SiteReport site;
    site.executions = 4194304, site.requests = 4194304, site.sectors = 8388608;
    site.space = trace::Space::Global, site.kind = trace::AccessKind::Load;
    timed.run.report.sites.push_back(site);
    site.executions = 32768, site.requests = 32768, site.sectors = 131072,
    site.kind = trace::AccessKind::Store;
    timed.run.report.sites.push_back(site);
    site.requests = site.sectors = 0;
    site.space = trace::Space::Shared, site.kind = trace::AccessKind::Load;
    site.executions = 67108864, site.wavefronts = 134217728, site.idealWavefronts = 67108864;
    timed.run.report.sites.push_back(site);
    timed.run.report.counters = {{"dram__sectors_read", 393216},
                                 {"dram__sectors_write", 131072},
                                 {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 134217728}};
    model::CacheCounts caches;
    caches.l2ReadsLeast = caches.l2Reads = caches.l2ReadsMost = caches.l2ReadMisses = caches.dramReads =
        393216;
    caches.dramWrites = 131072;
    timed.run.caches = caches;
    run::Measured measured;
    measured.device = "made-up GPU", measured.computeCapability = "9.0", measured.driver = "13.0";
    measured.registers = {40};
    measured.timing = timed.machines[0].recording.runs[2].measured.timing;
    timed.run.measured = measured;
    return timed;
}

// The same, and first the recording of the user's own card of cc 12.0: one variant hangs there, one was not
// recorded, and its counters have a gap.
inline TimedRun timedOnTwo() {
    TimedRun timed = timedMultiply();
    trace::Recording& shown = timed.run.recording;
    shown.family = "multiply", shown.variant = "tiled", shown.parameters = {{"width", "1024"}};
    timed.run.measured->recording = "made-up";
    timed.run.measured->date = "2026-01-01";
    timed.run.measured->counters = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 4194304},
                                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 8388608},
                                    {"dram__sectors_read", 395000},
                                    {"dram__sectors_write", 131072}};
    timed.run.report.counters.merge(
        std::map<std::string, u64>{{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 4194304},
                                   {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 8388608}});
    timed.machines[0].recording.name = "made-up";

    run::HardwareRecording own = timed.machines[0].recording;
    own.name = "my-card", own.device = "NVIDIA GeForce RTX 0001", own.driver = "13.1",
    own.computeCapability = "12.0", own.date = "2026-02-03";
    std::erase_if(own.runs, [](const run::RecordedRun& run) { return run.kernel == "multiply/wider"; });
    for (run::RecordedRun& run : own.runs) {
        run::Spread& spread = run.measured.timing->kernel;
        for (f64* value : {&spread.median, &spread.lowerQuartile, &spread.upperQuartile})
            *value *= 1.7;
        run.measured.counters = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 4194304},
                                 {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 8388608},
                                 {"dram__sectors_read", 401000}};
        if (run.kernel == "multiply/tiled") run.ptxHash = catalog::hashOf(shown.ptx);
        if (run.kernel != "multiply/swapped") continue;
        run.measured = {};
        run.ending = run::Ending::Hangs;
        run.why = {"the kernel was still running on the GPU after 20 s", "核函数在 GPU 上运行 20 秒仍未结束"};
    }
    timed.machines.insert(timed.machines.begin(), {own, 1.5e12});
    return timed;
}

// The same family, recorded at four widths, and what a sweep of this session counted of two of its variants;
// one of its points failed.
struct SweptRun {
    TimedRun timed = timedMultiply();
    SweepsOnShow sweeps;
};
inline SweptRun sweptMultiply() {
    SweptRun swept;
    run::HardwareRecording& recording = swept.timed.machines[0].recording;
    const std::vector<run::RecordedRun> runs = recording.runs;
    for (const auto& [width, factor] :
         {std::pair("64", 0.006), std::pair("256", 0.02), std::pair("4096", 62.0)})
        for (run::RecordedRun run : runs) {
            run.parameters = {{"width", width}};
            run.measured.timing->kernel.median *= factor;
            run.measured.counters = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 4096},
                                     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 1024}};
            run.correct = run.kernel != "multiply/wider";
            recording.runs.push_back(run);
        }
    recording.runs.back().cpuMilliseconds = 247;
    const catalog::Family& family = *swept.timed.family;
    const run::SweepPlan plan = run::proposedSweep(family, {&family.variants[0], &family.variants[2]},
                                                   swept.timed.run.catalog->values, "width");
    run::Sweep sweep = run::emptySweep(plan);
    for (const run::SweepTask& task : run::tasksOf(plan)) {
        if (task.value > 2048) {
            run::addError(sweep, task, run::SweepSource::Emulator, "cc90",
                          fail(FaultKind::TooLarge, english("the step must be 1 or more")).value());
            continue;
        }
        run::Run run;
        run.recording.complete = true;
        run.profile.name = "cc90";
        run.report.counters = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                                u64(task.value) * (task.variant->name == "tiled" ? 4 : 3)},
                               {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", u64(task.value)},
                               {"ptx__thread_inst_executed", u64(task.value) * u64(task.value)}};
        run::addRun(sweep, task, run);
    }
    swept.sweeps.add(sweep);
    return swept;
}

}  // namespace lockstep::viz
