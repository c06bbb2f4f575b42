#include "simt/lane_addresses.h"

namespace lockstep::simt {

void computeAddresses(LaneAddressSet& set, const std::byte* registers, bool are64, s64 offsetBytes, u32 active) {
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
    findAffine(set);
}

void findAffine(LaneAddressSet& set) {
    const trace::LaneAddresses& at = set.access.addresses;
    const u32 active = set.active();
    const u32 lowest = set.lowest(), rest = active & (active - 1);
    set.affine = true;
    set.strideBytes = 0;
    if (rest) {
        const u32 second = u32(std::countr_zero(rest));
        const s64 distance = s64(at[second] - at[lowest]);
        set.strideBytes = second - lowest == 1 ? distance : distance / s64(second - lowest);
    }
    set.base = at[lowest] - u64(set.strideBytes) * lowest;
    u64 differs = 0;
    if (active == LaneMask::all().bits) {
        for (u32 lane = 0; lane < kWarpSize; ++lane) differs |= at[lane] ^ (set.base + u64(set.strideBytes) * lane);
    } else {
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
            const u64 difference = at[lane] ^ (set.base + u64(set.strideBytes) * lane);
            differs |= active >> lane & 1 ? difference : 0;
        }
    }
    set.affine = differs == 0;
}

}  // namespace lockstep::simt
