// A Job on the device: its module, memory and arguments, ready for repeated launches.
#pragma once

#include "cuda/gpu.h"
#include "cuda/worker/job.h"

namespace lockstep::cuda {

class PreparedJob {
public:
    static Expected<PreparedJob> make(const Context& context, const Job& job);

    // Starts all launches in order.
    Expected<void> launchAll();
    Expected<void> launchOne(std::size_t number);

    std::vector<Buffer> emptyResults() const;  // of the right shapes
    Expected<void> download(std::span<Buffer> results) const;
    Expected<void> upload() const;  // the initial contents
    Expected<std::vector<StrayBytes>> strays() const;
    std::vector<u64> addresses() const;
    Expected<std::vector<std::vector<std::byte>>> scratch() const;

    // All launches by the host's clock, from the first call until the device is done.
    Expected<f64> hostMilliseconds();

    // From now on restore() restores, on the device, the initial contents of the buffers that `results` shows
    // to have been written, and of the job's variables that have changed. Otherwise an in-place kernel would
    // run on its own results.
    Expected<void> keepInitial(std::span<const Buffer> results);
    Expected<void> restore() const;
    // After keepInitial(): an execution on another's results does the same work at the same cost, though its
    // values may differ.
    bool mayRepeat() const { return mayRepeat_; }

    std::vector<CompiledLaunch> compiled() const;
    std::size_t launches() const { return job_->launches.size(); }
    const std::vector<DeviceMemory>& buffers() const { return buffers_; }

private:
    Expected<void> prepareScratch();

    PreparedJob(const Context& context, const Job& job, Module module)
        : context_(&context), job_(&job), module_(std::move(module)) {}

    const Context* context_;
    const Job* job_;
    Module module_;
    std::vector<Kernel> kernels_;  // one a launch
    std::vector<DeviceMemory> buffers_, scratch_;
    std::vector<PackedArguments> arguments_;
    Expected<void> readVariables();
    Expected<void> keep(DevicePointer where, std::span<const std::byte> initial);

    struct KeptBuffer {
        DevicePointer where;
        DeviceMemory initial;
    };
    std::vector<KeptBuffer> kept_;
    struct Variable {
        DevicePointer where;
        std::vector<std::byte> initial;
        bool steers;
    };
    std::vector<Variable> variables_;
    bool mayRepeat_ = true;
};

}  // namespace lockstep::cuda
