#include "cuda/prepared_job.h"

#include "base/counted.h"
#include "cuda/driver_error.h"

#include <algorithm>

namespace lockstep::cuda {

Expected<PreparedJob> PreparedJob::make(const Context& context, const Job& job) {
    Expected<Module> module = Module::load(context, job.ptx);
    if (!module) return Unexpected{module.error()};
    PreparedJob prepared(context, job, std::move(*module));
    std::vector<DevicePointer> addresses;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const u64 guard = i < job.guardBytes.size() ? job.guardBytes[i] : kGuardBytes;
        Expected<DeviceMemory> memory = DeviceMemory::allocate(context, job.buffers[i].bytes.size(), guard);
        if (!memory) return Unexpected{memory.error()};
        addresses.push_back(memory->address());
        prepared.buffers_.push_back(std::move(*memory));
    }
    for (const Launch& launch : job.launches) {
        Expected<Kernel> kernel = prepared.module_.kernel(launch.entry);
        if (!kernel) return Unexpected{kernel.error()};
        prepared.kernels_.push_back(std::move(*kernel));
        for (const Argument& argument : launch.arguments)
            if (const auto* buffer = std::get_if<BufferArgument>(&argument);
                buffer && buffer->buffer >= addresses.size())
                return fail(FaultKind::Damaged, "an argument names a buffer that does not exist");
        prepared.arguments_.emplace_back(launch.arguments, addresses);
    }
    if (const Expected<void> filled = prepared.upload(); !filled) return Unexpected{filled.error()};
    return prepared;
}

Expected<void> PreparedJob::launchOne(std::size_t number) {
    return launch(*context_, kernels_[number], job_->launches[number], arguments_[number]);
}

Expected<void> PreparedJob::launchAll() {
    for (std::size_t i = 0; i < kernels_.size(); ++i)
        if (const Expected<void> started = launchOne(i); !started) return started;
    return {};
}

Expected<void> PreparedJob::upload() const {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        if (const Expected<void> copied = buffers_[i].upload(job_->buffers[i].bytes); !copied) return copied;
    return {};
}

std::vector<Buffer> PreparedJob::emptyResults() const {
    std::vector<Buffer> results;
    for (const Buffer& like : job_->buffers)
        results.push_back({.name = like.name,
                           .type = like.type,
                           .shape = like.shape,
                           .bytes = std::vector<std::byte>(like.bytes.size())});
    return results;
}

Expected<void> PreparedJob::download(std::span<Buffer> results) const {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        if (const Expected<void> copied = buffers_[i].download(results[i].bytes); !copied) return copied;
    return {};
}

Expected<std::vector<StrayBytes>> PreparedJob::strays() const {
    std::vector<StrayBytes> strays;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        const auto found = buffers_[i].strayWrites();
        if (!found) return Unexpected{found.error()};
        for (const DeviceMemory::StrayWrite& write : *found)
            strays.push_back({u32(i), write.offset, write.bytes});
    }
    return strays;
}

Expected<void> PreparedJob::keepInitial(std::span<const Buffer> results) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (results[i].bytes == job_->buffers[i].bytes) continue;
        Expected<DeviceMemory> memory = DeviceMemory::allocate(*context_, buffers_[i].bytes());
        if (!memory) return Unexpected{memory.error()};
        if (const Expected<void> copied = memory->upload(job_->buffers[i].bytes); !copied) return copied;
        kept_.push_back({i, std::move(*memory)});
    }
    return {};
}

Expected<void> PreparedJob::restore() const {
    const DriverLibrary& driver = context_->driver();
    for (const Kept& kept : kept_) {
        const DeviceMemory& buffer = buffers_[kept.buffer];
        const auto copied =
            check(driver,
                  driver.copyOnDeviceAsync(buffer.address(), kept.initial.address(), buffer.bytes(), nullptr),
                  "restoring a buffer");
        if (!copied) return copied;
    }
    return {};
}

std::vector<CompiledLaunch> PreparedJob::compiled() const {
    std::vector<CompiledLaunch> compiled;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
        const Kernel& kernel = kernels_[i];
        const Launch& launch = job_->launches[i];
        int blocks = 0;
        context_->driver().occupancyBlocksPerSm(&blocks, kernel.handle, int(launch.block.count()),
                                                launch.dynamicSharedBytes);
        compiled.push_back({.registers = kernel.registers,
                            .staticSharedBytes = kernel.staticSharedBytes,
                            .localBytes = kernel.localBytes,
                            .blocksPerSm = u32(std::max(blocks, 0))});
    }
    return compiled;
}

}  // namespace lockstep::cuda
