// Which thread alone has accessed each granule of a block's shared memory since the last barrier: enough to
// see that nothing since then can be a finding of SharedShadow, which is far quicker than to find out what
// would be one. No conflict: no other thread has accessed what one stored to, or all did so by atomics.
#pragma once

#include "trace/access.h"
#include "trace/shadow/shared_run.h"

#include <vector>

namespace lockstep::trace {

class SharedOwners {
public:
    void beginBlock(u32 sharedBytes);
    void beginPhase();  // after a barrier of the whole block
    void markWritten(u32 offsetBytes, u32 bytes);

    // What lanes of one access do: weak, in bounds and aligned.
    struct Lanes {
        u32 warp = 0;
        AccessKind kind = AccessKind::Load;
        u32 widthBytes = 4;
        LaneMask active;
        bool isRow = false;  // all are active, and each is the width behind the one before
    };
    // addresses: of each lane; of a row, of the first alone. False: there may be a finding. What was told of
    // the phase is meaningless then, and what the block has written has to be marked again.
    bool access(const Lanes& lanes, const u32* addresses);

    // Did this phase write where the block had not written before?
    bool hasWrittenAnew() const { return hasWrittenAnew_; }
    // The written bytes of this block, ascending.
    std::vector<SharedRun> written() const;

private:
    // phase 21 | 1 + number of the thread 11; phases only grow, from block to block too.
    using Tag = u32;
    static constexpr u32 kThreadBits = 11, kMostPhases = 1u << (32 - kThreadBits);
    static constexpr u32 kMany = (1u << kThreadBits) - 1, kAtomics = kMany - 1;

    struct Seen {
        u32 isForeign = 0, isNew = 0;
    };
    template <AccessKind kind> Seen accessOne(u32 granule, Tag mine);
    template <AccessKind kind> bool accessAll(const Lanes& lanes, const u32* addresses);

    u32 sharedBytes_ = 0, shift_ = 2;  // granules of 1 << shift_ bytes
    u32 phase_ = 0;
    Tag ofBlock_ = 0, ofPhase_ = 0;  // the least ones
    bool hasWrittenAnew_ = false;
    std::vector<Tag> writers_, readers_;  // the last of each granule; of several readers in a phase: kMany
};

}  // namespace lockstep::trace
