// The device's memory while a program runs: allocations in a file in memory, which the program's process
// maps, too.
#pragma once

#include "base/integers.h"
#include "cudart/protocol.h"
#include "ptx/module.h"
#include "simt/memory/device_memory.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::program {

struct HeapBlock {
    u64 address = 0, bytes = 0, caller = 0;  // caller: where the program asked for it
    u64 fileOffset = 0, mappedBytes = 0;
    std::byte* host = nullptr;
    cudart::Memory memory = cudart::Memory::Device;
    bool isFreed = false;
    u64 freedBy = 0;
    u64 rowBytes = 0;             // of cudaMallocPitch(); 0: not known
    bool isKernelHeap = false;    // of malloc() in kernels
    std::optional<u32> module{};  // of a variable
    u32 variable = 0;

    u64 inPage = 0;          // memory of the host's own may begin within a page
    u32 smallestAccess = 4;  // of kernels, in bytes, 4 at most

    std::byte* bytesOnHost() const { return host + inPage; }
};

class DeviceHeap {
public:
    explicit DeviceHeap(u64 mostBytes);
    ~DeviceHeap();
    DeviceHeap(const DeviceHeap&) = delete;
    DeviceHeap& operator=(const DeviceHeap&) = delete;

    int file() const { return file_; }
    // What the program has not told yet. It may write there meanwhile.
    std::string pendingQuestions() const;
    u64 mostBytes() const { return most_; }
    u64 freeBytes() const { return most_ - used_; }

    // nullptr: no room. Only what is the device's uses its memory up.
    HeapBlock* allocate(u64 bytes, cudart::Memory memory, u64 caller);
    // Room in the file for whole pages of host memory: its offset.
    std::optional<u64> reserve(u64 bytes);
    // Host memory whose pages are now the file's, those that it has in common with other such memory, too;
    // nullptr: it cannot be.
    HeapBlock* addRegistered(u64 address, u64 bytes, u64 fileOffset, u64 caller);
    // A variable lies where host memory does whose pages are now the file's.
    bool moveTo(HeapBlock& block, u64 address, u64 fileOffset);
    bool free(u64 address, u64 caller);
    // What malloc() in kernels gives: made by the first launch that calls it. False: there is no room.
    bool makeKernelHeap();
    simt::KernelHeap* kernelHeap() const { return kernelHeap_.get(); }
    u32 kernelHeapBlock() const { return kernelHeapBlock_; }
    // False: there is one already.
    bool setKernelHeapBytes(u64 bytes);
    u64 kernelHeapBytes() const { return kernelHeapBytes_; }
    void freeAll();
    // The block at an address, or the one nearest to it, freed ones too; nullptr: none.
    const HeapBlock* find(u64 address) const;
    std::span<const HeapBlock> blocks() const { return blocks_; }
    HeapBlock& operator[](std::size_t index) { return blocks_[index]; }

    // For a launch of this module. Allocation i is of block blocksOf()[i].
    simt::LastingMemory memoryFor(u32 module, const ptx::Module& code) const;
    std::vector<u32> liveBlocks() const;

private:
    // Numbers of the program's: memory outside the device's and that of other blocks, in the file.
    bool isFitForHost(u64 address, u64 bytes, u64 fileOffset) const;
    struct Pages {  // of the host, from a key on
        u64 end = 0, fileOffset = 0;
    };
    void share(u64 begin, u64 end, u64 fileOffset);
    void unshare(u64 begin, u64 end);
    bool moveNeighbors(u64 begin, u64 end, u64 fileOffset);
    void freeShared(const HeapBlock& block);
    void punch(u64 fileOffset, u64 bytes);

    struct Places {
        u64 first = 0, count = 0;
    };
    // New ones while there are, then those freed longest ago.
    std::optional<u64> takePlaces(u64 count);
    std::byte* map(u64 offset, u64 bytes) const;

    int file_ = -1;
    u64 most_, used_ = 0, fileEnd_ = cudart::kPendingBytes;
    u64 mostOfHost_, usedOfHost_ = 0;  // pinned and registered memory
    std::map<u64, Pages> shared_;      // by where the host has them
    std::vector<HeapBlock> blocks_;
    std::vector<u32> blockAt_;  // by place, plus 1
    std::deque<Places> freed_;  // longest ago first
    std::unique_ptr<simt::KernelHeap> kernelHeap_;
    u32 kernelHeapBlock_ = 0;
    u64 kernelHeapBytes_ = simt::KernelHeap::kDefaultBytes;
};

}  // namespace lockstep::program
