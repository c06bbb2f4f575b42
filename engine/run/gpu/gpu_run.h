// Runs an experiment on the real GPU, through engine/cuda's worker, with results in the terms of a Run.
#pragma once

#include "base/text/text.h"
#include "cuda/worker/worker.h"
#include "run/run.h"

#include <optional>
#include <vector>

namespace lockstep::run {

// The device for a run; none: emulator only, with the reason in `why`; Fault: the user insists on a GPU.
struct ChosenDevice {
    std::optional<cuda::Device> device;
    std::optional<Fault> why;  // none: no GPU was requested
};
Expected<ChosenDevice> chooseDevice(const Options& options);

// Why nothing runs on a GPU without a driver: a sentence for users who did not ask for one.
Fault missingDriver();

// Size of each buffer's guard zones, to cover the out-of-bounds accesses that the emulator found.
std::vector<u64> guardBytesFor(std::span<const Buffer> buffers, std::span<const trace::Finding> emulated);

struct GpuRun {
    std::optional<std::vector<Buffer>> results;  // none: the kernel did not complete
    std::vector<trace::Finding> findings;        // out-of-bounds stores
    Measured measured;
    // Milliseconds by the host's clock: all launches from the first call until the device is done, for the
    // first time and after the warm-up, and opening the device. 0: not measured.
    f64 firstMs = 0, warmMs = 0, contextMs = 0;
    u64 pitchBytes = 0;  // multiple at which cudaMallocPitch begins every row there; 0: not known
    // What stopped it, and whether the kernel itself was the cause; and sentences about what could not be
    // measured.
    std::optional<Fault> fault;
    bool kernelIsToBlame = false, timedOut = false;
    std::vector<Fault> notes;
};
// emulated: the emulator's findings, which give the size of the guard zones; its out-of-bounds stores are not
// reported twice.
GpuRun runOnGpu(const Experiment& experiment, const Options& options,
                std::span<const trace::Finding> emulated);

// Over all buffers, bit for bit.
SameResults compareBits(std::span<const Buffer> a, std::span<const Buffer> b);

}  // namespace lockstep::run
