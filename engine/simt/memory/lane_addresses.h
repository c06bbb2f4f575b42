// The addresses of one warp access, and their shape: the distances between lanes.
#pragma once

#include "base/lane_mask.h"
#include "trace/access.h"

#include <bit>
#include <memory>
#include <vector>

namespace lockstep::simt {

struct LaneAddressSet {
    trace::WarpAccess access;  // inactive lanes: the lowest active lane's address
    u8 rows = 0;               // of its shape
    bool affine = false;       // address == base + strideBytes * lane for every active lane
    u64 base = 0;
    s64 strideBytes = 0;

    u64 at(u32 lane) const { return access.addresses[lane]; }
    u32 active() const { return access.active.bits; }
    u32 lowest() const { return u32(std::countr_zero(active())); }
    u32 highest() const { return 31 - u32(std::countl_zero(active())); }
};

// The distances between an access's lanes. An instruction mostly has the same shape each time, so what
// follows from it (bounds, alignment, the counted pattern) is computed once.
struct AddressShape {
    u32 id = 0;  // within a ShapeTable
    u32 active = 0;
    bool affine = false;
    u8 rowsOf4 = 0, rowsOf8 = 0;  // wordRows(), if all lanes are active
    s64 strideBytes = 0;
    s64 least = 0, most = 0;                       // distances from the lowest active lane's address
    u64 knownBits = 0;                             // total span
    alignas(64) trace::LaneAddresses distances{};  // modulo 2^64; of inactive lanes 0

    u8 rows(u32 widthBytes) const { return widthBytes == 4 ? rowsOf4 : widthBytes == 8 ? rowsOf8 : u8{0}; }
    bool matches(const LaneAddressSet& set) const {
        if (set.active() != active) return false;
        const u64 lowest = set.at(set.lowest());
        u64 differs = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            differs |= (set.access.addresses[lane] - lowest) ^ distances[lane];
        return differs == 0;
    }
    // These lanes are active and have this shape. addresses: those of the others are anything.
    bool matches(const u64* addresses, u32 mask) const {
        if (mask != active) return false;
        if (mask == LaneMask::all().bits) return matchesAll(addresses);
        const u64 lowest = addresses[std::countr_zero(mask)];
        u64 differs = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            differs |= mask >> lane & 1 ? (addresses[lane] - lowest) ^ distances[lane] : 0;
        return differs == 0;
    }
    // All 32 lanes are active and have this shape.
    bool matchesAll(const u64* addresses) const {
        const u64 lowest = addresses[0];
        u64 differs = active ^ LaneMask::all().bits;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            differs |= (addresses[lane] - lowest) ^ distances[lane];
        return differs == 0;
    }
    // Every active lane is in [base, base + bytes) and aligned to the width.
    bool fits(u64 lowestAddress, u64 base, u64 bytes, u32 width) const {
        if (bytes < width || u64(most) - u64(least) > bytes || ((lowestAddress | knownBits) & (width - 1)))
            return false;
        const u64 from = lowestAddress - base, last = bytes - width;
        return from + u64(least) <= last && from + u64(most) <= last;
    }
};
AddressShape shapeOf(LaneAddressSet& set);  // finds out whether the set is affine, too
// Of addresses that depend on data: not worth looking for an order in them.
AddressShape scatteredShapeOf(LaneAddressSet& set);

// Numbers the shapes that one host thread encounters, so that they can be compared and looked up by number.
class ShapeTable {
public:
    static constexpr u32 kMost = 4096;
    // The shape of the set's active lanes; nullptr: it is not there, and the table is full.
    const AddressShape* find(LaneAddressSet& set);
    std::size_t size() const { return shapes_.size(); }

private:
    static constexpr u32 kNone = ~0u, kBuckets = 2 * kMost;
    struct Known {
        std::unique_ptr<AddressShape> shape;
        u32 next = kNone;  // of the same bucket
    };
    std::vector<Known> shapes_;
    std::vector<u32> first_ = std::vector<u32>(kBuckets, kNone);  // by bucket
};

// Does not determine whether the addresses are affine. `active` must not be empty. registers: 32 addresses of
// 32 or 64 bits.
inline void computeAddresses(LaneAddressSet& set, const std::byte* registers, bool are64, s64 offsetBytes,
                             u32 active) {
    set.access.active = {active};
    trace::LaneAddresses& at = set.access.addresses;
    if (are64) {
        const u64* from = reinterpret_cast<const u64*>(registers);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            at[lane] = from[lane] + u64(offsetBytes);
    } else {  // addresses of a 32-bit space wrap around
        const u32* from = reinterpret_cast<const u32*>(registers);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            at[lane] = u64{from[lane] + u32(offsetBytes)};
    }
    if (active != LaneMask::all().bits) {
        const u64 first = at[set.lowest()];
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            at[lane] = active >> lane & 1 ? at[lane] : first;
    }
}
void findAffine(LaneAddressSet& set);

}  // namespace lockstep::simt
