#include "simt/memory/kernel_heap.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::simt {
namespace {

// Source: measured on an H200 (CUDA 13.0): neighbors of 1 to 64 bytes lie 80 bytes apart, of 80 to 128 160,
// of 200 240, of 256 320, of 500 560; the first lies 16 bytes behind such a boundary.
constexpr u64 kHeadBytes = 16, kStepBytes = 80;

constexpr u64 slotFor(u64 bytes) { return (bytes + kHeadBytes + kStepBytes - 1) / kStepBytes * kStepBytes; }

}  // namespace

HeapCall heapCallOf(std::string_view name) {
    // new and new[] with and without std::nothrow, delete and delete[] with and without the size.
    constexpr std::string_view
        kAllocate[] = {"malloc", "_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"},
        kFree[] = {
            "free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t"};
    if (std::ranges::find(kAllocate, name) != std::end(kAllocate)) return HeapCall::Allocate;
    return std::ranges::find(kFree, name) != std::end(kFree) ? HeapCall::Free : HeapCall::None;
}

u32 KernelHeap::numberOf(const Site& site) {
    const auto known = std::ranges::find(sites_, site);
    if (known != sites_.end()) return u32(known - sites_.begin());
    sites_.push_back(site);
    return u32(sites_.size() - 1);
}

// New memory while there is some, so that a use after free is found; then what was freed.
u64 KernelHeap::placeOf(u64 slotBytes, bool& isReused) {
    isReused = false;
    if (slotBytes <= bytes_ - end_) return std::exchange(end_, end_ + slotBytes);
    const auto fits = [&](const auto& room) { return room.second >= slotBytes; };
    auto found = std::ranges::find_if(room_, fits);
    if (found == room_.end()) {
        gatherFreed();
        found = std::ranges::find_if(room_, fits);
        if (found == room_.end()) return bytes_;
    }
    isReused = true;
    const auto [first, bytes] = *found;
    room_.erase(found);
    if (bytes > slotBytes) room_[first + slotBytes] = bytes - slotBytes;
    return first;
}

// Neighbors together; what lies before the end goes back to it.
void KernelHeap::gatherFreed() {
    for (auto at = chunks_.begin(); at != chunks_.end();)
        if (at->second.isFreed) {
            room_[at->first - kHeadBytes] = slotFor(at->second.bytes);
            at = chunks_.erase(at);
        } else {
            ++at;
        }
    for (auto at = room_.begin(); at != room_.end();) {
        const auto next = std::next(at);
        if (next == room_.end() || at->first + at->second != next->first) {
            at = next;
            continue;
        }
        at->second += next->second;
        room_.erase(next);
    }
}

void KernelHeap::beginLaunch() {
    for (auto& [first, chunk] : chunks_)
        chunk.isReused = false;
}

std::optional<u64> KernelHeap::allocate(u64 bytes, u32 by) {
    if (bytes > bytes_) return {};
    bool isReused = false;
    const u64 slot = placeOf(slotFor(bytes), isReused);
    if (slot >= bytes_) return {};
    const u64 first = slot + kHeadBytes;
    chunks_[first] = {.bytes = bytes, .allocatedBy = by, .isReused = isReused};
    const u64 granules = (first + bytes + kGranuleBytes - 1) / kGranuleBytes;
    if (used_.size() < granules) used_.resize(granules);
    for (u64 at = 0; at < bytes; at += kGranuleBytes)
        used_[(first + at) / kGranuleBytes] = u8(std::min(kGranuleBytes, bytes - at));
    return first;
}

KernelHeap::Freed KernelHeap::free(u64 offset, u32 by) {
    u64 first = 0;
    const Chunk* const found = offset < bytes_ ? find(offset, &first) : nullptr;
    if (!found || offset >= first + std::max<u64>(found->bytes, 1)) return Freed::NotOfHeap;
    if (offset != first) return Freed::Within;
    if (found->isFreed) return Freed::Twice;
    Chunk& chunk = chunks_[first];
    chunk.isFreed = true;
    chunk.freedBy = by;
    const u64 granules = (chunk.bytes + kGranuleBytes - 1) / kGranuleBytes;
    std::fill_n(used_.begin() + s64(first / kGranuleBytes), granules, u8{0});
    return Freed::Done;
}

std::vector<KernelHeap::Left> KernelHeap::left() const {
    std::vector<Left> left(sites_.size());
    for (const auto& [first, chunk] : chunks_) {
        if (chunk.isFreed) continue;
        ++left[chunk.allocatedBy].count;
        left[chunk.allocatedBy].bytes += chunk.bytes;
    }
    for (std::size_t i = 0; i < left.size(); ++i)
        left[i].site = sites_[i];
    std::erase_if(left, [](const Left& one) { return one.count == 0; });
    return left;
}

const KernelHeap::Chunk* KernelHeap::find(u64 offset, u64* first) const {
    const auto next = chunks_.upper_bound(offset);
    if (next == chunks_.begin()) return nullptr;
    if (first) *first = std::prev(next)->first;
    return &std::prev(next)->second;
}

}  // namespace lockstep::simt
