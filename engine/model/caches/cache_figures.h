// What a device's caches are like, as far as it is known: a part of its profile.
#pragma once

#include "base/integers.h"

#include <vector>

namespace lockstep::model {

// Multiprocessors to which blocks are dealt together, and that reach L2 by one way.
struct SmGroup {
    std::vector<u32> sms;  // in the order in which they get blocks; neighbors in pairs (a TPC)
    u32 cluster = 0;       // groups of one number share the way to L2 (a GPC)
    u32 turns = 16;        // between two of its turns, where 16 is a turn of every other group
};

struct CacheFigures {
    u64 unifiedBytes = 0;           // of an SM, for L1 and shared memory together
    std::vector<u64> sharedSplits;  // of it, what shared memory may get; ascending
    u64 headroomBytes = 0;          // up to this split, room is made for twice the blocks that warps allow
    u64 unusedBytes = 0;            // of L1, which never hold data
    u64 l2Bytes = 0;                // that are of use: read once, found again
    // Of lines with stored sectors that stay before they are written to device memory, however many sectors
    // of a line were stored.
    u64 l2DirtyBytes = 0;
    // Of lines with sectors that are stored in part, before the rest is read: where each request reached one
    // line, after which they are written at once; where requests reached several; and, of the latter, of
    // those that are filled and not yet written.
    u64 l2PartialAloneBytes = 0, l2PartialBytes = 0, l2FilledBytes = 0;
    u32 dramSectors = 1;          // that come together when one is read from device memory
    u32 launchSectors = 0;        // that any launch reads from device memory, before its code
    u32 mergedRequests = 1;       // of SMs of one cluster that L2 sees as one, at most
    std::vector<SmGroup> groups;  // empty: how blocks are dealt is not known
};

}  // namespace lockstep::model
