// An experiment on the real GPU: what engine/cuda's worker does with it, in the terms of a Run.
#pragma once

#include "base/text/text.h"
#include "cuda/worker/worker.h"
#include "run/run.h"

#include <optional>
#include <vector>

namespace lockstep::run {

// The device that a run is to use; none: the emulator alone, `why` says why, or is a Fault where the user
// insists on a GPU.
struct ChosenDevice {
    std::optional<cuda::Device> device;
    std::optional<Fault> why;  // none: nobody asked for a GPU
};
Expected<ChosenDevice> chooseDevice(const Options& options);

// Why nothing runs on a GPU where there is no driver: a sentence for those who did not ask for one.
Fault missingDriver();

// How wide the guard zones of each buffer have to be, for what the emulator found to reach out of it.
std::vector<u64> guardBytesFor(std::span<const Buffer> buffers, std::span<const trace::Finding> emulated);

struct GpuRun {
    std::optional<std::vector<Buffer>> results;  // none: the kernel did not get to its end
    std::vector<trace::Finding> findings;        // writes outside of buffers
    Measured measured;
    // By the host's clock, milliseconds: all launches from the first call until the device is done, the very
    // first time and after the warm-up, and opening the device. 0: not measured.
    f64 firstMs = 0, warmMs = 0, contextMs = 0;
    u64 pitchBytes = 0;  // multiple at which cudaMallocPitch begins every row there; 0: not known
    // What stopped it, and whether the kernel itself was to blame; and sentences about what could not be
    // measured.
    std::optional<Fault> fault;
    bool kernelIsToBlame = false, timedOut = false;
    std::vector<Fault> notes;
};
// emulated: what the emulator found, which says how wide the guard zones have to be; its stray writes are not
// told twice.
GpuRun runOnGpu(const Experiment& experiment, const Options& options,
                std::span<const trace::Finding> emulated);

// Of all buffers, bit for bit.
SameResults compareBits(std::span<const Buffer> a, std::span<const Buffer> b);

}  // namespace lockstep::run
