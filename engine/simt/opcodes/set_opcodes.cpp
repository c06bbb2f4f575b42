// set: a comparison as a number, all ones or 1.0 for true, zero for false.
#include "simt/opcodes/comparison.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

template <class D> constexpr D truth(bool value) {
    if constexpr (std::is_same_v<D, f32>)
        return value ? 1.0f : 0.0f;
    else if constexpr (std::is_same_v<D, f16>)
        return {u16(value ? 0x3c00 : 0)};
    else if constexpr (std::is_same_v<D, bf16>)
        return {u16(value ? 0x3f80 : 0)};
    else
        return D(value ? ~D{0} : D{0});
}
template <class D> [[gnu::noinline]] void storeTruths(std::byte* to, u32 bits, u32 mask) {
    auto* words = reinterpret_cast<Word<D>*>(to);
    constexpr auto kTrue = toWord(truth<D>(true)), kFalse = toWord(truth<D>(false));
#pragma omp simd
    for (u32 lane = 0; lane < 32; ++lane)
        words[lane] = mask >> lane & 1 ? (bits >> lane & 1 ? kTrue : kFalse) : words[lane];
}

template <class D, Comparison C, BooleanOp B, bool Ftz, class T>
void set(const u32* at, std::byte* frame, u32 mask) {
    const u32 bits = comparedLanes<C, Ftz, T>(frame + at[1], frame + at[2]);
    storeTruths<D>(frame + at[0], combinedLanes<B>(bits, frame + at[3]), mask);
}
template <class D, Text result, Comparison C, BooleanOp B, bool Ftz, class T, Text name>
constexpr OpcodeRow kSetRow = {
    .form = form<"set", kComparisonName<C>, kBooleanName<B>, kIf<Ftz, ".ftz">, ".", result, ".", name>,
    .execute = set<D, C, B, Ftz, T>,
    .operands = {storageOf<D>(), storageOf<T>(), storageOf<T>(), kPredicateOf<B>},
    .results = 1,
    .sources = kComparedSources<B>};

template <class D, Text result, Comparison C, bool Ftz, class T, Text name>
constexpr std::array kSetOf = {
    kSetRow<D, result, C, BooleanOp::None, Ftz, T, name>, kSetRow<D, result, C, BooleanOp::And, Ftz, T, name>,
    kSetRow<D, result, C, BooleanOp::Or, Ftz, T, name>, kSetRow<D, result, C, BooleanOp::Xor, Ftz, T, name>};
template <class D, Text result, class T, Text name, bool Ftz, Comparison... C>
constexpr auto setRows(Comparisons<C...>) {
    return concat(kSetOf<D, result, C, Ftz, T, name>...);
}

template <class D, Text result, class U, class S>
constexpr auto kSetIntegers = concat(setRows<D, result, U, kBitsName<U>, false>(BitComparisons{}),
                                     setRows<D, result, U, kTypeName<U>, false>(UnsignedComparisons{}),
                                     setRows<D, result, S, kTypeName<S>, false>(SignedComparisons{}));
template <class D, Text result, class T, bool Ftz = false>
constexpr auto kSetFloats = setRows<D, result, T, kTypeName<T>, Ftz>(FloatComparisons{});

template <class D, Text result>
constexpr auto kSetAll = concat(kSetIntegers<D, result, u16, s16>, kSetIntegers<D, result, u32, s32>,
                                kSetIntegers<D, result, u64, s64>, kSetFloats<D, result, f32>,
                                kSetFloats<D, result, f32, true>, kSetFloats<D, result, f64>);
template <class D, Text result>
constexpr auto kSetHalves =
    concat(kSetFloats<D, result, f16>, kSetFloats<D, result, f16, true>, kSetFloats<D, result, bf16>);

// Signed and unsigned results are the same bits: one function, two names.
constexpr auto kSetOpcodes =
    concat(kSetAll<u32, "u32">, kSetAll<u32, "s32">, kSetAll<f32, "f32">, kSetHalves<u16, "u16">,
           kSetHalves<u16, "s16">, kSetHalves<u32, "u32">, kSetHalves<u32, "s32">,
           kSetFloats<f16, "f16", f16>, kSetFloats<f16, "f16", f16, true>, kSetFloats<bf16, "bf16", bf16>);

}  // namespace

std::span<const OpcodeRow> setOpcodes() { return kSetOpcodes; }

}  // namespace lockstep::simt
