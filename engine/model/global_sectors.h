// What one global-memory access of a warp costs: requests, sectors or transactions, and which lanes each one serves.
#pragma once

#include <vector>

#include "model/profile.h"
#include "trace/access.h"

namespace lockstep::model {

inline constexpr u32 kSectorBytes = 32, kLineBytes = 128;  // measured on an H200; HARDWARE rules in docs/

struct MemoryItem {  // a sector since cc 2.x, a transaction before
    u64 startByte = 0;
    u32 bytes = kSectorBytes;
    LaneMask lanes;      // served by it
};

struct GlobalCost {
    u32 requests = 0, sectors = 0, transactions = 0;
    std::vector<MemoryItem> items;  // ascending start within a request
};

GlobalCost globalCost(const trace::WarpAccess& access, const Profile& profile);
// The counts alone, without lists: for sums over patterns.
u32 globalSectors(const trace::WarpAccess& access);

}  // namespace lockstep::model
