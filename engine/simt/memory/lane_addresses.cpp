#include "simt/memory/lane_addresses.h"

#include "simt/memory/lane_memory.h"

#include <algorithm>
#include <array>

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
    // A few distances tell nearly all shapes apart; then all are compared.
    struct Term {
        u32 lane;
        u64 factor;  // odd, at random
    };
    static constexpr std::array<Term, 5> kTerms{{{1, 0x9e3779b97f4a7c15u},
                                                 {5, 0xbf58476d1ce4e5b9u},
                                                 {11, 0x94d049bb133111ebu},
                                                 {16, 0xd6e8feb86659fd93u},
                                                 {23, 0xa0761d6478bd642fu}}};
    const u64 lowest = set.at(set.lowest());
    u64 hash = set.active() * 0xe7037ed1a0b428dbu + (set.at(set.highest()) - lowest) * 0x8ebc6af09c88c6e3u;
    for (const Term& term : kTerms)
        hash += (set.at(term.lane) - lowest) * term.factor;
    u32& first = first_[(hash >> 40) % kBuckets];
    for (u32 known = first; known != kNone; known = shapes_[known].next)
        if (shapes_[known].shape->matches(set)) return shapes_[known].shape.get();
    if (shapes_.size() == kMost) return nullptr;
    auto made = std::make_unique<AddressShape>(shapeOf(set));
    made->id = u32(shapes_.size());
    shapes_.push_back({std::move(made), first});
    first = u32(shapes_.size() - 1);
    return shapes_.back().shape.get();
}

}  // namespace lockstep::simt
