#include "trace/pattern_code.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::trace {

namespace {

enum class Form : char { Affine, Short, Int, Long };

// Odd numbers of 32 bits each, one a lane and hash and half of a distance (splitmix64 from 0).
struct Multipliers {
    std::array<u64, kWarpSize> low[2], high[2];
    u64 active[2], base[2];
};
constexpr Multipliers kMultipliers = [] {
    u64 state = 0;
    const auto next = [&] {
        u64 z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return (z ^ z >> 31) >> 32 | 1;
    };
    Multipliers m{};
    for (u32 hash = 0; hash < 2; ++hash) {
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            m.low[hash][lane] = next(), m.high[hash][lane] = next();
        m.active[hash] = next(), m.base[hash] = next();
    }
    return m;
}();

u64 sumOf(u32 hash, LaneMask active, const LaneAddresses& deltas) {
    u64 sum = active.bits * kMultipliers.active[hash];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        sum += u64{u32(deltas[lane])} * kMultipliers.low[hash][lane] +
               (deltas[lane] >> 32) * kMultipliers.high[hash][lane];
    return sum;
}

PatternKey keyOf(LaneMask active, u64 baseMod256, const LaneAddresses& deltas) {
    return {sumOf(0, active, deltas) + baseMod256 * kMultipliers.base[0],
            sumOf(1, active, deltas) + baseMod256 * kMultipliers.base[1]};
}

template <class T> void append(const LaneShape& shape, std::string& to) {
    std::array<T, kWarpSize> narrow;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        narrow[lane] = T(shape.deltas[lane]);
    to.append(reinterpret_cast<const char*>(narrow.data()), sizeof narrow);
}

template <class T> void take(const char* from, LaneShape& shape) {
    std::array<T, kWarpSize> narrow;
    std::memcpy(narrow.data(), from, sizeof narrow);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        shape.deltas[lane] = u64(s64{narrow[lane]});
}

// The lowest lane's distance is 0; `stride` is from there to each active lane.
void spread(s64 stride, LaneShape& shape) {
    for (Lane lane : shape.active)
        shape.deltas[lane.value] = u64(stride) * (lane.value - shape.active.lowest().value);
}

}  // namespace

LaneShape shapeFrom(const WarpAccess& access) {
    LaneShape shape{.active = access.active};
    if (access.active.empty()) return shape;
    const u64 origin = access.addresses[access.active.lowest().value];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        shape.deltas[lane] = (access.addresses[lane] - origin) & -u64{access.active.bits >> lane & 1};
    return shape;
}

PatternKey patternKey(const WarpAccess& access) {
    return keyOf(access.active, access.addresses[access.active.lowest().value] & 255,
                 shapeFrom(access).deltas);
}

PatternKey patternKey(const LaneShape& shape, u32 baseMod256) {
    return keyOf(shape.active, baseMod256, shape.deltas);
}

u64 shapeHash(const WarpAccess& access) { return sumOf(0, access.active, shapeFrom(access).deltas); }

void encode(const LaneShape& shape, std::string& to) {
    LaneShape affine{.active = shape.active};
    s64 stride = 0;
    if (const u32 rest = shape.active.bits & (shape.active.bits - 1)) {
        const u32 second = u32(std::countr_zero(rest));
        stride = s64(shape.deltas[second]) / s64(second - shape.active.lowest().value);
        spread(stride, affine);
    }
    u64 wide = 0;  // bits that differ from the sign
    for (u64 delta : shape.deltas)
        wide |= delta ^ (delta >> 63 ? ~u64{0} : 0);
    const Form form = affine == shape       ? Form::Affine
                      : wide < (1u << 15)   ? Form::Short
                      : wide < (1ull << 31) ? Form::Int
                                            : Form::Long;
    to.push_back(char(form));
    to.append(reinterpret_cast<const char*>(&shape.active.bits), sizeof shape.active.bits);
    switch (form) {
        case Form::Affine: to.append(reinterpret_cast<const char*>(&stride), sizeof stride); break;
        case Form::Short: append<s16>(shape, to); break;
        case Form::Int: append<s32>(shape, to); break;
        case Form::Long: append<s64>(shape, to); break;
    }
}

LaneShape decode(const char* code) {
    LaneShape shape;
    const Form form = Form(*code++);
    std::memcpy(&shape.active.bits, code, sizeof shape.active.bits);
    code += sizeof shape.active.bits;
    switch (form) {
        case Form::Affine: {
            s64 stride;
            std::memcpy(&stride, code, sizeof stride);
            spread(stride, shape);
            break;
        }
        case Form::Short: take<s16>(code, shape); break;
        case Form::Int: take<s32>(code, shape); break;
        case Form::Long: take<s64>(code, shape); break;
    }
    return shape;
}

}  // namespace lockstep::trace
