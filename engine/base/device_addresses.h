// The place of each buffer in a run's address space: far from every other, so that even an address far out of
// bounds identifies its buffer. Recordings of both backends use these addresses.
#pragma once

#include "base/integers.h"

#include <optional>

namespace lockstep {

// Every buffer is in the middle of its own slot of a tebibyte. The skew (a multiple of 256, as all
// allocations are) keeps buffers from falling on the same cache sets and partitions.
inline constexpr u32 kSlotShift = 40;
inline constexpr u64 kBufferSkewBytes = 17 * 256;

constexpr u64 deviceAddressOf(u32 buffer) {
    return (u64{buffer} + 1) << kSlotShift | u64{1} << (kSlotShift - 1) | u64{buffer} * kBufferSkewBytes;
}

// The index of the buffer whose slot contains the address, in bounds or not; none for the first slot (null
// and the like). There may be no buffer of that index.
constexpr std::optional<u32> bufferOfAddress(u64 address) {
    const u64 slot = address >> kSlotShift;
    if (slot == 0) return std::nullopt;
    return u32(slot - 1);
}

static_assert(deviceAddressOf(3) % 256 == 0 && bufferOfAddress(deviceAddressOf(3) - 4096) == 3u);

}  // namespace lockstep
