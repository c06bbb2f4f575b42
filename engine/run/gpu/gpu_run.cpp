#include "run/gpu/gpu_run.h"

#include "base/check.h"
#include "base/device_addresses.h"
#include "cuda/driver_library.h"
#include "run/activity.h"
#include "run/data_dependence.h"
#include "run/gpu/counter_readings.h"
#include "run/gpu/driver_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace lockstep::run {
namespace {

using trace::Finding;
using trace::FindingKind;

constexpr u64 kMostGuardBytes = u64{64} << 20;
constexpr f64 kTimingShare = 0.5;  // of the limit: the rest is for copies and counters

bool isOutside(const Finding& finding, std::size_t buffer) {
    return finding.kind == FindingKind::OutOfBounds && finding.space == trace::Space::Global &&
           finding.buffer == s64(buffer);
}

// As far out of bounds as the emulator saw an access, plus a margin.
u64 guardBytesOf(std::size_t buffer, std::span<const Finding> emulated) {
    u64 bytes = cuda::kGuardBytes;
    for (const Finding& finding : emulated) {
        if (!isOutside(finding, buffer)) continue;
        const s64 reach = std::max(-finding.offsetBytes,
                                   finding.offsetBytes + s64(finding.widthBytes) - s64(finding.sizeBytes));
        bytes = std::max(bytes, u64(std::max<s64>(reach, 0)) + cuda::kGuardBytes);
    }
    return std::min(bytes, kMostGuardBytes);
}

cuda::Job jobOf(const Experiment& experiment, const Options& options, std::span<const Finding> emulated) {
    cuda::Job job;
    job.device = options.gpu.device;
    job.ptx = experiment.module->text();
    job.launches = experiment.launches;
    job.buffers = experiment.buffers;
    job.guardBytes = guardBytesFor(experiment.buffers, emulated);
    DataDependence dataDependence =
        dataDependenceOf(*experiment.module, experiment.launches, experiment.buffers.size());
    job.dataDependence = std::move(dataDependence.buffers);
    job.variables = std::move(dataDependence.variables);
    job.timedExecutions = options.gpu.timedExecutions;
    job.cache = options.gpu.coldCache ? cuda::CacheState::Cold : cuda::CacheState::Warm;
    if (options.emulator.limit)
        job.timingSeconds = std::min(
            job.timingSeconds, kTimingShare * std::chrono::duration<f64>(*options.emulator.limit).count());
    if (options.gpu.count)
        for (const char* metric : countedMetrics())
            job.metrics.push_back(std::string(metric) + ".sum");
    job.readings = options.gpu.readings;
    return job;
}

// A store by the hardware into a guard zone: the thread is not known.
Finding findingOf(const cuda::StrayBytes& stray, const Experiment& experiment) {
    const Buffer& buffer = experiment.buffers[stray.buffer];
    const u32 width = info(buffer.type).bytes;
    Finding finding;
    finding.kind = FindingKind::OutOfBounds;
    finding.who.kind = trace::AccessKind::Store;
    finding.address = deviceAddressOf(stray.buffer) + u64(stray.offset);
    finding.widthBytes = u8(width);
    finding.buffer = s32(stray.buffer);
    finding.offsetBytes = stray.offset;
    finding.sizeBytes = buffer.bytes.size();
    finding.count = std::max<u64>(stray.bytes / width, 1);
    return finding;
}

KernelTiming timingOf(const cuda::Timing& timing) {
    return {.kernel = spreadOf(timing.milliseconds),
            .batch = timing.batch,
            .coldCache = timing.cache == cuda::CacheState::Cold,
            .smMegahertz = timing.smMegahertz,
            .toDevice = KernelTiming::Copy{timing.toDevice.bytes, timing.toDevice.milliseconds},
            .toHost = KernelTiming::Copy{timing.toHost.bytes, timing.toHost.milliseconds}};
}

// The worker's stages as activities of the run, in order.
void beginStage(cuda::Stage stage) { beginActivity(Activity(u8(Activity::Starting) + u8(stage))); }
static_assert(u8(Activity::Counting) - u8(Activity::Starting) == u8(cuda::Stage::Counting));

}  // namespace

Fault missingDriver() {
    return fail(FaultKind::Gpu,
                english(
                    "there is no NVIDIA driver on this machine, so the emulator runs the kernel; times and "
                    "hardware counters need a GPU (lockstep doctor)"))
        .value();
}

std::vector<u64> guardBytesFor(std::span<const Buffer> buffers, std::span<const Finding> emulated) {
    std::vector<u64> bytes;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        bytes.push_back(guardBytesOf(i, emulated));
    return bytes;
}

Expected<ChosenDevice> chooseDevice(const Options& options) {
    if (options.backend != "auto" && options.backend != "emulator" && options.backend != "gpu")
        return fail(FaultKind::Usage, Message(english("there is no backend '{0}'; say auto, emulator or gpu"),
                                              options.backend));
    const bool insists = options.backend == "gpu";
    if (options.backend == "emulator" || (!options.gpu.worker && !insists)) return ChosenDevice{};
    CHECK(options.gpu.worker, "who offers the GPU brings a worker");
    if (!insists && !cuda::isDriverInstalled()) return ChosenDevice{{}, missingDriver()};
    const Expected<cuda::DriverInfo> info = options.gpu.worker->devices();
    if (!info) {
        if (insists)
            return fail(FaultKind::Gpu,
                        Message(english("--backend gpu: {0}; leave the option out to use the emulator"),
                                info.error().message));
        return ChosenDevice{{}, info.error()};
    }
    if (options.gpu.device >= info->devices.size())
        return fail(FaultKind::Usage,
                    Message(english("--device {0}: there is no such GPU; this machine's are numbered from 0 "
                                    "to {1} (lockstep doctor lists them)"),
                            options.gpu.device, info->devices.size() - 1));
    return ChosenDevice{info->devices[options.gpu.device], {}};
}

GpuRun runOnGpu(const Experiment& experiment, const Options& options, std::span<const Finding> emulated) {
    beginStage(cuda::Stage::Starting);
    const cuda::JobReport report = options.gpu.worker->run(
        jobOf(experiment, options, emulated),
        {.limit = options.emulator.limit, .progress = options.emulator.progress, .stage = beginStage});
    GpuRun run;
    run.fault = report.fault;
    run.kernelIsToBlame = report.kernelFailed || (report.timedOut && report.stage == cuda::Stage::Running);
    run.timedOut = report.timedOut;
    if (report.outcome) {
        run.results = report.outcome->buffers;
        run.measured.device = report.outcome->device.name;
        run.measured.driver = driverText({report.outcome->driver, report.outcome->driverRelease});
        run.measured.computeCapability =
            std::to_string(report.outcome->device.major) + "." + std::to_string(report.outcome->device.minor);
        run.pitchBytes = report.outcome->pitchBytes;
        run.contextMs = report.outcome->contextMilliseconds;
        for (const cuda::CompiledLaunch& launch : report.outcome->launches)
            run.measured.registers.push_back(launch.registers);
        if (!report.outcome->launches.empty())
            run.measured.blocksPerSm = report.outcome->launches.front().blocksPerSm;
        for (const cuda::StrayBytes& stray : report.outcome->strays) {
            const bool isTold = std::ranges::any_of(emulated, [&](const Finding& f) {
                return isOutside(f, stray.buffer) && f.who.kind != trace::AccessKind::Load;
            });
            if (!isTold) run.findings.push_back(findingOf(stray, experiment));
        }
        // The kernel ran to its end: a later error only loses a measurement.
        if (run.fault && run.fault->kind != FaultKind::Cancelled) {
            run.notes.push_back(*run.fault);
            run.fault.reset();
        }
    }
    if (report.timing && !report.timing->milliseconds.empty()) {
        run.measured.timing = timingOf(*report.timing);
        run.firstMs = report.timing->host.firstMs;
        run.warmMs = report.timing->host.warmMs;
    }
    if (report.counted) {
        if (report.counted->refused)
            run.notes.push_back(*report.counted->refused);
        else {
            const auto readings = readingsOf(*report.counted);
            run.measured.counters = settled(readings);
            run.measured.counterReadings = u32(readings.size());
        }
    }
    return run;
}

SameResults compareBits(std::span<const Buffer> a, std::span<const Buffer> b) {
    SameResults same;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].bytes == b[i].bytes) continue;
        const u32 width = info(a[i].type).bytes;
        for (u64 element = 0; element < a[i].count(); ++element) {
            if (std::memcmp(a[i].bytes.data() + element * width, b[i].bytes.data() + element * width,
                            width) == 0)
                continue;
            ++same.differing;
            const f64 difference = std::abs(a[i].valueAt(element) - b[i].valueAt(element));
            if (std::isnan(difference))
                same.largest = std::numeric_limits<f64>::quiet_NaN();
            else if (!std::isnan(same.largest))
                same.largest = std::max(same.largest, difference);
        }
    }
    return same;
}

}  // namespace lockstep::run
