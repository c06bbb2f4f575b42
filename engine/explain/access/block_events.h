// What a block does in memory, in the order in which it does it.
#pragma once

#include "explain/arrays/shared_arrays.h"
#include "explain/block_flow.h"
#include "explain/cursor/recorded.h"
#include "trace/trace.h"

#include <algorithm>
#include <vector>

namespace lockstep::explain {

// An access. cp.async makes two of one step: it loads, then it stores.
struct BlockEvent {
    u32 order = 0, warp = 0, step = 0;
    const trace::StoredAccess* access = nullptr;
    bool isLoad = false;
    bool isCopied = false;  // the store of cp.async
};
std::vector<BlockEvent> blockEvents(const trace::FocusBlock& block);
// Those in shared memory, but for what cp.async stores.
std::vector<BlockEvent> sharedEvents(const trace::FocusBlock& block);

// What they do to a place of an array, lane by lane.
struct ArrayTouch {
    const BlockEvent& event;
    Lane lane;
    u64 place = 0;   // element of the array
    u32 phase = 0;   // of the warp
    u32 thread = 0;  // of the block, lanes that do not exist included
};
template <class Use> void forEachTouch(const trace::FocusBlock& block, const SharedArray& array, Use&& use) {
    for (const BlockEvent& e : sharedEvents(block)) {
        const trace::WarpTrace& warp = block.warps[e.warp];
        const u32 phase = warp.phaseOf(e.step);
        for (const Lane lane : e.access->active)
            if (const u64 address = warp.address(*e.access, lane); array.contains(address))
                use(ArrayTouch{e, lane, (address - array.base) / std::max(1u, array.elementBytes), phase,
                               e.warp * kWarpSize + lane.value});
    }
}

// Of an access to this array, which moves one value a lane: as the array is declared, where its elements are
// as wide (PTX calls a negative int u32), else as the instruction has it. None: the type is none of an
// element.
std::optional<ElementType> typeOf(const Recorded& run, const SharedArray& array, const BlockEvent& event);
// Which of its thread's loads the value that a store leaves is made of.
std::vector<bool> goInto(const BlockFlow& flow, const BlockEvent& store, Lane lane,
                         std::span<const u32> loadSteps);
f64 valueOf(const Recorded& run, const SharedArray& array, const trace::FocusBlock& block,
            const BlockEvent& event, Lane lane);

}  // namespace lockstep::explain
