// A pattern (grid_counts.h) as a key, by which it is found, and as bytes, in which it is kept.
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

// Two independent multilinear hashes of shape and base: of 65,536 patterns of a site, two have the same key
// with a probability of 2^-33.
struct PatternKey {
    u64 first = 0, second = 0;
    bool operator==(const PatternKey&) const = default;
};
PatternKey patternKey(const WarpAccess& access);  // `active` is not empty
PatternKey patternKey(const LaneShape& shape, u32 baseMod256);
// Of the shape alone: to look it up, and then to compare.
u64 shapeHash(const WarpAccess& access);

// Appends the shape, and reads it back. An affine shape takes 13 bytes, a gather within 32 KiB of its lowest
// lane 69, else 133 or 261.
void encode(const LaneShape& shape, std::string& to);
LaneShape decode(const char* code);

}  // namespace lockstep::trace
