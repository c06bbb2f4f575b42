// What one lane computes on 8- and 16-bit integers packed in a word: x2 arithmetic, dot products, SIMD video
// instructions.
#include "simt/opcodes/comparison.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

// Field i of `bits` bits, extended by its sign or by zeros.
template <int bits, bool Signed> constexpr s32 field(u32 word, int i) {
    const u32 raised = word >> i * bits << (32 - bits);
    return Signed ? s32(raised) >> (32 - bits) : s32(raised >> (32 - bits));
}
template <int bits> constexpr u32 placed(s32 value, int i) {
    return (u32(value) & ((1u << bits) - 1)) << i * bits;
}
template <int bits, bool Signed> constexpr s32 clampedField(s32 value) {
    constexpr s32 least = Signed ? -(1 << (bits - 1)) : 0,
                  most = Signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return value < least ? least : value > most ? most : value;
}

enum class Op : u8 { Add, Sub, Average, Difference, Min, Max };
template <Op op> constexpr s32 combinedFields(s32 a, s32 b) {
    switch (op) {
        case Op::Add: return a + b;
        case Op::Sub: return a - b;
        case Op::Average: return (a + b + (a + b >= 0)) >> 1;  // halves away from zero
        case Op::Difference: return a < b ? b - a : a - b;
        case Op::Min: return a < b ? a : b;
        case Op::Max: return a < b ? b : a;
    }
    return 0;
}

// ---- u16x2 and s16x2.
template <class T> inline constexpr bool kSigned = std::is_same_v<T, s16x2>;
template <Op op, bool Relu, class T> constexpr T pairwise(T a, T b) {
    u32 result = 0;
    for (int i = 0; i < 2; ++i) {
        const s32 value =
            combinedFields<op>(field<16, kSigned<T>>(a.bits, i), field<16, kSigned<T>>(b.bits, i));
        result |= placed<16>(Relu && value < 0 ? 0 : value, i);
    }
    return {result};
}

// ---- SIMD video: two or four fields of each source, each side signed or not; merged into c, or (.add)
// summed onto it.
enum class Ending : u8 { Plain, Saturated, Summed };
template <Op op, int bits, Ending ending, bool D, bool A, bool B> constexpr u32 video(u32 a, u32 b, u32 c) {
    u32 result = ending == Ending::Summed ? c : 0;
    for (int i = 0; i < 32 / bits; ++i) {
        const s32 value = combinedFields<op>(field<bits, A>(a, i), field<bits, B>(b, i));
        if constexpr (ending == Ending::Summed)
            result += u32(value);
        else
            result |= placed<bits>(ending == Ending::Saturated ? clampedField<bits, D>(value) : value, i);
    }
    return result;
}
template <Comparison C, int bits, bool Summed, bool A, bool B> constexpr u32 videoSet(u32 a, u32 b, u32 c) {
    u32 result = Summed ? c : 0;
    for (int i = 0; i < 32 / bits; ++i) {
        const u32 truth = compared<C>(field<bits, A>(a, i), field<bits, B>(b, i));
        result += Summed ? truth : truth << i * bits;
    }
    return result;
}

// ---- Dot products: sums of products of bytes, or of halves with the lower or upper bytes.
template <bool A, bool B> constexpr u32 dp4a(u32 a, u32 b, u32 c) {
    for (int i = 0; i < 4; ++i)
        c += u32(field<8, A>(a, i) * field<8, B>(b, i));
    return c;
}
template <bool Upper, bool A, bool B> constexpr u32 dp2a(u32 a, u32 b, u32 c) {
    for (int i = 0; i < 2; ++i)
        c += u32(field<16, A>(a, i) * field<8, B>(b, i + (Upper ? 2 : 0)));
    return c;
}

// ---- cvt.pack: two saturated integers, a above b; narrow ones are shifted in below c.
template <int bits, bool Signed> constexpr u32 packTwo(s32 a, s32 b) {
    return placed<bits>(clampedField<bits, Signed>(a), 1) | placed<bits>(clampedField<bits, Signed>(b), 0);
}
template <int bits, bool Signed> constexpr u32 packOnto(s32 a, s32 b, u32 c) {
    return c << 2 * bits | packTwo<bits, Signed>(a, b);
}

static_assert(dp4a<true, true>(0xff010203, 0x01010101, 10) == 15 &&
              packTwo<16, true>(70000, -70000) == 0x7fff8000);
static_assert(video<Op::Difference, 8, Ending::Summed, false, false, false>(0x01020304, 0x04030201, 1) == 9);

// ---- Rows.
template <class T>
constexpr std::array kPairs = {
    opcode<pairwise<Op::Add, false, T>>(form<"add.", kTypeName<T>>),
    opcode<pairwise<Op::Min, false, T>>(form<"min.", kTypeName<T>>),
    opcode<pairwise<Op::Max, false, T>>(form<"max.", kTypeName<T>>),
};
constexpr std::array kRelu = {
    opcode<pairwise<Op::Min, true, s16x2>>("min.s16x2.relu"),
    opcode<pairwise<Op::Max, true, s16x2>>("max.s16x2.relu"),
    opcode<pairwise<Op::Min, true, s16x2>>("min.relu.s16x2"),
    opcode<pairwise<Op::Max, true, s16x2>>("max.relu.s16x2"),
};

template <bool Signed>
inline constexpr auto kSide = [] {
    if constexpr (Signed)
        return Text{".s32"};
    else
        return Text{".u32"};
}();
template <Op op, int bits, Text name, bool D, bool A, bool B>
constexpr std::array kVideoOf = {
    opcode<video<op, bits, Ending::Plain, D, A, B>>(form<name, kSide<D>, kSide<A>, kSide<B>>),
    opcode<video<op, bits, Ending::Saturated, D, A, B>>(form<name, kSide<D>, kSide<A>, kSide<B>, ".sat">),
    opcode<video<op, bits, Ending::Summed, D, A, B>>(form<name, kSide<D>, kSide<A>, kSide<B>, ".add">),
};
template <Op op, int bits, Text name>
constexpr auto kVideo =
    concat(kVideoOf<op, bits, name, false, false, false>, kVideoOf<op, bits, name, false, false, true>,
           kVideoOf<op, bits, name, false, true, false>, kVideoOf<op, bits, name, false, true, true>,
           kVideoOf<op, bits, name, true, false, false>, kVideoOf<op, bits, name, true, false, true>,
           kVideoOf<op, bits, name, true, true, false>, kVideoOf<op, bits, name, true, true, true>);
template <Comparison C, int bits, Text name, bool A, bool B>
constexpr std::array kVideoSetOf = {
    opcode<videoSet<C, bits, false, A, B>>(form<name, kSide<A>, kSide<B>, kComparisonName<C>>),
    opcode<videoSet<C, bits, true, A, B>>(form<name, kSide<A>, kSide<B>, kComparisonName<C>, ".add">),
};
template <int bits, Text name, Comparison... C> constexpr auto videoSetRows(Comparisons<C...>) {
    return concat(kVideoSetOf<C, bits, name, false, false>..., kVideoSetOf<C, bits, name, false, true>...,
                  kVideoSetOf<C, bits, name, true, false>..., kVideoSetOf<C, bits, name, true, true>...);
}

template <bool A, bool B>
constexpr std::array kDotProducts = {
    opcode<dp4a<A, B>>(form<"dp4a", kSide<A>, kSide<B>>),
    opcode<dp2a<false, A, B>>(form<"dp2a.lo", kSide<A>, kSide<B>>),
    opcode<dp2a<true, A, B>>(form<"dp2a.hi", kSide<A>, kSide<B>>),
};
constexpr std::array kPacks = {
    opcode<packTwo<16, false>>("cvt.pack.sat.u16.s32"),
    opcode<packTwo<16, true>>("cvt.pack.sat.s16.s32"),
    opcode<packOnto<8, false>>("cvt.pack.sat.u8.s32.b32"),
    opcode<packOnto<8, true>>("cvt.pack.sat.s8.s32.b32"),
    opcode<packOnto<4, false>>("cvt.pack.sat.u4.s32.b32"),
    opcode<packOnto<4, true>>("cvt.pack.sat.s4.s32.b32"),
    opcode<packOnto<2, false>>("cvt.pack.sat.u2.s32.b32"),
    opcode<packOnto<2, true>>("cvt.pack.sat.s2.s32.b32"),
};

constexpr auto kPackedIntegerOpcodes = concat(
    kPairs<u16x2>, kPairs<s16x2>, kRelu, kVideo<Op::Add, 16, "vadd2">, kVideo<Op::Sub, 16, "vsub2">,
    kVideo<Op::Average, 16, "vavrg2">, kVideo<Op::Difference, 16, "vabsdiff2">, kVideo<Op::Min, 16, "vmin2">,
    kVideo<Op::Max, 16, "vmax2">, kVideo<Op::Add, 8, "vadd4">, kVideo<Op::Sub, 8, "vsub4">,
    kVideo<Op::Average, 8, "vavrg4">, kVideo<Op::Difference, 8, "vabsdiff4">, kVideo<Op::Min, 8, "vmin4">,
    kVideo<Op::Max, 8, "vmax4">, videoSetRows<16, "vset2">(SignedComparisons{}),
    videoSetRows<8, "vset4">(SignedComparisons{}), kDotProducts<false, false>, kDotProducts<false, true>,
    kDotProducts<true, false>, kDotProducts<true, true>, kPacks);

}  // namespace

std::span<const OpcodeRow> packedIntegerOpcodes() { return kPackedIntegerOpcodes; }

}  // namespace lockstep::simt
