#include "simt/memory/device_memory.h"

#include "simt/memory/address_space.h"

#include <algorithm>
#include <cstring>

namespace lockstep::simt {

DeviceMemory::DeviceMemory(const ptx::Module& module, std::span<Buffer> buffers) {
    for (u32 i = 0; i < buffers.size(); ++i)
        allocations_.push_back({.base = deviceAddressOf(i),
                                .bytes = buffers[i].bytes.size(),
                                .host = buffers[i].bytes.data(),
                                .buffer = s32(i)});

    variableAddresses_.resize(module.variables.size());
    for (u32 id = 0; id < module.variables.size(); ++id) {
        const ptx::Variable& variable = module.variables[id];
        if (variable.space != ptx::StateSpace::Global && variable.space != ptx::StateSpace::Const) continue;
        std::vector<std::byte>& contents = variableContents_.emplace_back(variable.sizeBytes);
        const u64 base = deviceAddressOf(u32(allocations_.size()));
        variableAddresses_[id] = base;
        allocations_.push_back({.base = base,
                                .bytes = contents.size(),
                                .host = contents.data(),
                                .variable = id,
                                .constant = variable.space == ptx::StateSpace::Const});
    }
    for (const Allocation& allocation : allocations_)
        if (allocation.buffer < 0)
            initialiseVariable(module, allocation.variable, variableAddresses_, allocation.host);
}

void initialiseVariable(const ptx::Module& module, u32 number, std::span<const u64> addresses,
                        std::byte* host) {
    const ptx::Variable& variable = module.variables[number];
    std::fill_n(host, variable.sizeBytes, std::byte{0});
    std::copy_n(variable.initial.begin(), std::min<u64>(variable.initial.size(), variable.sizeBytes), host);
    for (const auto& address : variable.initialAddresses) {
        if (address.atByte + 8 > variable.sizeBytes) continue;
        const u64 target =
            address.function ? kFunctionAddress + address.function->value : addresses[address.of.value];
        const u64 value = target + u64(address.offsetBytes);
        std::memcpy(host + address.atByte, &value, std::min<u32>(8, module.addressBits / 8));
    }
}

u64 DeviceMemory::bytes() const {
    u64 sum = 0;
    for (const Allocation& allocation : allocations_)
        sum += allocation.bytes;
    return sum;
}

void Snapshot::keep(u32 allocation) {
    const std::lock_guard lock(mutex_);
    if (kept_[allocation].load(std::memory_order_relaxed)) return;
    const Allocation& a = memory_.allocations()[allocation];
    if (!isKeptElsewhere(a)) contents_[allocation].assign(a.host, a.host + a.bytes);
    kept_[allocation].store(true, std::memory_order_release);
}

void Snapshot::restore() {
    for (std::size_t i = 0; i < contents_.size(); ++i) {
        if (!kept_[i].load(std::memory_order_relaxed)) continue;
        const Allocation& a = memory_.allocations()[i];
        std::ranges::copy(isKeptElsewhere(a) ? initial_[u32(a.buffer)].bytes : contents_[i], a.host);
    }
}

}  // namespace lockstep::simt
