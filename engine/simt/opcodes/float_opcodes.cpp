// What one lane computes for f32 and f64 arithmetic: IEEE add, multiply, divide and square root in every
// rounding mode.
#include "simt/opcodes/directed_rounding.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

// .ftz flushes sources, and results by their value with unbounded exponent.
template <bool Ftz, bool Sat> inline f32 finishedOf(f32 result, f32 scaled) {
    return finished<Ftz, Sat>(Ftz && isTiny(result, scaled) ? std::copysign(0.0f, result) : result);
}

template <bool Ftz, bool Sat> inline f32 add(f32 a, f32 b) {
    return finished<Ftz, Sat>(flushedIf<Ftz>(a) + flushedIf<Ftz>(b));
}
template <bool Ftz, bool Sat> inline f32 sub(f32 a, f32 b) {
    return finished<Ftz, Sat>(flushedIf<Ftz>(a) - flushedIf<Ftz>(b));
}
template <bool Ftz, bool Sat> inline f32 mul(f32 a, f32 b) {
    const f32 x = flushedIf<Ftz>(a), y = flushedIf<Ftz>(b);
    return finishedOf<Ftz, Sat>(x * y, x * kTinyScale * y);
}
template <bool Ftz, bool Sat> inline f32 fma(f32 a, f32 b, f32 c) {
    const f32 x = flushedIf<Ftz>(a), y = flushedIf<Ftz>(b), z = flushedIf<Ftz>(c);
    return finishedOf<Ftz, Sat>(std::fma(x, y, z), Ftz ? std::fma(x * kTinyScale, y, z * kTinyScale) : 1.0f);
}
template <bool Ftz> inline f32 div(f32 a, f32 b) {
    const f32 x = flushedIf<Ftz>(a), y = flushedIf<Ftz>(b);
    return finishedOf<Ftz, false>(x / y, Ftz ? x * kTinyScale / y : 1.0f);
}
template <bool Ftz> inline f32 rcp(f32 a) { return div<Ftz>(1.0f, a); }
template <bool Ftz> inline f32 sqrt(f32 a) { return finished<Ftz, false>(std::sqrt(flushedIf<Ftz>(a))); }

inline f64 addDouble(f64 a, f64 b) { return nanOf(a + b, b, a); }
inline f64 subDouble(f64 a, f64 b) { return nanOf(a - b, b, a); }
inline f64 mulDouble(f64 a, f64 b) { return nanOf(a * b, b, a); }
inline f64 fmaDouble(f64 a, f64 b, f64 c) { return nanOf(std::fma(a, b, c), b, c, a); }
inline f64 divDouble(f64 a, f64 b) { return nanOf(a / b, a, b); }
inline f64 rcpDouble(f64 a) { return nanOf(1.0 / a, a); }
inline f64 sqrtDouble(f64 a) { return nanOf(std::sqrt(a), a); }

template <class T> using BitsOf = Unsigned<sizeof(T)>;
template <class T> inline constexpr BitsOf<T> kSign = BitsOf<T>{1} << (sizeof(T) * 8 - 1);

inline f32 nanFrom(f32 result, f32 a) { return a == a ? result : canonical(a); }
inline f64 nanFrom(f64 result, f64 a) { return nanOf(result, a); }
template <bool Ftz, class T> inline T neg(T a) {
    return nanFrom(flushedIf<Ftz>(std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(a) ^ kSign<T>))), a);
}
template <bool Ftz, class T> inline T abs(T a) {
    return nanFrom(flushedIf<Ftz>(std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(a) & ~kSign<T>))), a);
}
// The sign of a with the magnitude of b.
template <class T> inline T copysign(T a, T b) {
    const auto sign = std::bit_cast<BitsOf<T>>(a) & kSign<T>,
               magnitude = std::bit_cast<BitsOf<T>>(b) & ~kSign<T>;
    return std::bit_cast<T>(BitsOf<T>(sign | magnitude));
}

// A number wins over a NaN, unless .NaN is written; -0 is less than +0.
template <class T> inline bool less(T a, T b) {
    return a < b || (a == b && std::bit_cast<BitsOf<T>>(a) > std::bit_cast<BitsOf<T>>(b));
}
inline f32 nanOfBoth(f32, f32) { return std::bit_cast<f32>(kNan32); }
inline f64 nanOfBoth(f64 a, f64 b) { return nanOf(a, b); }
template <bool Greater, bool NanWins, class T> inline T chosen(T a, T b) {
    const T number = Greater ? (less(a, b) ? b : a) : (less(b, a) ? b : a);
    if constexpr (NanWins)
        return a != a || b != b ? nanOfBoth(a, b) : number;
    else
        return a == a ? (b == b ? number : a) : (b == b ? b : nanOfBoth(a, b));
}
template <bool Greater, bool Ftz, bool NanWins, class T> inline T extreme(T a, T b) {
    return chosen<Greater, NanWins>(flushedIf<Ftz>(a), flushedIf<Ftz>(b));
}
// .xorsign.abs: the magnitudes are compared, the signs multiplied.
template <bool Greater, bool Ftz, bool NanWins, class T> inline T extremeXorSign(T a, T b) {
    const auto signs = (std::bit_cast<BitsOf<T>>(a) ^ std::bit_cast<BitsOf<T>>(b)) & kSign<T>;
    const T magnitude = extreme<Greater, Ftz, NanWins>(abs<false>(a), abs<false>(b));
    return magnitude != magnitude ? magnitude
                                  : std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(magnitude) | signs));
}

enum class Property : u8 { Finite, Infinite, Number, NotANumber, Normal, Subnormal };
template <Property property, class T> inline bool testp(T a) {
    constexpr BitsOf<T> infinity = sizeof(T) == 4 ? BitsOf<T>(0x7f800000) : BitsOf<T>(0x7ff0000000000000);
    constexpr BitsOf<T> leastNormal = infinity & (0 - infinity);  // the exponent's lowest bit
    const BitsOf<T> magnitude = std::bit_cast<BitsOf<T>>(a) & ~kSign<T>;
    switch (property) {
        case Property::Finite: return magnitude < infinity;
        case Property::Infinite: return magnitude == infinity;
        case Property::Number: return magnitude <= infinity;
        case Property::NotANumber: return magnitude > infinity;
        case Property::Normal: return magnitude < infinity && (magnitude >= leastNormal || magnitude == 0);
        case Property::Subnormal: return magnitude < leastNormal && magnitude != 0;
    }
    return false;
}

// ---- Rows. `name` is the rounding as written; none means to nearest even.
template <Text name, Rounding R, bool Ftz, bool Sat>
constexpr std::array kSingleSums = {
    roundedOpcode<R, add<Ftz, Sat>>(form<"add", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
    roundedOpcode<R, sub<Ftz, Sat>>(form<"sub", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
    roundedOpcode<R, mul<Ftz, Sat>>(form<"mul", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
};
template <Text name, Rounding R, bool Ftz, bool Sat>
constexpr std::array kSingleFma = {
    roundedOpcode<R, fma<Ftz, Sat>>(form<"fma", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
    roundedOpcode<R, fma<Ftz, Sat>>(form<"mad", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
};
template <Text name, Rounding R, bool Ftz>
constexpr std::array kSingleQuotients = {
    roundedOpcode<R, div<Ftz>>(form<"div", name, kIf<Ftz, ".ftz">, ".f32">),
    roundedOpcode<R, rcp<Ftz>>(form<"rcp", name, kIf<Ftz, ".ftz">, ".f32">),
    roundedOpcode<R, sqrt<Ftz>>(form<"sqrt", name, kIf<Ftz, ".ftz">, ".f32">),
};
template <Text name, Rounding R>
constexpr auto kSingle = concat(kSingleSums<name, R, false, false>, kSingleSums<name, R, false, true>,
                                kSingleSums<name, R, true, false>, kSingleSums<name, R, true, true>);
template <Text name, Rounding R>
constexpr auto kSingleRounded =
    concat(kSingle<name, R>, kSingleFma<name, R, false, false>, kSingleFma<name, R, false, true>,
           kSingleFma<name, R, true, false>, kSingleFma<name, R, true, true>,
           kSingleQuotients<name, R, false>, kSingleQuotients<name, R, true>);

template <Text name, Rounding R>
constexpr std::array kDoubleSums = {
    roundedOpcode<R, addDouble>(form<"add", name, ".f64">),
    roundedOpcode<R, subDouble>(form<"sub", name, ".f64">),
    roundedOpcode<R, mulDouble>(form<"mul", name, ".f64">),
};
template <Text name, Rounding R>
constexpr auto kDoubleRounded =
    concat(kDoubleSums<name, R>, std::array{
                                     roundedOpcode<R, fmaDouble>(form<"fma", name, ".f64">),
                                     roundedOpcode<R, fmaDouble>(form<"mad", name, ".f64">),
                                     roundedOpcode<R, divDouble>(form<"div", name, ".f64">),
                                     roundedOpcode<R, rcpDouble>(form<"rcp", name, ".f64">),
                                     roundedOpcode<R, sqrtDouble>(form<"sqrt", name, ".f64">),
                                 });

template <bool Ftz, class T>
constexpr std::array kSigns = {
    opcode<neg<Ftz, T>>(form<"neg", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    opcode<abs<Ftz, T>>(form<"abs", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
};
template <bool Ftz, bool NanWins, class T>
constexpr std::array kExtremes = {
    opcode<extreme<false, Ftz, NanWins, T>>(
        form<"min", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".", kTypeName<T>>),
    opcode<extreme<true, Ftz, NanWins, T>>(
        form<"max", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".", kTypeName<T>>),
};
template <bool Ftz, bool NanWins>
constexpr std::array kXorSignExtremes = {
    opcode<extremeXorSign<false, Ftz, NanWins, f32>>(
        form<"min", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".xorsign.abs.f32">),
    opcode<extremeXorSign<true, Ftz, NanWins, f32>>(
        form<"max", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".xorsign.abs.f32">),
};
template <class T>
constexpr std::array kProperties = {
    opcode<copysign<T>>(form<"copysign.", kTypeName<T>>),
    opcode<testp<Property::Finite, T>>(form<"testp.finite.", kTypeName<T>>),
    opcode<testp<Property::Infinite, T>>(form<"testp.infinite.", kTypeName<T>>),
    opcode<testp<Property::Number, T>>(form<"testp.number.", kTypeName<T>>),
    opcode<testp<Property::NotANumber, T>>(form<"testp.notanumber.", kTypeName<T>>),
    opcode<testp<Property::Normal, T>>(form<"testp.normal.", kTypeName<T>>),
    opcode<testp<Property::Subnormal, T>>(form<"testp.subnormal.", kTypeName<T>>),
};

constexpr auto kFloatOpcodes = concat(
    kSingle<"", Rounding::Rn>, kSingleRounded<".rn", Rounding::Rn>, kSingleRounded<".rz", Rounding::Rz>,
    kSingleRounded<".rm", Rounding::Rm>, kSingleRounded<".rp", Rounding::Rp>, kDoubleSums<"", Rounding::Rn>,
    kDoubleRounded<".rn", Rounding::Rn>, kDoubleRounded<".rz", Rounding::Rz>,
    kDoubleRounded<".rm", Rounding::Rm>, kDoubleRounded<".rp", Rounding::Rp>, kSigns<false, f32>,
    kSigns<true, f32>, kSigns<false, f64>, kExtremes<false, false, f32>, kExtremes<false, true, f32>,
    kExtremes<true, false, f32>, kExtremes<true, true, f32>, kExtremes<false, false, f64>,
    kXorSignExtremes<false, false>, kXorSignExtremes<false, true>, kXorSignExtremes<true, false>,
    kXorSignExtremes<true, true>, kProperties<f32>, kProperties<f64>);

}  // namespace

std::span<const OpcodeRow> floatOpcodes() { return kFloatOpcodes; }

}  // namespace lockstep::simt
