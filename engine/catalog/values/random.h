// Random numbers that are the same on every machine and can be generated in any order: element i is a
// function of (key, i). SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
// OOPSLA 2014.
#pragma once

#include "base/integers.h"

namespace lockstep::catalog {

inline constexpr u64 kGoldenGamma = 0x9e3779b97f4a7c15;

constexpr u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// The key of one stream of a seed; neighboring seeds and streams are unrelated.
constexpr u64 streamKey(u64 seed, u64 stream) { return mix(mix(seed) + stream * kGoldenGamma); }

constexpr u64 randomBits(u64 key, u64 index) { return mix(key + (index + 1) * kGoldenGamma); }

// An integer below `count`, almost uniform: the bias is count / 2^32, and none if count is a power of two.
constexpr u64 randomBelow(u64 bits, u64 count) {
    return count <= u64{1} << 32 ? (bits >> 32) * count >> 32 : bits % count;
}

// A multiple of 2^-24 in [0, 1): exact as f32 and f64.
constexpr f64 randomUnit(u64 bits) { return f64(bits >> 40) * 0x1p-24; }

// SplitMix64 from state 0, as published with the paper's reference code.
static_assert(randomBits(0, 0) == 0xe220a8397b1dcdaf && randomBits(0, 1) == 0x6e789e6aa1b965f4);
static_assert(randomBelow(~u64{0}, 255) == 254 && randomBelow(0, 255) == 0);

}  // namespace lockstep::catalog
