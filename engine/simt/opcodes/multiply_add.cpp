#include "simt/opcodes/multiply_add.h"

#include "simt/memory/lane_memory.h"
#include "simt/opcodes/float_helpers.h"

#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lockstep::simt {
namespace {

constexpr u32 kRow = 8, kRows = kWarpSize / kRow;  // lanes in a row, rows
constexpr u8 kNeighbors = 0b10101010;              // four WordRow::Neighbors
static_assert(u32(WordRow::Neighbors) == 2);
constexpr trace::LaneAddresses kRegister = [] {
    trace::LaneAddresses distances{};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        distances[lane] = lane * sizeof(f32);
    return distances;
}();

// Address of each lane's word at each step: base + the step's offset + the lane's distance.
struct Words {
    const std::byte* base;
    const u64* distances;
    u8 rows;
};

using Side = MultiplyAddOperation::Side;
using Offsets = MultiplyAddOperation::Offsets;

Words wordsOf(const Side& side, const std::byte* shared, const SlotState* slots, const std::byte* frame) {
    if (!side.isShared) return {frame, kRegister.data(), kNeighbors};
    const SlotState& slot = slots[side.slot];
    return {shared + slot.lowest, slot.shape->distances.data(), slot.shape->rowsOf4};
}

#if defined(__AVX2__) && defined(__FMA__)

// at: of the row's first lane. distances: of all its lanes from there.
template <WordRow kind> inline __m256 load(const std::byte* at, [[maybe_unused]] const u64* distances) {
    const f32* const first = reinterpret_cast<const f32*>(at);
    if constexpr (kind == WordRow::Neighbors) return _mm256_loadu_ps(first);
    if constexpr (kind == WordRow::Same) return _mm256_broadcast_ss(first);
    alignas(32) f32 words[kRow];
    for (u32 i = 0; i < kRow; ++i)
        std::memcpy(&words[i], at + (distances[i] - distances[0]), sizeof(f32));
    return _mm256_load_ps(words);
}

// NaN propagates through additions, so it is enough to make it canonical at the end.
inline __m256 canonical(__m256 x) {
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(s32(kNan32)));
    return _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

// Rows with the same words as an earlier row load them only once: row i uses row Sharing[i]'s.
using Sharing = std::array<u32, kRows>;
constexpr Sharing kOwn{0, 1, 2, 3}, kPairs{0, 0, 2, 2}, kInTurn{0, 1, 0, 1}, kOne{0, 0, 0, 0};

bool shares(const Words& words, const Sharing& sharing) {
    bool all = true;
    for (u32 row = 0; row < kRows; ++row)
        all &= words.distances[kRow * row] == words.distances[kRow * sharing[row]];
    return all;
}

// `rows` rows at once, so that their sums are independent. `first` of a step's two offsets is x's. (Lists of
// constant indices: the arrays below must end up in registers.)
template <WordRow a, Sharing sharingX, WordRow b, Sharing sharingY, u32 first, u32 rows = kRows>
void sumRows(std::span<const Offsets> offsets, f32* to, const Words& x, const Words& y, const f32* sum) {
    [&]<std::size_t... row>(std::index_sequence<row...>) {
        __m256 sums[]{_mm256_loadu_ps(sum + kRow * row)...}, xs[rows], ys[rows];
        const std::byte *const atX[]{(x.base + x.distances[kRow * row])...}, *const atY[]{(
                                                                                 y.base +
                                                                                 y.distances[kRow * row])...};
        for (const Offsets& offset : offsets) {
            ((xs[row] = sharingX[row] == row ? load<a>(atX[row] + offset[first], x.distances + kRow * row)
                                             : xs[sharingX[row]]),
             ...);
            ((ys[row] = sharingY[row] == row ? load<b>(atY[row] + offset[1 - first], y.distances + kRow * row)
                                             : ys[sharingY[row]]),
             ...);
            ((sums[row] = _mm256_fmadd_ps(xs[row], ys[row], sums[row])), ...);
        }
        (_mm256_storeu_ps(to + kRow * row, canonical(sums[row])), ...);
    }(std::make_index_sequence<rows>());
}

// x: the same word for each lane of a row; y: neighbors. The lane layouts of blocks 8, 16 and 32 wide, and
// any other.
template <u32 first>
void sumProducts(std::span<const Offsets> offsets, f32* to, const Words& x, const Words& y, const f32* sum) {
    using enum WordRow;
    if (shares(x, kPairs) && shares(y, kInTurn))
        sumRows<Same, kPairs, Neighbors, kInTurn, first>(offsets, to, x, y, sum);
    else if (shares(x, kOne))
        sumRows<Same, kOne, Neighbors, kOwn, first>(offsets, to, x, y, sum);
    else if (shares(y, kOne))
        sumRows<Same, kOwn, Neighbors, kOne, first>(offsets, to, x, y, sum);
    else
        sumRows<Same, kOwn, Neighbors, kOwn, first>(offsets, to, x, y, sum);
}

void sumEachRow(std::span<const Offsets> offsets, f32* to, const Words& x, const Words& y, const f32* sum) {
    using enum WordRow;
    for (u32 row = 0; row < kRows; ++row) {
        const Words rowX{x.base, x.distances + kRow * row, u8(x.rows >> 2 * row & 3)},
            rowY{y.base, y.distances + kRow * row, u8(y.rows >> 2 * row & 3)};
        f32* const rowTo = to + kRow * row;
        const f32* const rowSum = sum + kRow * row;
        if (rowX.rows == u8(Same) && rowY.rows == u8(Neighbors))
            sumRows<Same, kOwn, Neighbors, kOwn, 0, 1>(offsets, rowTo, rowX, rowY, rowSum);
        else if (rowX.rows == u8(Neighbors) && rowY.rows == u8(Same))
            sumRows<Neighbors, kOwn, Same, kOwn, 0, 1>(offsets, rowTo, rowX, rowY, rowSum);
        else
            sumRows<Scattered, kOwn, Scattered, kOwn, 0, 1>(offsets, rowTo, rowX, rowY, rowSum);
    }
}

void sumAll(std::span<const Offsets> offsets, f32* to, const Words& x, const Words& y, const f32* sum) {
    using enum WordRow;
    constexpr u8 kSame = 0b01010101;
    static_assert(u32(Same) == 1);
    if (x.rows == kSame && y.rows == kNeighbors)
        sumProducts<0>(offsets, to, x, y, sum);
    else if (x.rows == kNeighbors && y.rows == kSame)
        sumProducts<1>(offsets, to, y, x, sum);
    else if (x.rows == kNeighbors && y.rows == kNeighbors)
        sumRows<Neighbors, kOwn, Neighbors, kOwn, 0>(offsets, to, x, y, sum);
    else
        sumEachRow(offsets, to, x, y, sum);
}

#else

void sumAll(std::span<const Offsets> offsets, f32* to, const Words& x, const Words& y, const f32* sum) {
    const auto word = [](const std::byte* at) {
        f32 value;
        std::memcpy(&value, at, sizeof value);
        return value;
    };
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        f32 value = sum[lane];
        for (const Offsets& offset : offsets)
            value = finished<false, false>(std::fma(word(x.base + offset[0] + x.distances[lane]),
                                                    word(y.base + offset[1] + y.distances[lane]), value));
        to[lane] = value;
    }
}

#endif

}  // namespace

void multiplyAdd(const Op& op, const MultiplyAddOperation& operation, const std::byte* shared,
                 const SlotState* slots, std::byte* frame, u32 mask) {
    const Words x = wordsOf(operation.sides[0], shared, slots, frame),
                y = wordsOf(operation.sides[1], shared, slots, frame);
    if (mask == LaneMask::all().bits) {
        sumAll(operation.offsets, reinterpret_cast<f32*>(frame + op.at[0]), x, y,
               reinterpret_cast<const f32*>(frame + op.at[3]));
        return;
    }
    for (u32 i = 0; i < operation.steps.size(); ++i) {
        const MultiplyAddOperation::Step& step = operation.steps[i];
        for (u32 side = 0; side < 2; ++side) {  // nothing else reads the registers that the loads fill
            if (!operation.sides[side].isShared) continue;
            const Words& words = side ? y : x;
            for (Lane lane : LaneMask{mask})
                std::memcpy(frame + step.at[1 + side] + lane.value * sizeof(f32),
                            words.base + operation.offsets[i][side] + words.distances[lane.value],
                            sizeof(f32));
        }
        op.execute(step.at.data(), frame, mask);
    }
}

}  // namespace lockstep::simt
