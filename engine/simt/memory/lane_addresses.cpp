#include "simt/memory/lane_addresses.h"

#include "simt/memory/lane_memory.h"
#include "trace/pattern_code.h"

#include <algorithm>

namespace lockstep::simt {

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
        for (u32 lane = 0; lane + 1 < kWarpSize; ++lane)
            differs |= (at[lane + 1] - at[lane]) ^ u64(set.strideBytes);
    } else {
        for (Lane lane : LaneMask{active})
            differs |= at[lane.value] ^ (set.base + u64(set.strideBytes) * lane.value);
    }
    set.affine = differs == 0;
}

AddressShape scatteredShapeOf(LaneAddressSet& set) {
    AddressShape shape;
    shape.active = set.active();
    const u64 lowest = set.at(set.lowest());
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const s64 distance = s64(set.at(lane) - lowest);
        shape.distances[lane] = u64(distance);
        shape.least = std::min(shape.least, distance);
        shape.most = std::max(shape.most, distance);
        shape.knownBits |= u64(distance);
    }
    set.affine = false;
    set.rows = 0;
    return shape;
}

AddressShape shapeOf(LaneAddressSet& set) {
    AddressShape shape = scatteredShapeOf(set);
    findAffine(set);
    shape.affine = set.affine;
    shape.strideBytes = set.strideBytes;
    if (shape.active == LaneMask::all().bits) {
        shape.rowsOf4 = wordRows(set.access.addresses.data(), 4);
        shape.rowsOf8 = wordRows(set.access.addresses.data(), 8);
    }
    set.rows = shape.rows(set.access.widthBytes);
    return shape;
}

const AddressShape* ShapeTable::find(LaneAddressSet& set) {
    const u64 hash = trace::shapeHash(set.access);
    const auto [first, last] = shapes_.equal_range(hash);
    for (auto known = first; known != last; ++known)
        if (known->second->matches(set)) return known->second.get();
    if (shapes_.size() == kMost) return nullptr;
    auto made = std::make_unique<AddressShape>(shapeOf(set));
    made->id = u32(shapes_.size());
    return shapes_.emplace(hash, std::move(made))->second.get();
}

}  // namespace lockstep::simt
