// Kernels of our own that prepare measurements: one that leaves nothing of an experiment in the second-level
// cache, and one that keeps the device busy while the host queues what is to be timed.
#pragma once

#include "cuda/gpu.h"

namespace lockstep::cuda {

class HelperKernels {
public:
    static Expected<HelperKernels> load(const Context& context);

    // Reads a buffer of three times the cache: what it leaves there is clean, so that nothing of it is
    // written back while a kernel is counted.
    Expected<void> coolCache();
    // The device does nothing else for this many of its clock cycles.
    Expected<void> spin(u64 cycles);
    // The multiprocessors' clock, now. Waits for what was started before.
    Expected<f64> megahertz();

private:
    HelperKernels(const Context& context, Module module, DeviceMemory sink)
        : context_(&context), module_(std::move(module)), sink_(std::move(sink)) {}

    const Context* context_;
    Module module_;
    DeviceMemory sink_;
    Kernel sweep_, spin_;
    std::optional<DeviceMemory> swept_;
};

}  // namespace lockstep::cuda
