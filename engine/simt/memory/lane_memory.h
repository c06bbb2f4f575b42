// Moves one element per lane between memory and a register, in whatever widths the two have.
#pragma once

#include "base/indices.h"
#include "base/integers.h"

namespace lockstep::simt {

// Lane n's element is at memory + offsets[n]. Only lanes in mask move; only their memory is touched.
using MoveLanes = void (*)(std::byte* registers, std::byte* memory, const u64* offsets, u32 mask);
// The same where lane n's element is at memory + n * strideBytes and 32 lanes move.
using MoveAllLanes = void (*)(std::byte* registers, std::byte* memory, s64 strideBytes);

// How the words of eight neighboring lanes lie: two bits for each of a warp's four such groups.
enum class WordRow : u8 { Scattered, Same, Neighbours };
// The rows of 32 addresses for words of 4 or 8 bytes; 0 (all scattered) for other widths.
u8 wordRows(const u64* addresses, u32 widthBytes);
// 32 lanes load words of 4 or 8 bytes whose rows are known.
void loadRows(std::byte* registers, const std::byte* memory, const u64* offsets, u32 widthBytes, u8 rows);

// 32 lanes store words of 4 bytes whose rows are known. What they store and what was there before is kept,
// 128 bytes each.
void exchangeRows(const std::byte* registers, std::byte* memory, const u64* offsets, u8 rows,
                  std::byte* stored, std::byte* before);

struct ElementMoves {
    MoveLanes load = nullptr, store = nullptr;
    MoveAllLanes loadAll = nullptr, storeAll = nullptr;
};

// Loads extend to the register as declared, with zeros or the sign. nullptr members: no such element.
ElementMoves elementMoves(u32 elementBytes, bool isSigned, u32 registerBytes);

// All ones, as the register's bytes allow: what a load that must not happen gives.
void poisonLanes(std::byte* registers, u32 elementBytes, bool isSigned, u32 registerBytes, u32 mask);

}  // namespace lockstep::simt
