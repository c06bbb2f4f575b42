// Which store of the block left what a load of the block brings: the last one to those bytes before it, in
// the block's recorded order.
#pragma once

#include "explain/register_flow.h"

namespace lockstep::explain {

// A store that loads are followed back to, and whose lane: one number.
struct StoreStep {
    Warp warp;
    u32 step = 0;
};
class MemoryFlow {
public:
    // Of a load's element.
    static constexpr u32 kNoStore = 0xffffffffu;  // this block has not written these bytes before
    static constexpr u32 kSeveral = 0xfffffffeu;  // several stores have, or several lanes of one at once

    // The extra numbers of loads in `warps` become codes of stores.
    MemoryFlow(const InstructionFlows& flows, const trace::FocusBlock& block,
               std::vector<RegisterFlow>& warps);

    u32 storeOf(Code code, Lane lane) const;
    StoreStep stepOf(u32 store) const { return steps_[store / kWarpSize]; }
    std::size_t bytesKept() const {
        return steps_.capacity() * sizeof(StoreStep) + byLane_.capacity() * sizeof(ByLane) +
               apart_.capacity() * sizeof(RegisterFlow::Lanes);
    }
    static Lane laneOf(u32 store) { return Lane{store % kWarpSize}; }

private:
    // Of codes: all lanes load from this store's lane; each from the same lane of it; each from its own.
    static constexpr u32 kOfOwnLane = 1u << 30, kByLane = 2u << 30, kKind = 3u << 30;
    Code codeOf(const RegisterFlow::Lanes& stores, LaneMask lanes);

    std::vector<StoreStep> steps_;
    // Each lane loads from another store: that of the lowest lane, and how far from it, which wraps around.
    struct ByLane {
        u32 first = 0, apart = 0;  // apart: into apart_
    };
    std::vector<ByLane> byLane_;
    std::vector<RegisterFlow::Lanes> apart_;
    static constexpr u32 kKnownBits = 14;
    std::vector<u32> known_ = std::vector<u32>(1u << kKnownBits);  // by hash, the latest: into apart_
};

// The accesses of a step, of which a generic one or cp.async makes several: [first, end) of the warp's.
struct AccessRange {
    u32 first = 0, end = 0;
};
AccessRange accessesOf(const trace::WarpTrace& warp, u32 step);

}  // namespace lockstep::explain
