// How many of a line's four sectors a mask has.
#pragma once

#include "base/integers.h"

#include <array>

namespace lockstep::model {

constexpr u32 sectorCount(u32 sectors) {
    constexpr std::array<u8, 16> kCounts{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return kCounts[sectors];
}

}  // namespace lockstep::model
