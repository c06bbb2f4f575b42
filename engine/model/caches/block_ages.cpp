#include "model/caches/block_ages.h"

#include <algorithm>

namespace lockstep::model {

u64 turnsOfBlock(u64 older, u64 warpsPerBlock) {
    // Warps. Blocks of two and of eight were measured; interpolating linearly between them is a choice.
    constexpr u64 kServed = 27, kServedOfPairs = 42, kPair = 2, kMany = 8, kFade = 33;
    constexpr u64 kLeast = kAllTurns / 6;
    const u64 small = kMany - std::clamp(warpsPerBlock, kPair, kMany);
    const u64 served = kServed + (kServedOfPairs - kServed) * small / (kMany - kPair);
    const u64 before = (2 * older + 1) * warpsPerBlock;  // twice the warps before its middle
    if (before <= 2 * served) return kAllTurns;
    const u64 missed = (before - 2 * served) * kAllTurns / (2 * kFade);
    return missed + kLeast >= kAllTurns ? kLeast : kAllTurns - missed;
}

}  // namespace lockstep::model
