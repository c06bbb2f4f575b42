#include "cuda/worker/prepared_job.h"

#include "cuda/driver_error.h"

#include <algorithm>
#include <chrono>

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
                return fail(FaultKind::Damaged, english("an argument names a buffer that does not exist"));
        prepared.arguments_.emplace_back(launch.arguments, addresses);
    }
    if (const Expected<void> filled = prepared.upload(); !filled) return Unexpected{filled.error()};
    if (const Expected<void> done = prepared.prepareScratch(); !done) return Unexpected{done.error()};
    if (const Expected<void> done = prepared.readVariables(); !done) return Unexpected{done.error()};
    return prepared;
}

Expected<void> PreparedJob::prepareScratch() {
    for (const Scratch& wanted : job_->scratch) {
        Expected<DeviceMemory> memory = DeviceMemory::allocate(*context_, wanted.bytes);
        if (!memory) return Unexpected{memory.error()};
        if (Expected<void> cleared = memory->fill(0); !cleared) return cleared;
        scratch_.push_back(std::move(*memory));
    }
    for (const VariableSetting& setting : job_->settings) {
        const Expected<Module::Variable> variable = module_.variable(setting.variable);
        if (!variable) return Unexpected{variable.error()};
        u64 value = setting.value;
        if (setting.isAddress && value >= buffers_.size() + scratch_.size())
            return fail(FaultKind::Damaged, english("a setting names a buffer that does not exist"));
        if (setting.isAddress)
            value = value < buffers_.size() ? buffers_[value].address()
                                            : scratch_[value - buffers_.size()].address();
        if (setting.offsetBytes > variable->bytes || variable->bytes - setting.offsetBytes < sizeof value)
            return fail(FaultKind::Damaged, english("a setting lies outside of its variable"));
        Expected<void> copied = check(
            context_->driver(),
            context_->driver().copyToDevice(variable->address + setting.offsetBytes, &value, sizeof value),
            english("setting a variable of the kernel"));
        if (!copied) return copied;
    }
    return {};
}

Expected<void> PreparedJob::launchOne(std::size_t number) {
    return launch(*context_, kernels_[number], job_->launches[number], arguments_[number]);
}

Expected<void> PreparedJob::launchAll() {
    for (std::size_t i = 0; i < kernels_.size(); ++i)
        if (Expected<void> started = launchOne(i); !started) return started;
    return {};
}

Expected<void> PreparedJob::upload() const {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        if (Expected<void> copied = buffers_[i].upload(job_->buffers[i].bytes); !copied) return copied;
    return {};
}

Expected<f64> PreparedJob::hostMilliseconds() {
    Expected<void> done = context_->synchronize();
    const auto start = std::chrono::steady_clock::now();
    if (done) done = launchAll();
    if (done) done = context_->synchronize();
    if (!done) return Unexpected{done.error()};
    return std::chrono::duration<f64, std::milli>(std::chrono::steady_clock::now() - start).count();
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
        if (Expected<void> copied = buffers_[i].download(results[i].bytes); !copied) return copied;
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

std::vector<u64> PreparedJob::addresses() const {
    std::vector<u64> addresses;
    for (const DeviceMemory& buffer : buffers_)
        addresses.push_back(buffer.address());
    return addresses;
}

Expected<std::vector<std::vector<std::byte>>> PreparedJob::scratch() const {
    std::vector<std::vector<std::byte>> contents(scratch_.size());
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
        if (!job_->scratch[i].wanted) continue;
        contents[i].resize(job_->scratch[i].bytes);
        if (const Expected<void> copied = scratch_[i].download(contents[i]); !copied)
            return Unexpected{copied.error()};
    }
    return contents;
}

Expected<void> PreparedJob::readVariables() {
    for (const ChangingVariable& named : job_->variables) {
        const Expected<Module::Variable> variable = module_.variable(named.name);
        if (!variable) {  // removed by the driver's compiler, or not visible
            mayRepeat_ &= !named.steers;
            continue;
        }
        std::vector<std::byte> initial(variable->bytes);
        Expected<void> read =
            check(context_->driver(),
                  context_->driver().copyToHost(initial.data(), variable->address, initial.size()),
                  english("reading a variable of the kernel"));
        if (!read) return read;
        variables_.push_back({variable->address, std::move(initial), named.steers});
    }
    return {};
}

Expected<void> PreparedJob::keep(DevicePointer where, std::span<const std::byte> initial) {
    Expected<DeviceMemory> memory = DeviceMemory::allocate(*context_, initial.size());
    if (!memory) return Unexpected{memory.error()};
    if (Expected<void> copied = memory->upload(initial); !copied) return copied;
    kept_.push_back({where, std::move(*memory)});
    return {};
}

Expected<void> PreparedJob::keepInitial(std::span<const Buffer> results) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (results[i].bytes == job_->buffers[i].bytes) continue;
        if (Expected<void> kept = keep(buffers_[i].address(), job_->buffers[i].bytes); !kept) return kept;
        mayRepeat_ &= std::ranges::find(job_->dataDependence, u32(i)) == job_->dataDependence.end();
    }
    for (const Variable& variable : variables_) {
        std::vector<std::byte> now(variable.initial.size());
        Expected<void> read =
            check(context_->driver(), context_->driver().copyToHost(now.data(), variable.where, now.size()),
                  english("reading a variable of the kernel"));
        if (!read) return read;
        if (now == variable.initial) continue;
        if (Expected<void> kept = keep(variable.where, variable.initial); !kept) return kept;
        mayRepeat_ &= !variable.steers;
    }
    return {};
}

Expected<void> PreparedJob::restore() const {
    const DriverLibrary& driver = context_->driver();
    for (const KeptBuffer& kept : kept_) {
        auto copied =
            check(driver,
                  driver.copyOnDeviceAsync(kept.where, kept.initial.address(), kept.initial.bytes(), nullptr),
                  english("restoring a buffer"));
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
