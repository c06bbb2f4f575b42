// What one global-memory access of a warp costs: requests, and sectors or transactions with the lanes each
// one serves.
#pragma once

#include "model/profiles/profile.h"
#include "trace/access.h"
#include "trace/sector_size.h"

#include <vector>

namespace lockstep::model {

using trace::kLineBytes, trace::kSectorBytes;

// Initial segment size on cc 1.2 and 1.3, by word width: CUDA C Programming Guide 3.2, "Compute Capability
// 1.2 and 1.3".
constexpr u32 segmentBytes(u32 widthBytes) {
    return widthBytes == 1 ? 32 : widthBytes == 2 ? 64 : kLineBytes;
}

struct MemoryItem {  // a sector since cc 2.x (a line where L1 loads whole lines), a transaction before
    u64 startByte = 0;
    u32 bytes = kSectorBytes;
    LaneMask lanes;  // served by it
};

// Sectors where the device counts sectors, else transactions: cc 1.x, and lines of cc 2.x and 3.x.
struct GlobalCost {
    u32 requests = 0, sectors = 0, transactions = 0;
    bool countsSectors = true;
    std::vector<MemoryItem> items;  // ascending start within a request; for an atomic, one for each sector
    // For an atomic that accesses a sector more than once, `sectors` counts accesses.
    bool countsAccesses() const { return countsSectors && sectors != items.size(); }
};

// Whether a device counts such an access in sectors: false on cc 1.x and where L1 loads whole lines.
bool countsSectors(trace::AccessKind kind, const Profile& profile);
GlobalCost globalCost(const trace::WarpAccess& access, const Profile& profile);
// The counts alone, without lists, for sums over patterns. Follows the rules that cc 6.0 and all later
// devices share.
u32 globalSectors(const trace::WarpAccess& access);
// The same for any device: requests, and sectors or transactions, whichever the device counts.
u32 globalRequests(const trace::WarpAccess& access, const Profile& profile);
u32 globalItems(const trace::WarpAccess& access, const Profile& profile);

// The least of them that so many bytes fit into, if they lay side by side.
constexpr u64 leastSectors(u64 bytes) { return (bytes + kSectorBytes - 1) / kSectorBytes; }
// The same of what the lanes of an access ask for, an address that several ask for counted once: what the
// access would cost if its lanes' bytes lay side by side and aligned.
u32 leastGlobalItems(const trace::WarpAccess& access, const Profile& profile);

}  // namespace lockstep::model
