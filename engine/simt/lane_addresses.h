// The addresses of one access of a warp, and whether they are base + stride * lane.
#pragma once

#include "base/lane_mask.h"
#include "simt/program.h"
#include "trace/access.h"

namespace lockstep::simt {

struct LaneAddressSet {
    trace::WarpAccess access;  // addresses of inactive lanes: as the lowest active one's
    bool affine = false;       // address == base + strideBytes * lane for every active lane
    u64 base = 0;
    s64 strideBytes = 0;

    u64 at(u32 lane) const { return access.addresses[lane]; }
    u32 active() const { return access.active.bits; }
    u32 lowest() const { return u32(std::countr_zero(active())); }
    u32 highest() const { return 31 - u32(std::countl_zero(active())); }
};

// `active` may not be empty. registers: 32 addresses of 32 or 64 bits.
void computeAddresses(LaneAddressSet& set, const std::byte* registers, bool are64, s64 offsetBytes, u32 active);
void findAffine(LaneAddressSet& set);

}  // namespace lockstep::simt
