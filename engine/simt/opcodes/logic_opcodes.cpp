// What one lane computes for each instruction on bits: logic, shifts, fields, permutations, counts, and plain
// moves.
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

template <class T> inline constexpr u32 kBits = sizeof(T) * 8;

template <class T> constexpr T mov(T a) { return a; }
template <class T> constexpr T bitAnd(T a, T b) { return T(a & b); }
template <class T> constexpr T bitOr(T a, T b) { return T(a | b); }
template <class T> constexpr T bitXor(T a, T b) { return T(a ^ b); }
template <class T> constexpr T bitNot(T a) {
    if constexpr (std::is_same_v<T, bool>)
        return !a;
    else
        return T(~a);
}
template <class T> constexpr T cnot(T a) { return a == 0; }

// Shift amounts are u32 and clamped to the width, which leaves only sign bits or zeros.
template <class T> constexpr T shl(T a, u32 by) {
    return by < kBits<T> ? T(a << (by & (kBits<T> - 1))) : T{0};
}
template <class T> constexpr T shr(T a, u32 by) {
    const u32 clamped = by < kBits<T> ? by : kBits<T> - 1;
    const T shifted = T(a >> clamped);
    return by < kBits<T> || std::is_signed_v<T> ? shifted : T{0};
}

// shf: the 64 bits b:a shifted left or right, one word kept.
enum class FunnelMode : u8 { Clamp, Wrap };
template <FunnelMode mode> constexpr u32 funnelAmount(u32 c) {
    return mode == FunnelMode::Wrap ? c & 31 : c < 32 ? c : 32;
}
template <FunnelMode mode> constexpr u32 funnelLeft(u32 a, u32 b, u32 c) {
    return u32((u64{b} << 32 | a) << funnelAmount<mode>(c) >> 32);
}
template <FunnelMode mode> constexpr u32 funnelRight(u32 a, u32 b, u32 c) {
    return u32((u64{b} << 32 | a) >> funnelAmount<mode>(c));
}

constexpr u32 lop3(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 row = 0; row < 8; ++row) {
        const u32 chosen = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        result |= chosen & (0 - (table >> row & 1));
    }
    return result;
}
constexpr WithPredicate<u32> lop3And(u32 a, u32 b, u32 c, u32 table, bool q) {
    const u32 d = lop3(a, b, c, table);
    return {d, d != 0 && q};
}
constexpr WithPredicate<u32> lop3Or(u32 a, u32 b, u32 c, u32 table, bool q) {
    const u32 d = lop3(a, b, c, table);
    return {d, d != 0 || q};
}

template <class T> constexpr u32 popc(T a) { return u32(std::popcount(a)); }
template <class T> constexpr u32 clz(T a) { return u32(std::countl_zero(a)); }
template <class T> constexpr T brev(T a) {
    if constexpr (sizeof(T) == 8)
        return T{brev(u32(a))} << 32 | brev(u32(a >> 32));
    else {
        a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
        a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
        a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
        return __builtin_bswap32(a);
    }
}
// Highest bit that is not a copy of the sign; all ones if there is none.
template <class T> constexpr u32 bfind(T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = U(a < 0 ? ~a : a);
    return bits ? kBits<T> - 1 - u32(std::countl_zero(bits)) : ~0u;
}
template <class T> constexpr u32 bfindShift(T a) {
    const u32 found = bfind(a);
    return found == ~0u ? found : kBits<T> - 1 - found;
}

// 32-bit forms use the low 8 bits of position and length, 64-bit forms all bits (measured on an H200; the PTX
// ISA allows 0..255 only). Bits beyond the word's end are the sign (.s) or zero (.u).
template <class T> constexpr u32 fieldAmount(u32 amount) {
    return sizeof(T) == 8 ? (amount < 255 ? amount : 255) : amount & 0xff;
}
template <class T> constexpr T knownBits(u32 count) {
    return count >= kBits<T> ? T(~T{0}) : T((T{1} << count) - 1);
}
template <class T> constexpr T bfe(T a, u32 position, u32 length) {
    using U = std::make_unsigned_t<T>;
    const u32 from = fieldAmount<T>(position), count = fieldAmount<T>(length);
    const U mask = knownBits<U>(count);
    U field = from < kBits<T> ? U(U(a) >> from) : U{0};
    if constexpr (std::is_signed_v<T>) {
        const u32 last = from + count - 1 < kBits<T> - 1 ? from + count - 1 : kBits<T> - 1;
        if (count != 0 && U(a) >> last & 1) {
            const u32 present = from < kBits<T> ? kBits<T> - from : 0;
            return T((field & mask) | ~knownBits<U>(count < present ? count : present));
        }
    }
    return T(field & mask);
}
template <class T> constexpr T bfi(T a, T b, u32 position, u32 length) {
    const u32 from = fieldAmount<T>(position);
    if (from >= kBits<T>) return b;
    const T mask = T(knownBits<T>(fieldAmount<T>(length)) << from);
    return T((b & ~mask) | (T(a << from) & mask));
}

template <bool clamp, class T> constexpr T szext(T a, u32 b) {
    const u32 width = b & 31;
    const bool whole = clamp && b >= 32;
    const u32 above = whole ? 0 : ~0u << width;
    const bool negative = std::is_signed_v<T> && width != 0 && !whole && (u32(a) >> (width - 1) & 1);
    return T((u32(a) & ~above) | (negative ? above : 0));
}
template <bool clamp> constexpr u32 bmsk(u32 a, u32 b) {
    const u32 from = a & 31, end = from + (b & 31);
    const bool beyond = end >= 32 || (clamp && (a >= 32 || b >= 32));
    return (clamp && a >= 32 ? 0 : ~0u << from) & ~(beyond ? 0 : ~0u << (end & 31));
}

// The offset-th set bit from base upwards (offset > 0) or downwards; offset 0: the bit at base itself.
constexpr u32 fns(u32 mask, u32 base, s32 offset) {
    if (offset == INT32_MIN) return 0;  // has no magnitude; measured on an H200
    if (base > 31) return ~0u;
    if (offset == 0) return mask >> base & 1 ? base : ~0u;
    u32 left = offset > 0 ? u32(offset) : 0 - u32(offset);
    for (s32 at = s32(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
        if ((mask >> at & 1) && --left == 0) return u32(at);
    return ~0u;
}

// prmt: four bytes out of the eight of b:a. Plain: a nibble per byte, its top bit replicates the byte's sign.
constexpr u32 byteOf(u32 a, u32 b, u32 index) { return u32((u64{b} << 32 | a) >> (index & 7) * 8) & 0xff; }
constexpr u32 prmt(u32 a, u32 b, u32 selection) {
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
        const u32 nibble = selection >> i * 4 & 15;
        const u32 byte = byteOf(a, b, nibble);
        result |= (nibble & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << i * 8;
    }
    return result;
}
enum class PermuteMode : u8 { Forward4, Backward4, Replicate8, EdgeLeft, EdgeRight, Replicate16 };
template <PermuteMode mode> constexpr u32 prmtMode(u32 a, u32 b, u32 selection) {
    const u32 at = selection & 3;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
        const u32 byte = mode == PermuteMode::Forward4     ? at + i
                         : mode == PermuteMode::Backward4  ? at - i
                         : mode == PermuteMode::Replicate8 ? at
                         : mode == PermuteMode::EdgeLeft   ? (i > at ? i : at)
                         : mode == PermuteMode::EdgeRight  ? (i < at ? i : at)
                                                           : (at & 1) * 2 + (i & 1);
        result |= byteOf(a, b, byte) << i * 8;
    }
    return result;
}

static_assert(shr<s32>(-8, 40) == -1 && shr<u32>(~0u, 32) == 0 && shl<u16>(1, 15) == 0x8000);
static_assert(bfe<s32>(0x00f0, 4, 4) == -1 && bfe<u32>(0xf0, 4, 4) == 15 && bfe<s32>(-1, 40, 4) == -1);
static_assert(prmt(0x33221100, 0x77665544, 0x7531) == 0x77553311 && prmt(0x80, 0, 0x8888) == 0xffffffff);
static_assert(lop3(0xf0, 0xcc, 0xaa, 0x96) == (0xf0 ^ 0xcc ^ 0xaa) && fns(0b10110, 0, 2) == 2);

template <class T>
constexpr std::array kLogic = {
    opcode<bitAnd<T>>(form<"and.", kBitsName<T>>), opcode<bitOr<T>>(form<"or.", kBitsName<T>>),
    opcode<bitXor<T>>(form<"xor.", kBitsName<T>>), opcode<bitNot<T>>(form<"not.", kBitsName<T>>),
    opcode<mov<T>>(form<"mov.", kBitsName<T>>),
};

template <class U, class S>
constexpr std::array kShifts = {
    opcode<cnot<U>>(form<"cnot.", kBitsName<U>>), opcode<shl<U>>(form<"shl.", kBitsName<U>>),
    opcode<shr<U>>(form<"shr.", kBitsName<U>>),   opcode<shr<U>>(form<"shr.", kTypeName<U>>),
    opcode<shr<S>>(form<"shr.", kTypeName<S>>),
};

template <class T> constexpr std::array kMov = {opcode<mov<T>>(form<"mov.", kTypeName<T>>)};

template <class T>
constexpr std::array kCounts = {
    scalarOpcode<popc<T>>(form<"popc.", kBitsName<T>>),
    scalarOpcode<clz<T>>(form<"clz.", kBitsName<T>>),
    opcode<brev<T>>(form<"brev.", kBitsName<T>>),
    scalarOpcode<bfi<T>>(form<"bfi.", kBitsName<T>>),
};

template <class T>
constexpr std::array kFields = {
    scalarOpcode<bfind<T>>(form<"bfind.", kTypeName<T>>),
    scalarOpcode<bfindShift<T>>(form<"bfind.shiftamt.", kTypeName<T>>),
    scalarOpcode<bfe<T>>(form<"bfe.", kTypeName<T>>),
};

constexpr std::array kOf32Bits = {
    opcode<lop3>("lop3.b32"),
    opcode<lop3And>("lop3.and.b32"),
    opcode<lop3Or>("lop3.or.b32"),
    opcode<funnelLeft<FunnelMode::Clamp>>("shf.l.clamp.b32"),
    opcode<funnelLeft<FunnelMode::Wrap>>("shf.l.wrap.b32"),
    opcode<funnelRight<FunnelMode::Clamp>>("shf.r.clamp.b32"),
    opcode<funnelRight<FunnelMode::Wrap>>("shf.r.wrap.b32"),
    opcode<szext<true, u32>>("szext.clamp.u32"),
    opcode<szext<true, s32>>("szext.clamp.s32"),
    opcode<szext<false, u32>>("szext.wrap.u32"),
    opcode<szext<false, s32>>("szext.wrap.s32"),
    opcode<bmsk<true>>("bmsk.clamp.b32"),
    opcode<bmsk<false>>("bmsk.wrap.b32"),
    scalarOpcode<fns>("fns.b32"),
    opcode<prmt>("prmt.b32"),
    opcode<prmtMode<PermuteMode::Forward4>>("prmt.b32.f4e"),
    opcode<prmtMode<PermuteMode::Backward4>>("prmt.b32.b4e"),
    opcode<prmtMode<PermuteMode::Replicate8>>("prmt.b32.rc8"),
    opcode<prmtMode<PermuteMode::EdgeLeft>>("prmt.b32.ecl"),
    opcode<prmtMode<PermuteMode::EdgeRight>>("prmt.b32.ecr"),
    opcode<prmtMode<PermuteMode::Replicate16>>("prmt.b32.rc16"),
};

constexpr auto kLogicOpcodes = concat(
    kLogic<bool>, kLogic<u16>, kLogic<u32>, kLogic<u64>, kShifts<u16, s16>, kShifts<u32, s32>,
    kShifts<u64, s64>, kMov<u16>, kMov<s16>, kMov<u32>, kMov<s32>, kMov<u64>, kMov<s64>, kMov<f32>, kMov<f64>,
    kCounts<u32>, kCounts<u64>, kFields<u32>, kFields<s32>, kFields<u64>, kFields<s64>, kOf32Bits);

}  // namespace

std::span<const OpcodeRow> logicOpcodes() { return kLogicOpcodes; }

}  // namespace lockstep::simt
