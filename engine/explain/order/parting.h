// Where two runs of the same launches in different orders part: the first access that reads another value, or
// the last store that wins in one of them only, and the access that it changed places with.
#pragma once

#include "simt/order/access_log.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::explain {

// One lane's part of a logged access.
struct LaneAccess {
    std::size_t at = 0;  // in its log
    u32 index = 0;       // among the access's lanes
    bool operator==(const LaneAccess&) const = default;
};

struct OrderParting {
    enum class Kind : u8 {
        ReadsBefore,   // `other` writes later; in the recorded order it had written
        ReadsAfter,    // `other` has written; in the recorded order it writes later
        OtherWins,     // as ReadsAfter, but in the recorded order another store lay between
        LastStore,     // nothing is read: of two stores, the other one is the last
        UpdatesFirst,  // nothing is read: of two atomic operations, the other one comes first
        ReadsOther,    // it cannot be told whose order is exchanged
    } kind = Kind::ReadsOther;
    // The access whose value differs, in both logs. LastStore: the store that wins, and the one that had won.
    // UpdatesFirst: the operation that comes first, and the one that had come first.
    LaneAccess recorded, changed;
    // False: the recorded run has no such access of this thread at this time, but another one at the same
    // instruction: their values say nothing of one another.
    bool comparesValues = true;
    bool isConsequence = false;  // barriers order what is exchanged: the cause is not in the logs
    // Whose order with it is exchanged. OtherWins: the store that it reads here.
    std::optional<LaneAccess> other =
        {};  // in the changed log, if `otherIsChanged`, else in the recorded one
    bool otherIsChanged = false;
    std::optional<LaneAccess> instead =
        {};  // OtherWins: the store that it read in the recorded order, in its log
};

// An instruction that is known to race, or of whose line another one does: copies of one statement are of one
// group.
struct RacingInstruction {
    Pc pc;
    u32 group = 0;
};

// racing: accesses which are looked at first. differing: addresses of global memory that hold
// something else at the end; what led to the first of them is looked for. None: the logs are not of different
// runs, or too much was left out, or no access tells.
std::optional<OrderParting> partingOf(const simt::AccessLog& recorded, const simt::AccessLog& changed,
                                      std::span<const RacingInstruction> racing,
                                      std::span<const u64> differing = {});

}  // namespace lockstep::explain
