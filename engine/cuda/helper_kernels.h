// Our own kernels that prepare measurements: one flushes L2, and one keeps the device busy while the host
// queues the timed work.
#pragma once

#include "cuda/gpu.h"

namespace lockstep::cuda {

class HelperKernels {
public:
    static Expected<HelperKernels> load(const Context& context);

    // Reads a buffer three times the size of the cache: the lines it leaves are clean, so that nothing is
    // written back while a kernel is counted.
    Expected<void> coolCache();
    // Keeps the device busy for this many of its clock cycles.
    Expected<void> spin(u64 cycles);
    // The current SM clock. Waits for work started before.
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
