// L2 in slices: each line of memory belongs to one, and what happens in one does not depend on the others, so
// that host threads can share them. Real L2s are built of slices too; how a device deals its addresses to
// them is not documented.
#pragma once

#include "base/integers.h"

namespace lockstep::model {

// A choice: as many as there are threads that gain by it. The counts of the simulation depend on it a little
// (each slice gives up the oldest of its own stores), and so it is the same on every host.
constexpr u32 kL2Slices = 8;

// Spreads lines evenly: neighbors, and those a power of two apart.
constexpr u64 lineHash(u64 line) { return line * 0x9e3779b97f4a7c15u; }  // 2^64 / golden ratio
// Where something of a line is kept, of `places` in all: those of a slice are neighbors, where `places` is a
// multiple of the slices.
constexpr u64 placeOfLine(u64 line, u64 places) {
    return u64(static_cast<unsigned __int128>(lineHash(line)) * places >> 64);
}
constexpr u32 l2SliceOf(u64 line) { return u32(placeOfLine(line, kL2Slices)); }

}  // namespace lockstep::model
