// What one lane computes for each integer instruction: add, multiply, divide, absolute difference, min and
// max.
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"

#include <limits>

namespace lockstep::simt {
namespace {

// PTX wraps around; signed overflow in C++ is undefined, hence unsigned types inside, wide enough that
// nothing promotes to int.
template <class T> using Wrapping = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
using Doubled = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 8, __int128, s64>,
                                   std::conditional_t<sizeof(T) == 8, unsigned __int128, u64>>;

template <class T> constexpr T add(T a, T b) { return T(Wrapping<T>(a) + Wrapping<T>(b)); }
template <class T> constexpr T sub(T a, T b) { return T(Wrapping<T>(a) - Wrapping<T>(b)); }
template <class T> constexpr T mulLo(T a, T b) { return T(Wrapping<T>(a) * Wrapping<T>(b)); }
template <class T> constexpr T mulHi(T a, T b) { return T(Doubled<T>(a) * b >> sizeof(T) * 8); }
template <class T> constexpr T madLo(T a, T b, T c) { return add(mulLo(a, b), c); }
template <class T> constexpr T madHi(T a, T b, T c) { return add(mulHi(a, b), c); }
template <class T> constexpr T neg(T a) { return T(0 - Wrapping<T>(a)); }
template <class T> constexpr T abs(T a) { return a < 0 ? neg(a) : a; }
template <class T> constexpr T min(T a, T b) { return a < b ? a : b; }
template <class T> constexpr T max(T a, T b) { return a < b ? b : a; }
template <class T> constexpr T sad(T a, T b, T c) { return add(c, a < b ? sub(b, a) : sub(a, b)); }

constexpr s32 saturated(s64 wide) {
    return s32(wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : wide);
}
constexpr s32 addSat(s32 a, s32 b) { return saturated(s64{a} + b); }
constexpr s32 subSat(s32 a, s32 b) { return saturated(s64{a} - b); }
constexpr s32 madHiSat(s32 a, s32 b, s32 c) { return saturated(s64{mulHi(a, b)} + c); }
constexpr s32 minRelu(s32 a, s32 b) { return max(0, min(a, b)); }
constexpr s32 maxRelu(s32 a, s32 b) { return max(0, max(a, b)); }

template <class T> struct Twice;
template <> struct Twice<u16> {
    using Type = u32;
};
template <> struct Twice<s16> {
    using Type = s32;
};
template <> struct Twice<u32> {
    using Type = u64;
};
template <> struct Twice<s32> {
    using Type = s64;
};
template <class T> using Wide = typename Twice<T>::Type;

template <class T> constexpr Wide<T> mulWide(T a, T b) { return Wide<T>(Wide<T>(a) * Wide<T>(b)); }
template <class T> constexpr Wide<T> madWide(T a, T b, Wide<T> c) { return add(mulWide(a, b), c); }

// 24-bit operands: .lo is bits 31..0 of the product of 48 bits, .hi its bits 47..16.
template <class T> constexpr s64 product24(T a, T b) {
    if constexpr (std::is_signed_v<T>)
        return s64{s32(u32(a) << 8) >> 8} * (s32(u32(b) << 8) >> 8);
    else
        return s64(u64(a & 0xffffff) * (b & 0xffffff));
}
template <class T> constexpr T mul24Lo(T a, T b) { return T(product24(a, b)); }
template <class T> constexpr T mul24Hi(T a, T b) { return T(product24(a, b) >> 16); }
template <class T> constexpr T mad24Lo(T a, T b, T c) { return add(mul24Lo(a, b), c); }
template <class T> constexpr T mad24Hi(T a, T b, T c) { return add(mul24Hi(a, b), c); }
constexpr s32 mad24HiSat(s32 a, s32 b, s32 c) { return saturated(s64{mul24Hi(a, b)} + c); }

// 32-bit division uses doubles, which vectorize: a/b is at least 1/a from the next integer, far above the
// rounding error.
inline f64 asDouble(s32 a) { return f64(a); }
inline f64 asDouble(u32 a) { return f64(s32(a ^ 0x80000000u)) + 0x1p31; }
template <class T> inline T quotient32(T a, T b) {
    constexpr f64 bias = std::is_signed_v<T> ? 0 : 0x1p31;
    const f64 whole = __builtin_trunc(asDouble(a) / asDouble(b == 0 ? T{1} : b)) - bias;
    const f64 inRange = whole > 2147483647.0 ? -2147483648.0 : whole;  // INT_MIN / -1 wraps around
    return T(u32(s32(inRange)) ^ (std::is_signed_v<T> ? 0u : 0x80000000u));
}

// Division by zero gives all ones, and so does the remainder: measured on an H200, for every type.
template <class T> inline T quotient(T a, T b) {
    if constexpr (sizeof(T) == 2)
        return b == 0 ? T(~T{0}) : T(a / b);
    else if constexpr (sizeof(T) == 4)
        return b == 0 ? T(~T{0}) : quotient32(a, b);
    else if (b == 0)
        return T(~T{0});
    else if (std::is_signed_v<T> && b == T(~T{0}))
        return neg(a);  // INT64_MIN / -1 wraps around
    else
        return a / b;
}
template <class T> inline T remainder(T a, T b) {
    return b == 0 ? T(~T{0}) : sub(a, mulLo(quotient(a, b), b));
}

// ---- The hidden carry flag: for a subtraction it is the borrow.
template <class T> constexpr WithCarry<T> addOut(T a, T b, bool carry) {
    using U = Wrapping<T>;
    const U sum = U(a) + U(b) + carry;
    return {T(sum), carry ? sum <= U(a) : sum < U(a)};
}
template <class T> constexpr WithCarry<T> subOut(T a, T b, bool borrow) {
    using U = Wrapping<T>;
    return {T(U(a) - U(b) - borrow), borrow ? U(a) <= U(b) : U(a) < U(b)};
}
template <class T> constexpr WithCarry<T> addCc(T a, T b) { return addOut(a, b, false); }
template <class T> constexpr WithCarry<T> subCc(T a, T b) { return subOut(a, b, false); }
template <class T> constexpr T addc(T a, T b, bool carry) { return addOut(a, b, carry).value; }
template <class T> constexpr T subc(T a, T b, bool borrow) { return subOut(a, b, borrow).value; }
template <class T> constexpr WithCarry<T> madLoCc(T a, T b, T c) { return addOut(mulLo(a, b), c, false); }
template <class T> constexpr WithCarry<T> madHiCc(T a, T b, T c) { return addOut(mulHi(a, b), c, false); }
template <class T> constexpr T madcLo(T a, T b, T c, bool carry) {
    return addOut(mulLo(a, b), c, carry).value;
}
template <class T> constexpr T madcHi(T a, T b, T c, bool carry) {
    return addOut(mulHi(a, b), c, carry).value;
}
template <class T> constexpr WithCarry<T> madcLoCc(T a, T b, T c, bool carry) {
    return addOut(mulLo(a, b), c, carry);
}
template <class T> constexpr WithCarry<T> madcHiCc(T a, T b, T c, bool carry) {
    return addOut(mulHi(a, b), c, carry);
}

static_assert(madLo<s32>(0x7fffffff, 2, 1) == -1);
static_assert(mulHi<s64>(-1, 1) == -1 && mulHi<u64>(~0ull, ~0ull) == ~1ull && mulHi<s16>(-2, 1) == -1);
static_assert(addOut<u32>(~0u, 0, true).carry && subOut<u32>(0, 0, true).carry &&
              !subOut<u32>(5, 5, false).carry);
static_assert(mul24Hi<s32>(-1, 1) == -1 && mul24Lo<u32>(0xff000003, 2) == 6);

constexpr OpcodeRow dividing(OpcodeRow row) {
    row.dividesByZero = true;
    return row;
}

template <class T>
constexpr std::array kOfType = {
    opcode<add<T>>(form<"add.", kTypeName<T>>),
    opcode<sub<T>>(form<"sub.", kTypeName<T>>),
    opcode<mulLo<T>>(form<"mul.lo.", kTypeName<T>>),
    opcode<mulHi<T>>(form<"mul.hi.", kTypeName<T>>),
    opcode<madLo<T>>(form<"mad.lo.", kTypeName<T>>),
    opcode<madHi<T>>(form<"mad.hi.", kTypeName<T>>),
    opcode<sad<T>>(form<"sad.", kTypeName<T>>),
    opcode<min<T>>(form<"min.", kTypeName<T>>),
    opcode<max<T>>(form<"max.", kTypeName<T>>),
    dividing(sizeof(T) == 8 ? scalarOpcode<quotient<T>>(form<"div.", kTypeName<T>>)
                            : opcode<quotient<T>>(form<"div.", kTypeName<T>>)),
    dividing(sizeof(T) == 8 ? scalarOpcode<remainder<T>>(form<"rem.", kTypeName<T>>)
                            : opcode<remainder<T>>(form<"rem.", kTypeName<T>>)),
};

template <class T>
constexpr std::array kOfSignedType = {
    opcode<neg<T>>(form<"neg.", kTypeName<T>>),
    opcode<abs<T>>(form<"abs.", kTypeName<T>>),
};

template <class T>
constexpr std::array kWidening = {
    opcode<mulWide<T>>(form<"mul.wide.", kTypeName<T>>),
    opcode<madWide<T>>(form<"mad.wide.", kTypeName<T>>),
};

template <class T>
constexpr std::array kOf24Bits = {
    opcode<mul24Lo<T>>(form<"mul24.lo.", kTypeName<T>>),
    opcode<mul24Hi<T>>(form<"mul24.hi.", kTypeName<T>>),
    opcode<mad24Lo<T>>(form<"mad24.lo.", kTypeName<T>>),
    opcode<mad24Hi<T>>(form<"mad24.hi.", kTypeName<T>>),
};

template <class T>
constexpr std::array kExtendedPrecision = {
    opcode<addCc<T>>(form<"add.cc.", kTypeName<T>>),
    opcode<addc<T>>(form<"addc.", kTypeName<T>>),
    opcode<addOut<T>>(form<"addc.cc.", kTypeName<T>>),
    opcode<subCc<T>>(form<"sub.cc.", kTypeName<T>>),
    opcode<subc<T>>(form<"subc.", kTypeName<T>>),
    opcode<subOut<T>>(form<"subc.cc.", kTypeName<T>>),
    opcode<madLoCc<T>>(form<"mad.lo.cc.", kTypeName<T>>),
    opcode<madHiCc<T>>(form<"mad.hi.cc.", kTypeName<T>>),
    opcode<madcLo<T>>(form<"madc.lo.", kTypeName<T>>),
    opcode<madcHi<T>>(form<"madc.hi.", kTypeName<T>>),
    opcode<madcLoCc<T>>(form<"madc.lo.cc.", kTypeName<T>>),
    opcode<madcHiCc<T>>(form<"madc.hi.cc.", kTypeName<T>>),
};

constexpr std::array kSaturating = {
    opcode<addSat>("add.sat.s32"),      opcode<subSat>("sub.sat.s32"),
    opcode<madHiSat>("mad.hi.sat.s32"), opcode<mad24HiSat>("mad24.hi.sat.s32"),
    opcode<minRelu>("min.relu.s32"),    opcode<maxRelu>("max.relu.s32"),
};

constexpr auto kIntegerOpcodes =
    concat(kOfType<u16>, kOfType<s16>, kOfType<u32>, kOfType<s32>, kOfType<u64>, kOfType<s64>,
           kOfSignedType<s16>, kOfSignedType<s32>, kOfSignedType<s64>, kWidening<u16>, kWidening<s16>,
           kWidening<u32>, kWidening<s32>, kOf24Bits<u32>, kOf24Bits<s32>, kExtendedPrecision<u32>,
           kExtendedPrecision<s32>, kExtendedPrecision<u64>, kExtendedPrecision<s64>, kSaturating);

}  // namespace

std::span<const OpcodeRow> integerOpcodes() { return kIntegerOpcodes; }

}  // namespace lockstep::simt
