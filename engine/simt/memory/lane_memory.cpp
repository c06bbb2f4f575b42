#include "simt/memory/lane_memory.h"

#include "base/check.h"
#include "base/lane_mask.h"

#include <cstring>
#include <type_traits>

namespace lockstep::simt {
namespace {

struct Wide {
    u64 low, high;
};  // 128 bits: registers hold the low words of all lanes, then the high words

// Memory holds an M (signed if the load sign-extends), the register's type is R, stored in 32 or 64 bits.
template <class M, class R> struct Element {
    using Word = std::conditional_t<sizeof(R) == 8, u64, u32>;

    static void loadOne(std::byte* registers, const std::byte* from, u32 lane) {
        M value;
        std::memcpy(&value, from, sizeof value);
        reinterpret_cast<Word*>(registers)[lane] = Word(R(value));
    }
    static void storeOne(const std::byte* registers, std::byte* to, u32 lane) {
        const M value = M(reinterpret_cast<const Word*>(registers)[lane]);
        std::memcpy(to, &value, sizeof value);
    }
};
template <> struct Element<Wide, Wide> {
    static void loadOne(std::byte* registers, const std::byte* from, u32 lane) {
        std::memcpy(registers + lane * 8, from, 8);
        std::memcpy(registers + 8 * kWarpSize + lane * 8, from + 8, 8);
    }
    static void storeOne(const std::byte* registers, std::byte* to, u32 lane) {
        std::memcpy(to, registers + lane * 8, 8);
        std::memcpy(to + 8, registers + 8 * kWarpSize + lane * 8, 8);
    }
};

template <class E> void load(std::byte* registers, std::byte* memory, const u64* offsets, u32 mask) {
    if (mask == LaneMask::all().bits) {
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            E::loadOne(registers, memory + offsets[lane], lane);
    } else {
        for (Lane lane : LaneMask{mask})
            E::loadOne(registers, memory + offsets[lane.value], lane.value);
    }
}
template <class E> void store(std::byte* registers, std::byte* memory, const u64* offsets, u32 mask) {
    for (Lane lane : LaneMask{mask})
        E::storeOne(registers, memory + offsets[lane.value], lane.value);
}
template <class E> void loadAll(std::byte* registers, std::byte* memory, s64 stride) {
    if (stride == 0)
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            E::loadOne(registers, memory, lane);
    else
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            E::loadOne(registers, memory + stride * lane, lane);
}
template <class E> void storeAll(std::byte* registers, std::byte* memory, s64 stride) {
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        E::storeOne(registers, memory + stride * lane, lane);
}

// The most common case: neighbors in memory, words of the same width.
template <class T> void loadWords(std::byte* registers, std::byte* memory, s64 stride) {
    if (stride == s64(sizeof(T))) {
        std::memcpy(registers, memory, kWarpSize * sizeof(T));
    } else if (stride == 0) {
        T value;
        std::memcpy(&value, memory, sizeof value);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            reinterpret_cast<T*>(registers)[lane] = value;
    } else {
        loadAll<Element<T, T>>(registers, memory, stride);
    }
}
template <class T> void storeWords(std::byte* registers, std::byte* memory, s64 stride) {
    if (stride == s64(sizeof(T)))
        std::memcpy(memory, registers, kWarpSize * sizeof(T));
    else
        storeAll<Element<T, T>>(registers, memory, stride);
}

template <class M, class R> constexpr ElementMoves moves() {
    using E = Element<M, R>;
    ElementMoves all{&load<E>, &store<E>, &loadAll<E>, &storeAll<E>};
    if constexpr (std::is_same_v<M, R> && (std::is_same_v<M, u32> || std::is_same_v<M, u64>)) {
        all.loadAll = &loadWords<M>;
        all.storeAll = &storeWords<M>;
    }
    return all;
}

template <class M> ElementMoves movesTo(u32 registerBytes) {
    switch (registerBytes) {
        case 1: return moves<M, u8>();
        case 2: return moves<M, u16>();
        case 4: return moves<M, u32>();
        case 8: return moves<M, u64>();
        default: return {};
    }
}

}  // namespace

ElementMoves elementMoves(u32 elementBytes, bool isSigned, u32 registerBytes) {
    if (elementBytes > registerBytes) return {};
    switch (elementBytes) {
        case 1: return isSigned ? movesTo<s8>(registerBytes) : movesTo<u8>(registerBytes);
        case 2: return isSigned ? movesTo<s16>(registerBytes) : movesTo<u16>(registerBytes);
        case 4:
            return isSigned && registerBytes == 8 ? movesTo<s32>(registerBytes) : movesTo<u32>(registerBytes);
        case 8: return movesTo<u64>(registerBytes);
        case 16: return registerBytes == 16 ? moves<Wide, Wide>() : ElementMoves{};
        default: return {};
    }
}

u8 wordRows(const u64* addresses, u32 widthBytes) {
    if (widthBytes != 4 && widthBytes != 8) return 0;
    u8 rows = 0;
    for (u32 row = 0; row < 4; ++row) {
        const u64* at = addresses + row * 8;
        bool same = true, neighbors = true;
        for (u32 i = 1; i < 8; ++i) {
            same &= at[i] == at[0];
            neighbors &= at[i] == at[0] + i * widthBytes;
        }
        const WordRow kind = same ? WordRow::Same : neighbors ? WordRow::Neighbors : WordRow::Scattered;
        rows |= u8(u32(kind) << 2 * row);
    }
    return rows;
}

namespace {

// Eight 4-byte words, in one instruction if the CPU supports it.
inline void copyRow(std::byte* to, const std::byte* from) {
    using Words [[gnu::vector_size(32), gnu::aligned(1), gnu::may_alias]] = u32;
    *reinterpret_cast<Words*>(to) = *reinterpret_cast<const Words*>(from);
}

template <class T>
void loadRowsOf(std::byte* registers, const std::byte* memory, const u64* offsets, u8 rows) {
    for (u32 row = 0; row < 4; ++row, rows >>= 2, offsets += 8, registers += 8 * sizeof(T)) {
        switch (WordRow(rows & 3)) {
            case WordRow::Neighbors:
                for (u32 i = 0; i < sizeof(T) / 4; ++i)
                    copyRow(registers + 32 * i, memory + offsets[0] + 32 * i);
                break;
            case WordRow::Same: {
                T value;
                std::memcpy(&value, memory + offsets[0], sizeof value);
                for (u32 i = 0; i < 8; ++i)
                    reinterpret_cast<T*>(registers)[i] = value;
                break;
            }
            case WordRow::Scattered:
                for (u32 i = 0; i < 8; ++i)
                    std::memcpy(registers + i * sizeof(T), memory + offsets[i], sizeof(T));
                break;
        }
    }
}

}  // namespace

void loadRows(std::byte* registers, const std::byte* memory, const u64* offsets, u32 widthBytes, u8 rows) {
    if (widthBytes == 4)
        loadRowsOf<u32>(registers, memory, offsets, rows);
    else
        loadRowsOf<u64>(registers, memory, offsets, rows);
}

void exchangeRows(const std::byte* registers, std::byte* memory, const u64* offsets, u8 rows,
                  std::byte* stored, std::byte* before) {
    constexpr u8 kNeighbors = 0b10101010;
    static_assert(u32(WordRow::Neighbors) == 2);
    if (rows == kNeighbors) {
        for (u32 i = 0; i < 4; ++i)
            copyRow(stored + 32 * i, registers + 32 * i), copyRow(before + 32 * i, memory + offsets[8 * i]);
        for (u32 i = 0; i < 4; ++i)
            copyRow(memory + offsets[8 * i], stored + 32 * i);
        return;
    }
    std::memcpy(stored, registers, 4 * kWarpSize);
    loadRows(before, memory, offsets, 4, rows);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        std::memcpy(memory + offsets[lane], registers + 4 * lane, 4);
}

namespace {

template <class T, u32 elements>
void loadVectorsOf(const VectorRegisters& registers, const std::byte* memory, const u64* offsets, u32 mask) {
    for (Lane lane : LaneMask{mask}) {
        std::array<T, elements> vector;
        std::memcpy(&vector, memory + offsets[lane.value], sizeof vector);
        for (u32 i = 0; i < elements; ++i)
            reinterpret_cast<T*>(registers[i])[lane.value] = vector[i];
    }
}
template <class T, u32 elements>
void storeVectorsOf(const VectorRegisters& registers, std::byte* memory, const u64* offsets, u32 mask) {
    for (Lane lane : LaneMask{mask}) {
        std::array<T, elements> vector;
        for (u32 i = 0; i < elements; ++i)
            vector[i] = reinterpret_cast<const T*>(registers[i])[lane.value];
        std::memcpy(memory + offsets[lane.value], &vector, sizeof vector);
    }
}

}  // namespace

void loadVectors(const VectorRegisters& registers, u32 elements, u32 wordBytes, const std::byte* memory,
                 const u64* offsets, u32 mask) {
    if (wordBytes == 8) return loadVectorsOf<u64, 2>(registers, memory, offsets, mask);
    (elements == 4 ? loadVectorsOf<u32, 4> : loadVectorsOf<u32, 2>)(registers, memory, offsets, mask);
}

void storeVectors(const VectorRegisters& registers, u32 elements, u32 wordBytes, std::byte* memory,
                  const u64* offsets, u32 mask) {
    if (wordBytes == 8) return storeVectorsOf<u64, 2>(registers, memory, offsets, mask);
    (elements == 4 ? storeVectorsOf<u32, 4> : storeVectorsOf<u32, 2>)(registers, memory, offsets, mask);
}

void poisonLanes(std::byte* registers, u32 elementBytes, bool isSigned, u32 registerBytes, u32 mask) {
    std::byte ones[16];
    std::memset(ones, 0xff, sizeof ones);
    const u64 offsets[kWarpSize]{};
    const MoveLanes load = elementMoves(elementBytes, isSigned, registerBytes).load;
    CHECK(load, "only what can be loaded is decoded");
    load(registers, ones, offsets, mask);
}

}  // namespace lockstep::simt
