// The trace of a run from the GPU itself: its focus blocks, recorded there in a run of their own.
#pragma once

#include "run/gpu/gpu_run.h"
#include "trace/trace.h"

namespace lockstep::run {

// Blocks as options.emulator asks for them; options.gpu.worker does the work; emulated: as of runOnGpu(). A
// Fault of kind Unsupported where the kernel does something that is not recorded, of kind Gpu where the GPU
// gave no record.
Expected<trace::Trace> traceOnGpu(const Experiment& experiment, const Options& options,
                                  const cuda::Device& device, std::span<const trace::Finding> emulated);

// Makes `recorded` the run's trace; what could not be recorded leaves the emulator's, with a note that says
// why.
void takeGpuTrace(Expected<trace::Trace> recorded, Run& run);

}  // namespace lockstep::run
