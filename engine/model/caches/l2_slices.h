// L2 in slices: each memory line belongs to one, and slices are independent, so host threads can share them.
// Real L2s have slices too; how a device maps addresses to them is not documented.
#pragma once

#include "base/integers.h"

namespace lockstep::model {

// A choice: as many as the threads that can benefit. The counts of the simulation depend on it a little (each
// slice gives up the oldest of its own stores), and so it is the same on every host.
constexpr u32 kL2Slices = 8;

// Spreads lines evenly: neighbors, and those a power of two apart.
constexpr u64 lineHash(u64 line) { return line * 0x9e3779b97f4a7c15u; }  // 2^64 / golden ratio
// Index of a line's entry, of `places` in all; entries of one slice are contiguous if `places` is a multiple
// of the slice count.
constexpr u64 placeOfLine(u64 line, u64 places) {
    return u64(static_cast<unsigned __int128>(lineHash(line)) * places >> 64);
}
constexpr u32 l2SliceOf(u64 line) { return u32(placeOfLine(line, kL2Slices)); }

}  // namespace lockstep::model
