// The tags of a buffer, in pages allocated on first access. Thread-safe: tags are written with release and
// read with acquire, so that a tag's epoch can be looked up.
#pragma once

#include "trace/shadow/global_epochs.h"
#include "trace/shadow/global_shadow.h"

namespace lockstep::trace {

struct GlobalShadow::Page {
    static constexpr u32 kGranules = 4096;
    using Tag = std::atomic<u32>;

    explicit Page(bool tracksReads)
        : stores(std::make_unique<Tag[]>(kGranules)),
          readers(tracksReads ? std::make_unique<Tag[]>(2 * kGranules) : nullptr) {}

    // How many tags were claimed. If more than exist in the end, two threads hit one granule and one tag was
    // lost.
    std::atomic<u32> storeClaims{0}, readClaims{0};
    std::unique_ptr<Tag[]> stores;  // the last store; in buffers without reader tracking the last atomic, too
    std::unique_ptr<Tag[]>
        readers;  // readers and atomics, two per granule: g and kGranules + g. Null without tracking
};

struct GlobalShadow::Buffer {
    Buffer(const BufferSpec& wanted, u32 granuleShift)
        : spec(wanted), shift(granuleShift), neededShift(granuleShift) {
        pageCount = ((spec.sizeBytes >> shift) + Page::kGranules) / Page::kGranules;
        pages = std::make_unique<std::atomic<Page*>[]>(pageCount);
    }
    ~Buffer() {
        for (u64 i = 0; i < pageCount; ++i)
            delete pages[i].load();
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    Page& page(u64 index) {
        Page* known = pages[index].load(std::memory_order_acquire);
        return known ? *known : makePage(index);
    }
    Page& makePage(u64 index) {
        auto made = std::make_unique<Page>(spec.tracksReads);
        Page* other = nullptr;
        if (pages[index].compare_exchange_strong(other, made.get(), std::memory_order_acq_rel))
            return *made.release();
        return *other;
    }

    BufferSpec spec;
    u32 shift;                     // granules of 1 << shift bytes
    std::atomic<u32> neededShift;  // of the smallest access
    u64 pageCount;
    std::unique_ptr<std::atomic<Page*>[]> pages;
};

}  // namespace lockstep::trace
