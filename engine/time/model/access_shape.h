// What a warp's access costs the SM: wavefronts, lines and sectors, by the rules of engine/model.
#pragma once

#include "model/profiles/profile.h"
#include "time/machine/warp_state.h"
#include "time/model/change.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::time {

struct TouchedLine {
    u64 line = 0;    // address / 128
    u8 sectors = 0;  // of its four
    u8 whole = 0;    // of these, those of which every byte is accessed
    u32 words = 0;   // of its 32 words of 4 bytes, those that are accessed whole
    // Of an atomic: the most lanes at one word, and that summed over its sectors. 0: no word has two.
    u8 mostLanes = 0, passes = 0;
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

// What an access costs, wherever it lies.
struct AccessShape {
    std::vector<TouchedLine>
        lines;  // their numbers begin at FoundShape::firstLine; of global and local memory
    u32 sectors = 0, wholeSectors = 0;
    u32 wavefronts = 0;  // of an atomic on shared memory its passes
};

struct FoundShape {
    const AccessShape* shape = nullptr;
    u64 firstLine = 0;
};

// The shapes of a launch's accesses, as they are or as a change has them. Accesses of one instruction mostly
// differ by whole lines: the last shapes of each are kept.
class AccessShapes {
public:
    AccessShapes(const model::Profile& profile, Change change, std::size_t instructions);

    // merges: an atomic on shared memory whose lanes of one word are served together, as those of a load.
    // Valid until the next call.
    FoundShape of(u32 instruction, const MemoryAccess& access, bool merges = false);

private:
    // Every bank and sector lies as it does so many bytes further on.
    static constexpr u64 kPeriodBytes = 256;
    static constexpr std::size_t kKept = 4;

    struct Kept {
        u32 lanes = 0;  // 0: nothing is kept here
        u32 offset = 0;
        std::array<u64, kWarpSize> distances{};  // to the lowest active lane
        AccessShape shape;
    };
    struct Instruction {
        std::array<Kept, kKept> kept;
        std::size_t next = 0;
    };

    void work(const MemoryAccess& access, bool merges, AccessShape& shape);

    const model::Profile& profile_;
    Change change_;
    std::vector<std::unique_ptr<Instruction>> instructions_;
    TouchedLines touched_;
    AccessShape local_;
};

}  // namespace lockstep::time
