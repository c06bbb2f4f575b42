// How instructions read their operands and write their results: always 32 lanes, of which a mask counts.
#pragma once

#include "time/machine/warp_state.h"

#include <bit>
#include <cstring>

namespace lockstep::time {

// How a modifier changes the bits of an operand.
enum class Reads : u8 { Integer, Float, Bits };

inline void broadcast(u32 value, Lanes& lanes) { lanes.at.fill(value); }

template <Reads R> inline u32 modified(u32 value, const Source& source) {
    if constexpr (R == Reads::Float) {
        if (source.absolute) value &= 0x7fffffff;
        if (source.negated) value ^= 0x80000000;
    } else if constexpr (R == Reads::Integer) {
        if (source.inverted) value = ~value;
        if (source.negated) value = 0 - value;
    }
    return value;
}

// The lanes of an operand; `scratch` holds them where they are no register's.
template <Reads R> inline const Lanes& lanesOf(const Source& source, const WarpState& warp, Lanes& scratch) {
    if (source.kind == Source::Kind::Register) {
        if (source.number == sass::kZeroRegister && !source.inverted && !source.negated) {
            broadcast(0, scratch);
            return scratch;
        }
        const bool isPlain = R == Reads::Bits || !(source.negated || source.absolute || source.inverted);
        if (source.number == sass::kZeroRegister) {
            broadcast(modified<R>(0, source), scratch);
            return scratch;
        }
        const Lanes& lanes = warp.registers[source.number];
        if (isPlain) return lanes;
        for (u32 i = 0; i < kWarpSize; ++i)
            scratch[i] = modified<R>(lanes[i], source);
        return scratch;
    }
    const u32 value = source.kind == Source::Kind::Uniform ? warp.uniform[source.number] : u32(source.value);
    broadcast(modified<R>(value, source), scratch);
    return scratch;
}

struct WideLanes {
    std::array<u64, kWarpSize> at;
    u64& operator[](std::size_t lane) { return at[lane]; }
    u64 operator[](std::size_t lane) const { return at[lane]; }
};

// The 64 bits of a pair of registers.
template <Reads R> inline void wideLanesOf(const Source& source, const WarpState& warp, WideLanes& wide) {
    if (source.kind == Source::Kind::Register && source.number != sass::kZeroRegister) {
        const Lanes& low = warp.registers[source.number];
        const Lanes& high = warp.registers[source.number + 1u];
        for (u32 i = 0; i < kWarpSize; ++i)
            wide[i] = low[i] | u64{high[i]} << 32;
    } else if (source.kind == Source::Kind::Uniform) {
        const u32 next = source.number == sass::kZeroUniformRegister ? source.number : source.number + 1u;
        wide.at.fill(warp.uniform[source.number] | u64{warp.uniform[next]} << 32);
    } else {
        wide.at.fill(source.kind == Source::Kind::Value ? source.value : 0);
    }
    if constexpr (R == Reads::Float) {
        if (source.absolute)
            for (u64& value : wide.at)
                value &= ~(u64{1} << 63);
        if (source.negated)
            for (u64& value : wide.at)
                value ^= u64{1} << 63;
    } else if constexpr (R == Reads::Integer) {
        if (source.inverted)
            for (u64& value : wide.at)
                value = ~value;
        if (source.negated)
            for (u64& value : wide.at)
                value = 0 - value;
    }
}

inline u32 conditionLanes(const PredicateSource& condition, const WarpState& warp) {
    const u32 lanes =
        condition.isUniform ? warp.uniformPredicates[condition.number] : warp.predicates[condition.number];
    return condition.isInverted ? ~lanes : lanes;
}

inline constexpr auto kLaneBits = [] {
    Lanes bits{};
    for (u32 i = 0; i < kWarpSize; ++i)
        bits[i] = 1u << i;
    return bits;
}();

// Where `mask` has a lane, the result goes to register `number`.
inline void writeLanes(WarpState& warp, u32 number, u32 mask, const Lanes& result) {
    if (number == sass::kZeroRegister) return;
    Lanes& to = warp.registers[number];
    if (mask == ~0u) {
        to = result;
        return;
    }
    for (u32 i = 0; i < kWarpSize; ++i)
        to[i] = mask & kLaneBits[i] ? result[i] : to[i];
}
inline void write(const Op& op, WarpState& warp, u32 mask, const Lanes& result) {
    if (!op.toUniform) return writeLanes(warp, op.destination, mask, result);
    if (op.destination != sass::kZeroUniformRegister) warp.uniform[op.destination] = result[0];
}
inline void writeWide(const Op& op, WarpState& warp, u32 mask, const WideLanes& result) {
    if (op.toUniform) {
        if (op.destination == sass::kZeroUniformRegister) return;
        warp.uniform[op.destination] = u32(result[0]);
        warp.uniform[op.destination + 1u] = u32(result[0] >> 32);
        return;
    }
    if (op.destination == sass::kZeroRegister) return;
    Lanes low, high;
    for (u32 i = 0; i < kWarpSize; ++i) {
        low[i] = u32(result[i]);
        high[i] = u32(result[i] >> 32);
    }
    writeLanes(warp, op.destination, mask, low);
    writeLanes(warp, op.destination + 1u, mask, high);
}
// which: 0 or 1, of the instruction's predicate destinations.
inline void writePredicate(const Op& op, WarpState& warp, u32 mask, u32 which, u32 lanes) {
    const u32 number = op.predicates[which];
    if (number == sass::kTruePredicate) return;
    if (op.toUniform) {
        warp.uniformPredicates[number] = lanes & 1 ? ~0u : 0;
        return;
    }
    warp.predicates[number] = (warp.predicates[number] & ~mask) | (lanes & mask);
}

// The results of a function of 1, 2 or 3 operands in each lane.
template <Reads R, auto F> void lanewise1(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, result;
    const Lanes& a = lanesOf<R>(op.sources[0], warp, sa);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = F(a[i]);
    write(op, warp, mask, result);
}
template <Reads R, auto F> void lanewise2(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, result;
    const Lanes& a = lanesOf<R>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<R>(op.sources[1], warp, sb);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = F(a[i], b[i]);
    write(op, warp, mask, result);
}
template <Reads R, auto F> void lanewise3(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<R>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<R>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<R>(op.sources[2], warp, sc);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = F(a[i], b[i], c[i]);
    write(op, warp, mask, result);
}

// Keeps the computation of a local result from being moved behind a change of the rounding mode.
template <class T> inline void computedHere(T& result) { asm volatile("" : : "r"(&result) : "memory"); }

inline f32 asFloat(u32 bits) { return std::bit_cast<f32>(bits); }
inline u32 bitsOf(f32 value) { return std::bit_cast<u32>(value); }
inline f64 asDouble(u64 bits) { return std::bit_cast<f64>(bits); }
inline u64 bitsOf(f64 value) { return std::bit_cast<u64>(value); }

}  // namespace lockstep::time
