// The trace of a run from the GPU itself: its focus blocks, recorded in a separate run.
#pragma once

#include "run/gpu/gpu_run.h"
#include "trace/trace.h"

namespace lockstep::run {

// Focus blocks as options.emulator has them; options.gpu.worker does the work; emulated: as in runOnGpu().
// Fault: Unsupported if the kernel does something that cannot be recorded, Gpu if the GPU gave no record.
Expected<trace::Trace> traceOnGpu(const Experiment& experiment, const Options& options,
                                  const cuda::Device& device, std::span<const trace::Finding> emulated);

// Makes `recorded` the run's trace; on a Fault keeps the emulator's and adds a note with the reason.
void takeGpuTrace(Expected<trace::Trace> recorded, Run& run);

}  // namespace lockstep::run
