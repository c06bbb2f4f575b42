// Every access of a block by the element that it touches, so that each cell of a stage can tell who touches
// it and lead there.
#pragma once

#include "base/text/words.h"
#include "trace/trace.h"
#include "viz/view.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::viz {

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

    BlockAccesses(const run::Run& run, const Cursor& cursor);

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
    };
    static constexpr u32 kPage = 64, kNone = ~u32{0};

    std::optional<std::size_t> regionOf(trace::Space space, u64 address) const;
    template <class Each> void forEachTouch(const trace::FocusBlock& block, Each&& each);

    std::vector<Region> regions_;  // the buffers, then shared memory
    std::vector<u32> begins_;      // by slot: where its touches begin in touches_
    std::vector<Touch> touches_;
};

// Of a copy that needs no register, the side in shared memory is written.
const Words& verbFor(trace::Space space, trace::AccessKind kind);

// Of the cursor's block: kept from picture to picture, where the view keeps anything.
std::shared_ptr<const BlockAccesses> accessesOfBlock(const ViewInput& in);

// A cell's answer to the mouse where the cursor's step does not touch it: who touches it and when, after what
// is said of it anyway; a click goes to the nearest access. order: of the cursor's step.
Hit linkTo(const ViewInput& in, const BlockAccesses& accesses, trace::Space space, u64 address, u32 order,
           std::string said);

}  // namespace lockstep::viz
