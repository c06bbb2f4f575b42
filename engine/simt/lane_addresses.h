// The addresses of one access of a warp, and whether they are base + stride * lane.
#pragma once

#include "base/lane_mask.h"
#include "simt/program.h"
#include "trace/access.h"

namespace lockstep::simt {

struct LaneAddressSet {
    trace::WarpAccess access;  // addresses of inactive lanes: as the lowest active one's
    u8 rows = 0;               // of its shape
    bool affine = false;       // address == base + strideBytes * lane for every active lane
    u64 base = 0;
    s64 strideBytes = 0;

    u64 at(u32 lane) const { return access.addresses[lane]; }
    u32 active() const { return access.active.bits; }
    u32 lowest() const { return u32(std::countr_zero(active())); }
    u32 highest() const { return 31 - u32(std::countl_zero(active())); }
};

// How the lanes of an access lie to each other. An instruction mostly has the same shape each time, so that what follows from
// it (bounds, alignment, the pattern that is counted) is worked out once.
struct AddressShape {
    u32 active = 0;
    bool affine = false;
    s64 strideBytes = 0;
    s64 least = 0, most = 0;                        // distances from the lowest active lane's address
    u64 lowBits = 0;                                // of all distances together
    u8 rows = 0;                                    // wordRows(), where all lanes are active
    alignas(64) trace::LaneAddresses distances{};   // modulo 2^64; of inactive lanes 0

    bool matches(const LaneAddressSet& set) const {
        if (set.active() != active) return false;
        const u64 lowest = set.at(set.lowest());
        u64 differs = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane) differs |= (set.access.addresses[lane] - lowest) ^ distances[lane];
        return differs == 0;
    }
    // Every active lane lies in [base, base + bytes) and at a multiple of the width.
    bool fits(u64 lowestAddress, u64 base, u64 bytes, u32 width) const {
        if (bytes < width || u64(most) - u64(least) > bytes || ((lowestAddress | lowBits) & (width - 1))) return false;
        const u64 from = lowestAddress - base, last = bytes - width;
        return from + u64(least) <= last && from + u64(most) <= last;
    }
};
AddressShape shapeOf(LaneAddressSet& set);  // finds out whether the set is affine, too

// Leaves open whether the addresses are affine. `active` may not be empty. registers: 32 addresses of 32 or 64 bits.
inline void computeAddresses(LaneAddressSet& set, const std::byte* registers, bool are64, s64 offsetBytes, u32 active) {
    set.access.active = {active};
    trace::LaneAddresses& at = set.access.addresses;
    if (are64) {
        const u64* from = reinterpret_cast<const u64*>(registers);
        for (u32 lane = 0; lane < kWarpSize; ++lane) at[lane] = from[lane] + u64(offsetBytes);
    } else {  // addresses of a 32-bit space wrap around
        const u32* from = reinterpret_cast<const u32*>(registers);
        for (u32 lane = 0; lane < kWarpSize; ++lane) at[lane] = u64{from[lane] + u32(offsetBytes)};
    }
    if (active != LaneMask::all().bits) {
        const u64 first = at[set.lowest()];
        for (u32 lane = 0; lane < kWarpSize; ++lane) at[lane] = active >> lane & 1 ? at[lane] : first;
    }
}
void findAffine(LaneAddressSet& set);

}  // namespace lockstep::simt
