// Global and constant memory of a run: the experiment's buffers and the module's variables, each in its own
// slot.
#pragma once

#include "base/buffer.h"
#include "base/device_addresses.h"
#include "ptx/module.h"

#include <atomic>
#include <mutex>
#include <span>
#include <vector>

namespace lockstep::simt {

struct Allocation {
    u64 base = 0, bytes = 0;
    std::byte* host = nullptr;
    s32 buffer = -1;   // index into the experiment's buffers; -1: a variable of the module
    u32 variable = 0;  // VariableId, if so
    bool constant = false;
};

class DeviceMemory {
public:
    // The caller owns the buffers, which must outlive this.
    DeviceMemory(const ptx::Module& module, std::span<Buffer> buffers);
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // The allocation whose slot contains the address, in bounds or not; nullptr: none.
    const Allocation* find(u64 address) const {
        const u64 slot = address >> kSlotShift;
        return slot - 1 < allocations_.size() ? &allocations_[slot - 1] : nullptr;
    }
    std::span<const Allocation> allocations() const { return allocations_; }
    u64 addressOf(ptx::VariableId variable) const { return variableAddresses_[variable.value]; }
    u64 bytes() const;

private:
    void initialise(const ptx::Module& module, const Allocation& allocation);

    std::vector<Allocation> allocations_;
    std::vector<u64> variableAddresses_;
    std::vector<std::vector<std::byte>> variableContents_;
};

// Saves allocations before a launch first writes to them, so that the launch can restart. Thread-safe.
class Snapshot {
public:
    // initial: the buffers' current contents, if the caller keeps them; empty: they are copied.
    Snapshot(const DeviceMemory& memory, std::span<const Buffer> initial)
        : memory_(memory),
          initial_(initial),
          kept_(memory.allocations().size()),
          contents_(memory.allocations().size()) {}

    // Call before each write.
    void beforeWrite(u32 allocation) {
        if (!kept_[allocation].load(std::memory_order_acquire)) [[unlikely]]
            keep(allocation);
    }
    void restore();

private:
    void keep(u32 allocation);

    bool isKeptElsewhere(const Allocation& allocation) const {
        return allocation.buffer >= 0 && u32(allocation.buffer) < initial_.size();
    }

    const DeviceMemory& memory_;
    std::span<const Buffer> initial_;
    std::vector<std::atomic<bool>> kept_;
    std::vector<std::vector<std::byte>> contents_;
    std::mutex mutex_;
};

}  // namespace lockstep::simt
