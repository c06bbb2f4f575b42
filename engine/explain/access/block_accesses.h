// Every access of a block by the element that it touches.
#pragma once

#include "base/cursor.h"
#include "explain/access/block_events.h"
#include "explain/cursor/recorded.h"

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::explain {

// The block's record stays the caller's.
class BlockAccesses {
public:
    // Of one instruction of a warp: the lanes that it touches the element with.
    struct Touch {
        u32 order = 0, step = 0;  // within the block, of the warp
        Warp warp;
        LaneMask lanes;
        trace::AccessKind kind = trace::AccessKind::Load;
    };
    struct Nearest {
        Touch touch;
        std::size_t more = 0;
    };

    BlockAccesses(const Recorded& run, const Cursor& cursor);

    // Whether the block ever does.
    bool touches(trace::Space space, u64 address) const;
    // In the order in which they happened.
    std::vector<Touch> of(trace::Space space, u64 address) const;
    // The first after a moment of the block.
    std::optional<Touch> next(trace::Space space, u64 address, u32 order) const;
    // The nearest in steps to a moment of the block; none: the block never touches it.
    std::optional<Nearest> nearest(trace::Space space, u64 address, u32 order) const;

private:
    // A buffer, or the block's shared memory. Elements are numbered by pages, most of which a block never
    // touches.
    struct Region {
        u64 base = 0, elements = 0;
        u32 bytes = 4;
        std::vector<u32> pages{};

        u64 elementAt(u64 address) const {
            const u64 offset = address - base;
            return bytes == 4 ? offset / 4 : offset / bytes;  // most are, and a shift is faster
        }
    };
    static constexpr u32 kPage = 32, kNone = ~u32{0};  // as many as a warp touches in a row
    struct Page {
        u32 touched = 0;  // a bit an element
        std::array<u32, kPage> counts{};
    };
    // Elements [first, end) of a region.
    struct Stretch {
        std::size_t region = 0;
        u64 first = 0, end = 0;
    };
    // What the active lanes of all accesses of one layout touch: bytes from the access's base, ascending and
    // apart from each other.
    struct Footprint {
        LaneMask active;
        u64 width = 0;  // 0: not looked at yet
        std::vector<std::pair<s64, s64>> bytes{};
    };
    struct Place {
        const Region* region = nullptr;
        u32 page = 0, bit = 0;
        u64 address = 0;  // where the element begins
    };

    std::optional<std::size_t> regionOf(trace::Space space, u64 address) const;
    const Footprint& footprintOf(const BlockEvent& event);
    void stretchesOf(const BlockEvent& event, std::vector<Stretch>& stretches);
    bool stretchesAtOnce(const BlockEvent& event, std::vector<Stretch>& stretches);
    void file(const Stretch& stretch, u32 event, std::vector<std::pair<u32, u32>>& filed);
    std::optional<Place> placeOf(trace::Space space, u64 address) const;
    std::span<const u32> eventsOn(u32 page) const;
    LaneMask lanesAt(const BlockEvent& event, const Place& place) const;
    Touch touchOf(const BlockEvent& event, LaneMask lanes) const;

    const trace::FocusBlock* block_ = nullptr;
    std::vector<Region> regions_;  // the buffers, then shared memory
    std::vector<BlockEvent> events_;
    std::vector<Page> pages_;
    std::vector<std::vector<Footprint>> footprints_;  // by warp and layout, while accesses are filed
    std::vector<u32> begins_;                         // by page: where its events begin in onPages_
    std::vector<u32> onPages_;
};

}  // namespace lockstep::explain
