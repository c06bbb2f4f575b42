// What one lane computes for f32 and f64 arithmetic: IEEE sums, products, quotients and roots in every rounding mode.
#include "simt/directed_rounding.h"
#include "simt/lane_loop.h"
#include "simt/opcode_names.h"
#include "simt/opcode_table.h"

namespace lockstep::simt {
namespace {

template <Rounding R, bool Ftz, bool Sat, class T> inline T add(T a, T b) {
    return finished<Ftz, Sat>(roundedAdd<R>(flushedIf<Ftz>(a), flushedIf<Ftz>(b)));
}
template <Rounding R, bool Ftz, bool Sat, class T> inline T sub(T a, T b) {
    return finished<Ftz, Sat>(roundedAdd<R>(flushedIf<Ftz>(a), -flushedIf<Ftz>(b)));
}
template <Rounding R, bool Ftz, bool Sat, class T> inline T mul(T a, T b) {
    return finished<Ftz, Sat>(roundedMul<R>(flushedIf<Ftz>(a), flushedIf<Ftz>(b)));
}
template <Rounding R, bool Ftz, bool Sat, class T> inline T fma(T a, T b, T c) {
    return finished<Ftz, Sat>(roundedFma<R>(flushedIf<Ftz>(a), flushedIf<Ftz>(b), flushedIf<Ftz>(c)));
}
template <Rounding R, bool Ftz, class T> inline T div(T a, T b) {
    return finished<Ftz, false>(roundedDiv<R>(flushedIf<Ftz>(a), flushedIf<Ftz>(b)));
}
template <Rounding R, bool Ftz, class T> inline T rcp(T a) { return div<R, Ftz, T>(T{1}, a); }
template <Rounding R, bool Ftz, class T> inline T sqrt(T a) { return finished<Ftz, false>(roundedSqrt<R>(flushedIf<Ftz>(a))); }

template <class T> using BitsOf = Unsigned<sizeof(T)>;
template <class T> inline constexpr BitsOf<T> kSign = BitsOf<T>{1} << (sizeof(T) * 8 - 1);

template <bool Ftz, class T> inline T neg(T a) { return flushedIf<Ftz>(std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(a) ^ kSign<T>))); }
template <bool Ftz, class T> inline T abs(T a) { return flushedIf<Ftz>(std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(a) & ~kSign<T>))); }
// The sign of a with the magnitude of b.
template <class T> inline T copysign(T a, T b) {
    const auto sign = std::bit_cast<BitsOf<T>>(a) & kSign<T>, magnitude = std::bit_cast<BitsOf<T>>(b) & ~kSign<T>;
    return std::bit_cast<T>(BitsOf<T>(sign | magnitude));
}

// The one that is a number wins over a NaN, unless .NaN is written; -0 is less than +0.
template <class T> inline bool less(T a, T b) { return a < b || (a == b && std::bit_cast<BitsOf<T>>(a) > std::bit_cast<BitsOf<T>>(b)); }
template <bool Greater, bool NanWins, class T> inline T chosen(T a, T b) {
    const T number = Greater ? (less(a, b) ? b : a) : (less(b, a) ? b : a);
    if constexpr (NanWins) return canonical(a != a ? a : b != b ? b : number);
    else return canonical(a != a ? b : b != b ? a : number);
}
template <bool Greater, bool Ftz, bool NanWins, class T> inline T extreme(T a, T b) {
    return chosen<Greater, NanWins>(flushedIf<Ftz>(a), flushedIf<Ftz>(b));
}
// .xorsign.abs: the magnitudes are compared, the signs multiplied.
template <bool Greater, bool Ftz, bool NanWins, class T> inline T extremeXorSign(T a, T b) {
    const auto signs = (std::bit_cast<BitsOf<T>>(a) ^ std::bit_cast<BitsOf<T>>(b)) & kSign<T>;
    const T magnitude = extreme<Greater, Ftz, NanWins>(abs<false>(a), abs<false>(b));
    return magnitude != magnitude ? magnitude : std::bit_cast<T>(BitsOf<T>(std::bit_cast<BitsOf<T>>(magnitude) | signs));
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
    opcode<add<R, Ftz, Sat, f32>>(form<"add", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
    opcode<sub<R, Ftz, Sat, f32>>(form<"sub", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
    opcode<mul<R, Ftz, Sat, f32>>(form<"mul", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
};
template <Text name, Rounding R, bool Ftz, bool Sat>
constexpr std::array kSingleFma = {
    opcode<fma<R, Ftz, Sat, f32>>(form<"fma", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
    opcode<fma<R, Ftz, Sat, f32>>(form<"mad", name, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".f32">),
};
template <Text name, Rounding R, bool Ftz>
constexpr std::array kSingleQuotients = {
    opcode<div<R, Ftz, f32>>(form<"div", name, kIf<Ftz, ".ftz">, ".f32">),
    opcode<rcp<R, Ftz, f32>>(form<"rcp", name, kIf<Ftz, ".ftz">, ".f32">),
    opcode<sqrt<R, Ftz, f32>>(form<"sqrt", name, kIf<Ftz, ".ftz">, ".f32">),
};
template <Text name, Rounding R>
constexpr auto kSingle = concat(kSingleSums<name, R, false, false>, kSingleSums<name, R, false, true>,
                                kSingleSums<name, R, true, false>, kSingleSums<name, R, true, true>);
template <Text name, Rounding R>
constexpr auto kSingleRounded = concat(kSingle<name, R>,
                                       kSingleFma<name, R, false, false>, kSingleFma<name, R, false, true>,
                                       kSingleFma<name, R, true, false>, kSingleFma<name, R, true, true>,
                                       kSingleQuotients<name, R, false>, kSingleQuotients<name, R, true>);

// To nearest even the processor does by itself; the other modes are switched to for each lane.
template <Text name, Rounding R, auto F>
constexpr OpcodeRow doubleRow(std::string_view named) { return R == Rounding::Rn ? opcode<F>(named) : scalarOpcode<F>(named); }
template <Text name, Rounding R>
constexpr std::array kDoubleSums = {
    doubleRow<name, R, add<R, false, false, f64>>(form<"add", name, ".f64">),
    doubleRow<name, R, sub<R, false, false, f64>>(form<"sub", name, ".f64">),
    doubleRow<name, R, mul<R, false, false, f64>>(form<"mul", name, ".f64">),
};
template <Text name, Rounding R>
constexpr auto kDoubleRounded = concat(kDoubleSums<name, R>, std::array{
    doubleRow<name, R, fma<R, false, false, f64>>(form<"fma", name, ".f64">),
    doubleRow<name, R, fma<R, false, false, f64>>(form<"mad", name, ".f64">),
    doubleRow<name, R, div<R, false, f64>>(form<"div", name, ".f64">),
    doubleRow<name, R, rcp<R, false, f64>>(form<"rcp", name, ".f64">),
    doubleRow<name, R, sqrt<R, false, f64>>(form<"sqrt", name, ".f64">),
});

template <bool Ftz, class T>
constexpr std::array kSigns = {
    opcode<neg<Ftz, T>>(form<"neg", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    opcode<abs<Ftz, T>>(form<"abs", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
};
template <bool Ftz, bool NanWins, class T>
constexpr std::array kExtremes = {
    opcode<extreme<false, Ftz, NanWins, T>>(form<"min", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".", kTypeName<T>>),
    opcode<extreme<true, Ftz, NanWins, T>>(form<"max", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".", kTypeName<T>>),
};
template <bool Ftz, bool NanWins>
constexpr std::array kXorSignExtremes = {
    opcode<extremeXorSign<false, Ftz, NanWins, f32>>(form<"min", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".xorsign.abs.f32">),
    opcode<extremeXorSign<true, Ftz, NanWins, f32>>(form<"max", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, ".xorsign.abs.f32">),
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
    kSingleRounded<".rm", Rounding::Rm>, kSingleRounded<".rp", Rounding::Rp>,
    kDoubleSums<"", Rounding::Rn>, kDoubleRounded<".rn", Rounding::Rn>, kDoubleRounded<".rz", Rounding::Rz>,
    kDoubleRounded<".rm", Rounding::Rm>, kDoubleRounded<".rp", Rounding::Rp>,
    kSigns<false, f32>, kSigns<true, f32>, kSigns<false, f64>,
    kExtremes<false, false, f32>, kExtremes<false, true, f32>, kExtremes<true, false, f32>, kExtremes<true, true, f32>,
    kExtremes<false, false, f64>, kXorSignExtremes<false, false>, kXorSignExtremes<false, true>,
    kXorSignExtremes<true, false>, kXorSignExtremes<true, true>, kProperties<f32>, kProperties<f64>);

}  // namespace

std::span<const OpcodeRow> floatOpcodes() { return kFloatOpcodes; }

}  // namespace lockstep::simt
