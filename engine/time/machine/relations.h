// Comparisons of floats and of halves: which relations count as true, and what they are combined with.
#pragma once

#include "time/machine/op_builder.h"

namespace lockstep::time {

// Bits of Op::extra: less, equal, greater, unordered count as true; above them how it is combined.
constexpr u32 kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8, kOr = 16, kXor = 32;

// As an instruction's modifiers say; none: they name no relation.
std::optional<u32> relationOf(OpBuilder& b);

template <class T> inline u32 relation(T a, T b) {
    return a < b ? kLess : a > b ? kGreater : a == b ? kEqual : kUnordered;
}

// With the instruction's condition, as its modifiers say.
inline u32 combinedWith(const Op& op, const WarpState& warp, u32 lanes) {
    const u32 with = conditionLanes(op.conditions[0], warp);
    return op.extra & kOr ? lanes | with : op.extra & kXor ? lanes ^ with : lanes & with;
}

}  // namespace lockstep::time
