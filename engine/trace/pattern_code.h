// A shape (active lanes and their distances) as a short byte string, which the pattern table compares, hashes
// and stores.
#pragma once

#include "trace/access.h"

#include <string>

namespace lockstep::trace {

// Distances from the lowest active lane's address, modulo 2^64; 0 for inactive lanes.
struct LaneShape {
    LaneMask active;
    LaneAddresses deltas{};
    bool operator==(const LaneShape&) const = default;
};

LaneShape shapeFrom(const WarpAccess& access);

// One code per shape, and back. An affine shape takes about 36 bytes, a gather within a few KiB about 70.
std::string encode(const LaneShape& shape);
LaneShape decode(const std::string& code);

}  // namespace lockstep::trace
