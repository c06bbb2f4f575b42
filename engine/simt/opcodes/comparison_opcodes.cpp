// setp, selp and slct: comparisons into predicates, and selections by them.
// A setp with two destinations, p|q, has a row of its own: its form with "|q" behind, results p and q.
#include "simt/opcodes/comparison.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

template <Comparison C, BooleanOp B, bool Ftz, class T> void setp(const u32* at, std::byte* frame, u32 mask) {
    const u32 bits = comparedLanes<C, Ftz, T>(frame + at[1], frame + at[2]);
    blendMask(frame + at[0], combinedLanes<B>(bits, frame + at[3]), mask);
}
// q is what p would be for the opposite comparison.
template <Comparison C, BooleanOp B, bool Ftz, class T>
void setpPair(const u32* at, std::byte* frame, u32 mask) {
    const u32 bits = comparedLanes<C, Ftz, T>(frame + at[2], frame + at[3]);
    const std::byte* predicate = frame + at[4];
    const u32 p = combinedLanes<B>(bits, predicate), q = combinedLanes<B>(~bits, predicate);
    blendMask(frame + at[0], p, mask);
    blendMask(frame + at[1], q, mask);
}

template <class T> inline T selp(T a, T b, bool c) { return c ? a : b; }
template <class T> inline T slct(T a, T b, s32 c) { return c >= 0 ? a : b; }
template <bool Ftz, class T> inline T slctFloat(T a, T b, f32 c) { return flushedIf<Ftz>(c) >= 0 ? a : b; }

template <Comparison C, BooleanOp B, bool Ftz, class T, Text name>
constexpr std::array kSetp = {
    OpcodeRow{.form = form<"setp", kComparisonName<C>, kBooleanName<B>, kIf<Ftz, ".ftz">, ".", name>,
              .execute = setp<C, B, Ftz, T>,
              .operands = {Storage::Predicate, storageOf<T>(), storageOf<T>(), kPredicateOf<B>},
              .results = 1,
              .sources = kComparedSources<B>}};
template <Comparison C, BooleanOp B, bool Ftz, class T, Text name>
constexpr OpcodeRow kSetpPair = {
    .form = form<"setp", kComparisonName<C>, kBooleanName<B>, kIf<Ftz, ".ftz">, ".", name, "|q">,
    .execute = setpPair<C, B, Ftz, T>,
    .operands = {Storage::Predicate, Storage::Predicate, storageOf<T>(), storageOf<T>(), kPredicateOf<B>},
    .results = 2,
    .sources = kComparedSources<B>};
template <Comparison C, bool Ftz, class T, Text name>
constexpr std::array kSetpPairs = {
    kSetpPair<C, BooleanOp::None, Ftz, T, name>, kSetpPair<C, BooleanOp::And, Ftz, T, name>,
    kSetpPair<C, BooleanOp::Or, Ftz, T, name>, kSetpPair<C, BooleanOp::Xor, Ftz, T, name>};
template <class T, Text name, bool Ftz, Comparison... C> constexpr auto setpRows(Comparisons<C...>) {
    const auto rows =
        concat(kSetp<C, BooleanOp::None, Ftz, T, name>..., kSetp<C, BooleanOp::And, Ftz, T, name>...,
               kSetp<C, BooleanOp::Or, Ftz, T, name>..., kSetp<C, BooleanOp::Xor, Ftz, T, name>...);
    if constexpr (std::is_arithmetic_v<T>)
        return concat(rows, kSetpPairs<C, Ftz, T, name>...);
    else
        return rows;  // PTX has no p|q for f16 and bf16
}
template <class U, class S>
constexpr auto kSetpIntegers = concat(setpRows<U, kBitsName<U>, false>(BitComparisons{}),
                                      setpRows<U, kTypeName<U>, false>(UnsignedComparisons{}),
                                      setpRows<S, kTypeName<S>, false>(SignedComparisons{}));
template <class T, bool Ftz = false>
constexpr auto kSetpFloats = setpRows<T, kTypeName<T>, Ftz>(FloatComparisons{});

template <class T, Text name>
constexpr std::array kChoices = {
    opcode<selp<T>>(form<"selp.", name>),
    opcode<slct<T>>(form<"slct.", name, ".s32">),
    opcode<slctFloat<false, T>>(form<"slct.", name, ".f32">),
    opcode<slctFloat<true, T>>(form<"slct.ftz.", name, ".f32">),
};

constexpr auto kComparisonOpcodes =
    concat(kSetpIntegers<u16, s16>, kSetpIntegers<u32, s32>, kSetpIntegers<u64, s64>, kSetpFloats<f32>,
           kSetpFloats<f32, true>, kSetpFloats<f64>, kSetpFloats<f16>, kSetpFloats<f16, true>,
           kSetpFloats<bf16>, kChoices<u16, "b16">, kChoices<u16, "u16">, kChoices<s16, "s16">,
           kChoices<u32, "b32">, kChoices<u32, "u32">, kChoices<s32, "s32">, kChoices<u64, "b64">,
           kChoices<u64, "u64">, kChoices<s64, "s64">, kChoices<f32, "f32">, kChoices<f64, "f64">);

}  // namespace

std::span<const OpcodeRow> comparisonOpcodes() { return kComparisonOpcodes; }

}  // namespace lockstep::simt
