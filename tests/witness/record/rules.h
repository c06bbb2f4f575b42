// The rules of the hardware once more, from the documents and not from engine/model: what one access of a
// warp costs.
#pragma once

#include "trace/access.h"
#include "trace/grid_counts.h"

#include <string_view>
#include <vector>

namespace lockstep::witness {

struct Capability {
    u32 major = 9, minor = 0;
    bool hasWideBanks = false;  // compute capability 3.x, set to banks of 8 bytes
    u32 banks() const { return major == 1 ? 16 : 32; }
    u32 wordsOfLine() const { return banks() * (hasWideBanks ? 2 : 1); }  // once through all banks
    u32 bankOf(u64 word) const { return u32((hasWideBanks ? word / 2 : word) % banks()); }
    // What a bank gives at once: a word; on 3.x two of them.
    u64 givenAtOnce(u64 word) const {
        return hasWideBanks ? word / 2 : major == 3 ? word / 64 * 32 + word % 32 : word;
    }
};

struct GlobalCost {
    u32 requests = 0;
    u32 items = 0;  // sectors, segments or lines: whatever the device counts
    u64 bytes = 0;  // moved
    std::vector<u32> itemBytes;
    std::vector<u32> perHalf;  // items of each half-warp, on cc 1.x
};
GlobalCost globalCost(const trace::WarpAccess& access, Capability capability);

// What one load or store moves, piece by piece, and for which lanes.
struct Moved {
    u64 start = 0, bytes = 0;
    LaneMask lanes{};
};
std::vector<Moved> movedBy(const trace::WarpAccess& access, Capability capability);

struct SharedCost {
    u32 wavefronts = 0, least = 0;
    u32 words = 0, banks = 0, mostInOneBank = 0, onlyBank = 0, groups = 1;
    std::vector<u32> perGroup;  // wavefronts of each group of lanes
};
// Lanes that are served together, of an access of the active ones.
std::vector<LaneMask> sharedGroups(const trace::WarpAccess& access, Capability capability);
u32 sharedLanesAtATime(const trace::WarpAccess& access, Capability capability);
// `text`: the instruction as written, which says of an atomic what it does.
SharedCost sharedCost(const trace::WarpAccess& access, Capability capability, std::string_view text);

trace::WarpAccess accessOf(const trace::SiteCounts& site, const trace::Pattern& pattern);

}  // namespace lockstep::witness
