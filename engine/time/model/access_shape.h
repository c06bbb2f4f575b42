// What a warp's access costs the SM: wavefronts, lines and sectors, by the rules of engine/model.
#pragma once

#include "model/profiles/profile.h"
#include "time/machine/warp_state.h"

#include <array>
#include <span>

namespace lockstep::time {

struct TouchedLine {
    u64 line = 0;    // address / 128
    u8 sectors = 0;  // of its four
    u8 whole = 0;    // of these, those of which every byte is accessed
    u32 words = 0;   // of its 32 words of 4 bytes, those that are accessed whole
};

class TouchedLines {
public:
    // Of global memory, ascending lanes. Local memory: the address of a warp's word is that of its first
    // lane.
    void find(const MemoryAccess& access);
    // The same bytes, as if they lay side by side; in one of the lines that they touch, such that warps which
    // touch the same lines at different places get different ones.
    void findCoalesced(const MemoryAccess& access);
    std::span<const TouchedLine> lines() const { return {lines_.data(), count_}; }
    u32 sectors() const { return sectors_; }
    u32 wholeSectors() const { return whole_; }

private:
    std::array<TouchedLine, 2 * kWarpSize> lines_;
    u32 count_ = 0, sectors_ = 0, whole_ = 0;
};

// Passes through the data stage of shared memory or L1: for both the rule of shared memory, global addresses
// included. 0: no active lane.
u32 wavefrontsOf(const MemoryAccess& access, const model::Profile& profile);
// As few as the words that are requested need: each bank delivers one per wavefront.
u32 leastWavefronts(const MemoryAccess& access);
// Of an atomic on shared memory, where lanes of one word do not merge.
u32 atomicPasses(const MemoryAccess& access);

}  // namespace lockstep::time
