// What malloc() and free() of kernels manage: which bytes of one allocation are in use, and by whom.
#pragma once

#include "ptx/module.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::simt {

// By its name in PTX: malloc, free, and what new and delete are.
enum class HeapCall : u8 { None, Allocate, Free };
HeapCall heapCallOf(std::string_view name);
// Is it one of the module's functions?
inline HeapCall heapCallOf(const ptx::Function& function) {
    return function.isDeclaration ? heapCallOf(function.name) : HeapCall::None;
}

class KernelHeap {
public:
    // CUDA C++ Programming Guide, "Heap Memory Allocation": 8 MiB unless cudaDeviceSetLimit() says otherwise.
    static constexpr u64 kDefaultBytes = u64{8} << 20;

    explicit KernelHeap(u64 bytes = kDefaultBytes) : bytes_(bytes) {}
    u64 bytes() const { return bytes_; }

    struct Site {  // of a call
        std::string file;
        u32 line = 0;
        Pc pc = kNoPc;
        bool operator==(const Site&) const = default;
    };
    struct Chunk {
        u64 bytes = 0;
        u32 allocatedBy = 0, freedBy = 0;  // of sites()
        bool isFreed = false;
        bool isReused = false;  // memory that was freed in the same launch
    };

    u32 numberOf(const Site& site);
    const Site& site(u32 number) const { return sites_[number]; }
    // The offset of so many bytes; none: there is no room. by: a site.
    std::optional<u64> allocate(u64 bytes, u32 by);
    enum class Freed : u8 { Done, Twice, Within, NotOfHeap };
    Freed free(u64 offset, u32 by);
    // Is all of it in one chunk that is in use?
    bool holds(u64 offset, u32 width) const {
        if (width > kGranuleBytes)
            return holds(offset, kGranuleBytes) && holds(offset + kGranuleBytes, width - u32{kGranuleBytes});
        const u64 granule = offset / kGranuleBytes;
        return granule < used_.size() && offset % kGranuleBytes + width <= used_[granule];
    }
    // The chunk at an offset, or the one before it; null: there is none.
    const Chunk* find(u64 offset, u64* first = nullptr) const;
    // What was freed before may be used again, now that no thread runs any more.
    void beginLaunch();

    // Memory that is still in use, by the site that allocated it.
    struct Left {
        Site site;
        u64 count = 0, bytes = 0;
    };
    std::vector<Left> left() const;

private:
    static constexpr u64 kGranuleBytes = 16;
    u64 placeOf(u64 slotBytes, bool& isReused);
    void gatherFreed();

    u64 bytes_, end_ = 0;  // what is behind was never in use
    std::map<u64, Chunk> chunks_;
    std::map<u64, u64> room_;  // of freed chunks: begin and bytes
    std::vector<u8> used_;     // bytes of each granule that belong to a chunk in use
    std::vector<Site> sites_;
};

}  // namespace lockstep::simt
