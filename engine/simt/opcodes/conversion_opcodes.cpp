// cvt between integers, and between integers and floats: every pair, rounding and saturation.
#include "simt/opcodes/conversion.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"

#include <limits>

namespace lockstep::simt {
namespace {

// A result narrower than its register is sign-extended; .s8 therefore fills 32 bits.
template <class D> using Held = std::conditional_t<std::is_same_v<D, s8>, s32, D>;

template <class D, class S> inline Held<D> intToInt(S a) { return D(a); }
template <class D, class S> inline Held<D> intToIntSat(S a) {
    using Limits = std::numeric_limits<D>;
    if (std::is_unsigned_v<D> && a < 0) return 0;
    if constexpr (sizeof(D) < sizeof(S) || (sizeof(D) == sizeof(S) && std::is_signed_v<D>)) {
        if (a > 0 && u64(a) > u64(Limits::max())) return Limits::max();
        if constexpr (std::is_signed_v<S> && std::is_signed_v<D>)
            if (a < S(Limits::min())) return Limits::min();
    }
    return D(a);
}

// ---- Integer to float. The CPU converts f32 and f64; 16-bit formats are assembled from bits.
template <class F>
inline constexpr FloatFormat kFormat = std::is_same_v<F, bf16> ? kBrainFormat : kHalfFormat;

template <class F, Rounding R, class S> inline F intToFloat(S a) {
    if constexpr (sizeof(F) >= 4)
        return F(a);  // in the rounding mode that the row sets
    else {
        const bool negative = a < 0;
        const u64 magnitude = negative ? 0 - u64(a) : u64(a);
        const u64 bits = packMagnitude(kFormat<F>, magnitude, 0, negative, R);
        return std::bit_cast<F>(Unsigned<sizeof(F)>(bits | u64(negative) << (sizeof(F) * 8 - 1)));
    }
}
template <class F, Rounding R, class S> inline F intToFloatSat(S a) {
    return intToFloat<F, R>(a > 0 ? S{1} : S{0});
}

// ---- Float to integer: rounded, then clamped to the range.
template <class D, Rounding R, bool Ftz, class F> inline Held<D> floatToInt(F a) {
    using Limits = std::numeric_limits<D>;
    const f64 whole = integral<R>(f64(comparable<Ftz>(a)));
    constexpr f64 above = -2.0 * f64(std::numeric_limits<std::make_signed_t<D>>::min()) /
                          (std::is_signed_v<D> ? 2 : 1);  // 2^bits
    const bool over = whole >= above, under = whole < f64(Limits::min()), number = whole == whole;
    if constexpr (sizeof(D) < 8) {
        const f64 inRange = over || under || !number ? 0.0 : whole;
        D result;
        if constexpr (std::is_same_v<D, u32>)
            result = D(u32(s32(inRange - 0x1p31)) ^ 0x80000000u);
        else
            result = D(s32(inRange));
        return over ? Limits::max() : under ? Limits::min() : number ? result : kNanAsInteger<D, F>;
    } else {
        if (!number) return kNanAsInteger<D, F>;
        return over ? Limits::max() : under ? Limits::min() : D(whole);
    }
}

// ---- Rows.
// .sat is written only if the source has values that the result cannot represent.
template <class D, class S>
constexpr bool kMaySaturate = sizeof(S) > sizeof(D) || (std::is_signed_v<S> != std::is_signed_v<D> &&
                                                        (std::is_signed_v<S> || sizeof(S) == sizeof(D)));
template <class D, class S>
constexpr auto kIntToInt = [] {
    constexpr std::array plain = {opcode<intToInt<D, S>>(form<"cvt.", kTypeName<D>, ".", kTypeName<S>>)};
    if constexpr (kMaySaturate<D, S>)
        return concat(
            plain, std::array{opcode<intToIntSat<D, S>>(form<"cvt.sat.", kTypeName<D>, ".", kTypeName<S>>)});
    else
        return plain;
}();
template <class D, class... S> constexpr auto kIntFrom = concat(kIntToInt<D, S>...);

template <Text name, Rounding R, class F, class S> constexpr OpcodeRow intToFloatRow() {
    constexpr std::string_view named = form<"cvt", name, ".", kTypeName<F>, ".", kTypeName<S>>;
    if constexpr (sizeof(F) >= 4)
        return roundedOpcode<R, intToFloat<F, Rounding::Rn, S>>(named);
    else
        return scalarOpcode<intToFloat<F, R, S>>(named);
}
template <class F, class S>
constexpr std::array kIntToFloat = {
    intToFloatRow<".rn", Rounding::Rn, F, S>(),
    intToFloatRow<".rz", Rounding::Rz, F, S>(),
    intToFloatRow<".rm", Rounding::Rm, F, S>(),
    intToFloatRow<".rp", Rounding::Rp, F, S>(),
};
template <class F, class S>
constexpr std::array kIntToFloatSat = {
    scalarOpcode<intToFloatSat<F, Rounding::Rn, S>>(form<"cvt.rn.sat.", kTypeName<F>, ".", kTypeName<S>>),
    scalarOpcode<intToFloatSat<F, Rounding::Rz, S>>(form<"cvt.rz.sat.", kTypeName<F>, ".", kTypeName<S>>),
    scalarOpcode<intToFloatSat<F, Rounding::Rm, S>>(form<"cvt.rm.sat.", kTypeName<F>, ".", kTypeName<S>>),
    scalarOpcode<intToFloatSat<F, Rounding::Rp, S>>(form<"cvt.rp.sat.", kTypeName<F>, ".", kTypeName<S>>),
};

template <Text name, Rounding R, bool Ftz, class D, class F>
constexpr std::array kFloatToIntRounded = {
    opcode<floatToInt<D, R, Ftz, F>>(
        form<"cvt", name, kIf<Ftz, ".ftz">, ".", kTypeName<D>, ".", kTypeName<F>>),
    opcode<floatToInt<D, R, Ftz, F>>(
        form<"cvt", name, kIf<Ftz, ".ftz">, ".sat.", kTypeName<D>, ".", kTypeName<F>>),
};
template <Text name, Rounding R, class D>
constexpr std::array kBrainToIntRounded = {
    opcode<floatToInt<D, R, false, bf16>>(form<"cvt", name, ".", kTypeName<D>, ".bf16">)};
template <bool Ftz, class D, class F>
constexpr auto kFloatToInt = concat(kFloatToIntRounded<".rni", Rounding::Rni, Ftz, D, F>,
                                    kFloatToIntRounded<".rzi", Rounding::Rzi, Ftz, D, F>,
                                    kFloatToIntRounded<".rmi", Rounding::Rmi, Ftz, D, F>,
                                    kFloatToIntRounded<".rpi", Rounding::Rpi, Ftz, D, F>);

template <class I>
constexpr auto kOfInteger =
    concat(kIntFrom<I, u8, s8, u16, s16, u32, s32, u64, s64>, kIntToFloat<f32, I>, kIntToFloat<f64, I>,
           kIntToFloat<f16, I>, kIntToFloatSat<f32, I>, kIntToFloatSat<f64, I>, kIntToFloatSat<f16, I>,
           kFloatToInt<false, I, f32>, kFloatToInt<true, I, f32>, kFloatToInt<false, I, f64>,
           kFloatToInt<false, I, f16>);
// bf16 has no byte conversions and no .sat.
template <class I>
constexpr auto kBrainOfInteger =
    concat(kIntToFloat<bf16, I>, kBrainToIntRounded<".rni", Rounding::Rni, I>,
           kBrainToIntRounded<".rzi", Rounding::Rzi, I>, kBrainToIntRounded<".rmi", Rounding::Rmi, I>,
           kBrainToIntRounded<".rpi", Rounding::Rpi, I>);

constexpr auto kConversionOpcodes =
    concat(kOfInteger<u8>, kOfInteger<s8>, kOfInteger<u16>, kOfInteger<s16>, kOfInteger<u32>, kOfInteger<s32>,
           kOfInteger<u64>, kOfInteger<s64>, kBrainOfInteger<u16>, kBrainOfInteger<s16>, kBrainOfInteger<u32>,
           kBrainOfInteger<s32>, kBrainOfInteger<u64>, kBrainOfInteger<s64>);

}  // namespace

std::span<const OpcodeRow> conversionOpcodes() { return kConversionOpcodes; }

}  // namespace lockstep::simt
