#include "run/gpu/gpu_trace.h"

#include "base/text/counted.h"
#include "run/activity.h"
#include "run/gpu/gpu_record.h"
#include "run/gpu/gpu_run.h"

#include <algorithm>

namespace lockstep::run {
namespace {

// Share of device memory for the recorder: the experiment's buffers need the rest.
constexpr u64 kShareOfMemory = 4;

// The emulator's own choice (simt/emulator.h): ascending, each once, those that this grid has.
std::vector<Dim3> focusOf(Dim3 grid, const simt::Options& options) {
    std::vector<u64> linear;
    if (options.focusAll) {
        for (u64 block = 0; block < grid.count(); ++block)
            linear.push_back(block);
    } else {
        for (const Dim3 block : options.focus ? *options.focus : simt::defaultFocus(grid))
            if (block.x < grid.x && block.y < grid.y && block.z < grid.z)
                linear.push_back(linearOf(block, grid));
        std::ranges::sort(linear);
        linear.erase(std::ranges::unique(linear).begin(), linear.end());
    }
    std::vector<Dim3> blocks;
    for (const u64 block : linear)
        blocks.push_back(coordinatesOf(block, grid));
    return blocks;
}

u64 cutOff(const trace::Trace& trace) {
    return u64(std::ranges::count(trace.blocks, true, &trace::FocusBlock::truncated));
}

Fault kept(const Run& run, const Message& why) {
    const bool hasTrace = !run.recording.trace.blocks.empty();
    return fail(FaultKind::Gpu,
                Message(hasTrace
                            ? english("the trace is the emulator's, for the GPU's could not be recorded: {0}")
                            : english("there is no trace, for the GPU's could not be recorded: {0}"),
                        why))
        .value();
}

}  // namespace

Expected<trace::Trace> traceOnGpu(const Experiment& experiment, const Options& options,
                                  const cuda::Device& device, std::span<const trace::Finding> emulated) {
    beginActivity(Activity::Recording);
    GpuRecordOptions record;
    record.device = options.gpu.device;
    record.mostBytes = std::min(record.mostBytes, device.memoryBytes / kShareOfMemory);
    record.firstBytes = std::min(record.firstBytes, record.mostBytes);
    record.guardBytes = guardBytesFor(experiment.buffers, emulated);
    for (const Launch& launch : experiment.launches)
        record.focus.push_back(focusOf(launch.grid, options.emulator));
    const RunJob runJob = [&](const cuda::Job& job) {
        return options.gpu.worker->run(
            job, {.limit = options.emulator.limit, .progress = options.emulator.progress, .stage = {}});
    };
    Expected<GpuRecord> recorded =
        recordOnGpu(*experiment.module, experiment.launches, experiment.buffers, record, runJob);
    if (!recorded) return Unexpected{recorded.error()};
    return std::move(recorded->trace);
}

void takeGpuTrace(Expected<trace::Trace> recorded, Run& run) {
    if (!recorded) {
        const Fault& why = recorded.error();
        if (why.kind == FaultKind::Cancelled)
            run.recording.complete = false;
        else
            run.notes.push_back(kept(run, why.message));
        return;
    }
    // A truncated record is no gain if the emulator's is complete.
    const u64 missing = cutOff(*recorded);
    if (run.emulated && missing > cutOff(run.recording.trace)) {
        run.notes.push_back(
            kept(run, Message(english("{0} {0:block|blocks} of {1} did more than its memory has room for"),
                              grouped(missing), recorded->blocks.size())));
        return;
    }
    run.recording.trace = std::move(*recorded);
    run.traceSource = "gpu";
}

}  // namespace lockstep::run
