// cc 1.0 and 1.1 coalesce a half-warp only if lane k accesses word k of a segment; else each lane gets a
// transaction of its own.
#pragma once

#include "trace/access.h"

#include <optional>

namespace lockstep::model {

// Why a half-warp is not coalesced.
struct Disorder {
    enum class Why : u8 {
        Width,      // words of one or two bytes are never coalesced
        Alignment,  // the first word is not at a multiple of 16 words
        Order,      // `lane` accesses a word other than word k of its segment
    };
    Why why = Why::Order;
    Lane lane{};  // of the warp
    s64 offsetBytes =
        0;  // Order: of its word in the segment; Alignment: of the segment, past the last multiple
};

// firstLane: 0 or 16; half: the active lanes of its 16, at least one. None: they are in order.
std::optional<Disorder> disorderOf(const trace::WarpAccess& access, LaneMask half, u32 firstLane);

}  // namespace lockstep::model
