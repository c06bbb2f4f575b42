// How many of a line's four sectors a mask has.
#pragma once

#include "base/integers.h"

namespace lockstep::model {

constexpr u32 sectorCount(u32 sectors) {
    constexpr u64 kCounts = 0x4332322132212110;  // a digit a mask, the lowest for mask 0
    return u32(kCounts >> 4 * sectors) & 15;
}

static_assert(sectorCount(0b0000) == 0 && sectorCount(0b1011) == 3 && sectorCount(0b1111) == 4);

}  // namespace lockstep::model
