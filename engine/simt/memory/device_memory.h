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

// Memory that outlives a run: that of a program which allocates and launches by itself.
struct LastingMemory {
    std::vector<Allocation> allocations;  // ascending base; a variable of the module, too, is one of them
    std::vector<u64> variableAddresses;   // by VariableId; 0: it lies in neither global nor constant memory
    u32 placeShift = 0;                   // each allocation has places of its own, 2^placeShift bytes each,
    u64 firstPlace = 0;                   // numbered from here,
    std::vector<u32> allocationAt{};      // which say whose they are: its index, plus 1; 0: nobody's
    const Allocation* find(u64 address) const {
        const u64 place = (address >> placeShift) - firstPlace;
        const u32 number = place < allocationAt.size() ? allocationAt[place] : 0;
        return number ? &allocations[number - 1] : findElsewhere(address);
    }

    std::vector<u32> elsewhere{};  // allocations outside these places, which a look through them finds
    const Allocation* findElsewhere(u64 address) const {
        for (u32 index : elsewhere)
            if (address - allocations[index].base < allocations[index].bytes) return &allocations[index];
        return nullptr;
    }
};

class DeviceMemory {
public:
    // The caller owns the buffers, which must outlive this.
    DeviceMemory(const ptx::Module& module, std::span<Buffer> buffers);
    explicit DeviceMemory(const LastingMemory& lasting)
        : allocations_(lasting.allocations),
          variableAddresses_(lasting.variableAddresses),
          lasting_(&lasting) {}
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // The allocation whose slot contains the address, in bounds or not; nullptr: none.
    const Allocation* find(u64 address) const {
        if (lasting_) {
            const Allocation* found = lasting_->find(address);
            return found ? &allocations_[std::size_t(found - lasting_->allocations.data())] : nullptr;
        }
        const u64 slot = address >> kSlotShift;
        return slot - 1 < allocations_.size() ? &allocations_[slot - 1] : nullptr;
    }
    std::span<const Allocation> allocations() const { return allocations_; }
    u64 addressOf(ptx::VariableId variable) const { return variableAddresses_[variable.value]; }
    u64 bytes() const;

private:
    std::vector<Allocation> allocations_;
    std::vector<u64> variableAddresses_;
    std::vector<std::vector<std::byte>> variableContents_;
    const LastingMemory* lasting_ = nullptr;
};

// What a variable of global or constant memory holds at first, into `host`. addresses: by VariableId.
void initialiseVariable(const ptx::Module& module, u32 variable, std::span<const u64> addresses,
                        std::byte* host);

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
