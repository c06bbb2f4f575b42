// cc 1.0 and 1.1 serve a half-warp at once only where lane k takes word k of a segment; else each lane is
// served alone.
#pragma once

#include "trace/access.h"

#include <optional>

namespace lockstep::model {

// Why a half-warp's lanes go alone.
struct Disorder {
    enum class Why : u8 {
        Width,      // words of one or two bytes are never served together
        Alignment,  // the first word does not lie at a multiple of 16 words
        Order,      // `lane` wants another word than its own
    };
    Why why = Why::Order;
    Lane lane{};  // of the warp
    s64 offsetBytes =
        0;  // Order: of what it wants in the segment; Alignment: of the segment behind the last multiple
};

// firstLane: 0 or 16; half: the active ones of its 16 lanes, at least one. None: they are in order.
std::optional<Disorder> disorderOf(const trace::WarpAccess& access, LaneMask half, u32 firstLane);

}  // namespace lockstep::model
