// Copies one element per lane between memory and a register, converting between their widths.
#pragma once

#include "base/indices.h"
#include "base/integers.h"

#include <array>

namespace lockstep::simt {

// Lane n's element is at memory + offsets[n]. Only lanes in mask are copied, and only their memory is
// accessed.
using MoveLanes = void (*)(std::byte* registers, std::byte* memory, const u64* offsets, u32 mask);
// The same for elements at memory + n * strideBytes in all 32 lanes.
using MoveAllLanes = void (*)(std::byte* registers, std::byte* memory, s64 strideBytes);

// The arrangement of the words of eight neighboring lanes: two bits for each of a warp's four groups.
enum class WordRow : u8 { Scattered, Same, Neighbors };
// The rows of 32 addresses for words of 4 or 8 bytes; 0 (all scattered) for other widths.
u8 wordRows(const u64* addresses, u32 widthBytes);
// 32 lanes load words of 4 or 8 bytes whose rows are known.
void loadRows(std::byte* registers, const std::byte* memory, const u64* offsets, u32 widthBytes, u8 rows);

// 32 lanes store words of 4 bytes whose rows are known. Saves the stored values and the previous ones, 128
// bytes each.
void exchangeRows(const std::byte* registers, std::byte* memory, const u64* offsets, u8 rows,
                  std::byte* stored, std::byte* before);

// Vectors of two or four words of 4 or 8 bytes, each lane's at once: element i of all lanes is in the i-th
// register.
using VectorRegisters = std::array<std::byte*, 4>;
void loadVectors(const VectorRegisters& registers, u32 elements, u32 wordBytes, const std::byte* memory,
                 const u64* offsets, u32 mask);
void storeVectors(const VectorRegisters& registers, u32 elements, u32 wordBytes, std::byte* memory,
                  const u64* offsets, u32 mask);

struct ElementMoves {
    MoveLanes load = nullptr, store = nullptr;
    MoveAllLanes loadAll = nullptr, storeAll = nullptr;
};

// Loads zero- or sign-extend to the declared register. nullptr members: no such element.
ElementMoves elementMoves(u32 elementBytes, bool isSigned, u32 registerBytes);

// All ones in the register's bytes: the result of a load that is not executed.
void poisonLanes(std::byte* registers, u32 elementBytes, bool isSigned, u32 registerBytes, u32 mask);

}  // namespace lockstep::simt
