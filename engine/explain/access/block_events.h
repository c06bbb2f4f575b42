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

// What they do to a place of an array, lane by lane; of a vector, element by element.
struct ArrayTouch {
    const BlockEvent& event;
    Lane lane;
    u64 place = 0;      // element of the array
    u32 phase = 0;      // of the warp
    u32 thread = 0;     // of the block, lanes that do not exist included
    u32 firstByte = 0;  // of this place within what the lane's access moves
    u32 bytes = 4;
    bool isLast = true;  // of the lane's access
    u64 address(const SharedArray& array) const { return array.base + place * array.elementBytes; }
};
template <class Use> void forEachTouch(const trace::FocusBlock& block, const SharedArray& array, Use&& use) {
    const u32 element = std::max(1u, array.elementBytes);
    for (const BlockEvent& e : sharedEvents(block)) {
        const trace::WarpTrace& warp = block.warps[e.warp];
        const u32 phase = warp.phaseOf(e.step), width = e.access->widthBytes;
        const u32 bytes = width % element == 0 ? element : width;
        for (const Lane lane : e.access->active)
            for (u32 byte = 0; byte < width; byte += bytes)
                if (const u64 address = warp.address(*e.access, lane) + byte; array.contains(address))
                    use(ArrayTouch{.event = e,
                                   .lane = lane,
                                   .place = (address - array.base) / element,
                                   .phase = phase,
                                   .thread = e.warp * kWarpSize + lane.value,
                                   .firstByte = byte,
                                   .bytes = bytes,
                                   .isLast = byte + bytes >= width});
    }
}

// Of one value of an access to this array: as the array is declared, where its elements are as wide (PTX
// calls a negative int u32), else as the instruction has it. None: the type is none of an element.
std::optional<ElementType> typeOf(const Recorded& run, const SharedArray& array, const BlockEvent& event);
f64 valueOf(const Recorded& run, const SharedArray& array, const trace::FocusBlock& block,
            const ArrayTouch& touch);
// A thread's load of a place.
struct PlaceLoaded {
    u32 step = 0;
    u64 address = 0;
};
// Which of them the value that a store leaves is made of.
std::vector<bool> goInto(const BlockFlow& flow, const ArrayTouch& store, std::span<const PlaceLoaded> loads,
                         u32 elementBytes);

}  // namespace lockstep::explain
