#include "simt/multiply_add.h"

#include <cmath>
#include <cstring>
#include <span>

#include "simt/float_helpers.h"
#include "simt/lane_memory.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lockstep::simt {
namespace {

constexpr u32 kRow = 8;
constexpr u8 kNeighbours = 0b10101010;  // four WordRow::Neighbours
static_assert(u32(WordRow::Neighbours) == 2);
constexpr trace::LaneAddresses kRegister = [] {
    trace::LaneAddresses distances{};
    for (u32 lane = 0; lane < kWarpSize; ++lane) distances[lane] = lane * sizeof(f32);
    return distances;
}();

// Where 32 lanes' words are at each step: base + the step's offset + the lane's distance.
struct Words {
    const std::byte* base;
    const u64* distances;
    u8 rows;
};

using Side = MultiplyAddOperation::Side;
using Step = MultiplyAddOperation::Step;

Words wordsOf(const Side& side, const std::byte* shared, const SlotState* slots, const std::byte* frame) {
    if (!side.isShared) return {frame, kRegister.data(), kNeighbours};
    const SlotState& slot = slots[side.slot];
    return {shared + slot.lowest, slot.shape->distances.data(), slot.shape->rowsOf4};
}

#if defined(__AVX2__) && defined(__FMA__)

// at: of the row's first lane. distances: of all its lanes from there.
template <WordRow kind> inline __m256 load(const std::byte* at, [[maybe_unused]] const u64* distances) {
    const f32* const first = reinterpret_cast<const f32*>(at);
    if constexpr (kind == WordRow::Neighbours) return _mm256_loadu_ps(first);
    if constexpr (kind == WordRow::Same) return _mm256_broadcast_ss(first);
    alignas(32) f32 words[kRow];
    for (u32 i = 0; i < kRow; ++i) std::memcpy(&words[i], at + (distances[i] - distances[0]), sizeof(f32));
    return _mm256_load_ps(words);
}

// A NaN stays one whatever is added to it, so that it is enough to make it the GPU's at the end.
inline __m256 canonical(__m256 x) {
    const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(s32(kNan32)));
    return _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

// `rows` rows at once from lane 8 * first on, so that their sums do not wait for each other.
template <WordRow a, WordRow b, u32 rows>
void sumRows(std::span<const Step> steps, f32* to, const Words& x, const Words& y, const f32* sum, u32 first) {
    __m256 sums[rows];
    const std::byte *atX[rows], *atY[rows];
    const u64 *distancesX = x.distances + kRow * first, *distancesY = y.distances + kRow * first;
    for (u32 i = 0; i < rows; ++i) {
        sums[i] = _mm256_loadu_ps(sum + kRow * (first + i));
        atX[i] = x.base + distancesX[kRow * i];
        atY[i] = y.base + distancesY[kRow * i];
    }
    for (const Step& step : steps)
        for (u32 i = 0; i < rows; ++i)
            sums[i] = _mm256_fmadd_ps(load<a>(atX[i] + step.offsetBytes[0], distancesX + kRow * i), load<b>(atY[i] + step.offsetBytes[1], distancesY + kRow * i), sums[i]);
    for (u32 i = 0; i < rows; ++i) _mm256_storeu_ps(to + kRow * (first + i), canonical(sums[i]));
}

void sumAll(std::span<const Step> steps, f32* to, const Words& x, const Words& y, const f32* sum) {
    using enum WordRow;
    constexpr u8 kSame = 0b01010101;
    static_assert(u32(Same) == 1);
    if (x.rows == kSame && y.rows == kNeighbours) return sumRows<Same, Neighbours, 4>(steps, to, x, y, sum, 0);
    if (x.rows == kNeighbours && y.rows == kSame) return sumRows<Neighbours, Same, 4>(steps, to, x, y, sum, 0);
    if (x.rows == kNeighbours && y.rows == kNeighbours) return sumRows<Neighbours, Neighbours, 4>(steps, to, x, y, sum, 0);
    for (u32 row = 0; row < kWarpSize / kRow; ++row) {
        const u32 kinds = u32(x.rows >> 2 * row & 3) << 2 | u32(y.rows >> 2 * row & 3);
        if (kinds == (u32(Same) << 2 | u32(Neighbours))) sumRows<Same, Neighbours, 1>(steps, to, x, y, sum, row);
        else if (kinds == (u32(Neighbours) << 2 | u32(Same))) sumRows<Neighbours, Same, 1>(steps, to, x, y, sum, row);
        else sumRows<Scattered, Scattered, 1>(steps, to, x, y, sum, row);
    }
}

#else

void sumAll(std::span<const Step> steps, f32* to, const Words& x, const Words& y, const f32* sum) {
    const auto word = [](const std::byte* at) {
        f32 value;
        std::memcpy(&value, at, sizeof value);
        return value;
    };
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        f32 value = sum[lane];
        for (const Step& step : steps)
            value = finished<false, false>(std::fma(word(x.base + step.offsetBytes[0] + x.distances[lane]), word(y.base + step.offsetBytes[1] + y.distances[lane]), value));
        to[lane] = value;
    }
}

#endif

}  // namespace

void multiplyAdd(const Op& op, const MultiplyAddOperation& operation, const std::byte* shared, const SlotState* slots, std::byte* frame, u32 mask) {
    const Words x = wordsOf(operation.sides[0], shared, slots, frame), y = wordsOf(operation.sides[1], shared, slots, frame);
    if (mask == LaneMask::all().bits) {
        sumAll(operation.steps, reinterpret_cast<f32*>(frame + op.at[0]), x, y, reinterpret_cast<const f32*>(frame + op.at[3]));
        return;
    }
    for (const Step& step : operation.steps) {
        for (u32 side = 0; side < 2; ++side) {  // nobody else reads the registers that the loads fill
            if (!operation.sides[side].isShared) continue;
            const Words& words = side ? y : x;
            for (Lane lane : LaneMask{mask})
                std::memcpy(frame + step.at[1 + side] + lane.value * sizeof(f32), words.base + step.offsetBytes[side] + words.distances[lane.value], sizeof(f32));
        }
        op.execute(step.at.data(), frame, mask);
    }
}

}  // namespace lockstep::simt
