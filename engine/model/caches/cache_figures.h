// A device's caches as far as they are known; part of its profile.
#pragma once

#include "base/integers.h"

#include <vector>

namespace lockstep::model {

// SMs that get blocks together and share one path to L2.
struct SmGroup {
    std::vector<u32> sms;  // in the order in which they get blocks; neighbors in pairs (a TPC)
    u32 cluster = 0;       // groups of one number share the path to L2 (a GPC)
    u32 turns = 16;        // between two of its turns; 16 means one turn of every other group
};

struct CacheFigures {
    u64 unifiedBytes = 0;           // of an SM, for L1 and shared memory together
    std::vector<u64> sharedSplits;  // of it, the possible shared-memory sizes; ascending
    u64 headroomBytes = 0;          // up to this split, room is made for twice the blocks that warps allow
    u64 unusedBytes = 0;            // of L1, that never hold data
    u64 l2Bytes = 0;                // that are of use: read once, found again
    // Capacity for lines with stored sectors before they are written to device memory, however many sectors
    // of a line were stored.
    u64 l2DirtyBytes = 0;
    // Capacity for lines with partially stored sectors before the rest is read: if each request reached one
    // line (then written at once); if requests reached several; and, of the latter, those filled and not yet
    // written.
    u64 l2PartialAloneBytes = 0, l2PartialBytes = 0, l2FilledBytes = 0;
    u32 dramSectors = 1;          // fetched together when one is read from device memory
    u32 launchSectors = 0;        // that every launch reads from device memory, before its code
    u32 mergedRequests = 1;       // from SMs of one cluster that L2 sees as one, at most
    std::vector<SmGroup> groups;  // empty: block distribution is not known
};

}  // namespace lockstep::model
