// Every access of a block by the element that it touches.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::explain {

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

    // In the order in which they happened.
    std::span<const Touch> of(trace::Space space, u64 address) const;
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
    static constexpr u32 kPage = 64, kNone = ~u32{0};

    std::optional<std::size_t> regionOf(trace::Space space, u64 address) const;
    template <class Each> void forEachTouch(const trace::FocusBlock& block, Each&& each);

    std::vector<Region> regions_;  // the buffers, then shared memory
    std::vector<u32> begins_;      // by slot: where its touches begin in touches_
    std::vector<Touch> touches_;
};

}  // namespace lockstep::explain
