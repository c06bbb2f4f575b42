// The tags of a buffer, in pages allocated on first access. Thread-safe: tags are written with release and
// read with acquire, so that a tag's epoch can be looked up.
//
// Warps mostly access whole lines of 32 granules, neighbor after neighbor. As long as nothing else accesses a
// page, it keeps a tag a line; then it is taken apart, and keeps one a granule.
#pragma once

#include "trace/shadow/global_epochs.h"
#include "trace/shadow/global_shadow.h"

namespace lockstep::trace {

struct alignas(64) GlobalShadow::Page {
    static constexpr u32 kGranules = 4096, kLine = 32, kLines = kGranules / kLine;
    using Tag = std::atomic<u32>;

    // The last store; readers and atomics: two.
    enum Plane : u32 { Stores, Reader, AnotherReader };
    // Granule n of a line belongs to the thread of `tag` plus n >> shift. No tag: no thread has accessed the
    // line.
    struct LineTag {
        u32 tag = 0, shift = 0;
        bool operator==(const LineTag&) const = default;
    };
    using Line = std::atomic<LineTag>;
    // The page is, or is being, taken apart. No epoch has this number (GlobalEpochs::kMost).
    static constexpr LineTag kClosed{~0u, ~0u};

    explicit Page(bool tracksReads)
        : planes(tracksReads ? 3 : 1), lines(std::make_unique<Line[]>(std::size_t{planes} * kLines)) {}

    Line& line(Plane plane, u32 number) { return lines[std::size_t{number} * planes + plane]; }
    bool isInPieces() const { return state_.load(std::memory_order_acquire) == State::InPieces; }
    // One thread does; others wait for it.
    void takeApart();
    std::size_t bytes() const;

    // How many readers' tags were claimed. If more than exist in the end, two threads hit one granule and one
    // tag was lost.
    std::atomic<u32> readClaims{0};
    const u32 planes;
    std::unique_ptr<Line[]> lines;  // a line's planes lie side by side
    // Of a page in pieces.
    std::unique_ptr<Tag[]> stores;  // the last store; in buffers without reader tracking the last atomic, too
    std::unique_ptr<Tag[]>
        readers;  // readers and atomics, two per granule: g and kGranules + g. Null without tracking

private:
    enum class State : u8 { InLines, BeingTakenApart, InPieces };
    std::atomic<State> state_{State::InLines};
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

    // In lines or in pieces.
    Page& pageAsItIs(u64 index) {
        Page* known = pages[index].load(std::memory_order_acquire);
        return known ? *known : makePage(index);
    }
    Page& page(u64 index) {
        Page& page = pageAsItIs(index);
        if (!page.isInPieces()) [[unlikely]]
            page.takeApart();
        return page;
    }
    Page& makePage(u64 index) {
        auto made = std::make_unique<Page>(spec.keeps == Keeps::All);
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
