#include "operands.h"

#include <algorithm>

namespace lockstep::opcodes {
namespace {

constexpr u64 kHalfEdges[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4000, 0xc100, 0x4200, 0x0001,
                              0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                              0x7fff, 0x7e00, 0xfe01, 0x7c01, 0x3bff, 0x3c01, 0x6800, 0x6801, 0x5bf8, 0x77ff,
                              0x1000, 0x0800, 0x4900, 0xb800, 0x5c00, 0x5f7f, 0x1400, 0x13ff, 0x2c00, 0x7800};
constexpr u64 kBrainEdges[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4000, 0xc020, 0x4040, 0x0001,
                               0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081, 0x7f7f, 0xff7f, 0x7f80, 0xff80,
                               0x7fff, 0x7fc0, 0xffc1, 0x7f81, 0x3f7f, 0x3f81, 0x4380, 0x4f00, 0x5f00, 0xcf00,
                               0x4700, 0x4780, 0x3380, 0x42ff, 0x437f, 0xbf00, 0x1f80, 0x6000};
constexpr u64 kSingleEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000,
    0x40000000, 0xc0200000, 0x40400000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x00800001, 0x00ffffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fffffff,
    0x7fc00000, 0xffc00001, 0x7f800001, 0x3f800001, 0x3f7fffff, 0x4b800000, 0x4b800001, 0x4b7fffff,
    0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000,
    0xdf000000, 0x5f800000, 0x5f7fffff, 0x477fe000, 0x477ff000, 0x477fefff, 0x477fffff, 0x3dcccccd,
    0x40490fdb, 0xc0490fdb, 0x3fc90fdb, 0x42ff0000, 0x43008000, 0x437f8000, 0x46ffff00, 0x43e00000,
    0x43e80000, 0x43e7ffff, 0x47600000, 0x47700000, 0x33800000, 0x33000000, 0x33000001, 0x38800000,
    0x387fffff, 0x3b000000, 0x42fc0000, 0x42fe0000, 0x43000000, 0xc2fc0000, 0xc3150000, 0xc3160000,
    0x7e800000, 0x7e800001, 0x7effffff, 0x7f000000, 0x01000000, 0x38801000, 0x3f803fff, 0x3f804000,
    0x3f808000, 0x3f80c000, 0x3f801000, 0x3f803000, 0x5d5e0b6b, 0x20000000};
constexpr u64 kDoubleEdges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
    0xbfe0000000000000, 0x3ff8000000000000, 0xbff8000000000000, 0x4000000000000000, 0xc004000000000000,
    0x4008000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x0010000000000001, 0x001fffffffffffff, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7fffffffffffffff, 0x7ff8000000000000,
    0xfff8000000000001, 0x7ff0000000000001, 0x7ff0000012345678, 0x3ff0000000000001, 0x3fefffffffffffff,
    0x4340000000000000, 0x4340000000000001, 0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
    0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x41f0000000000000, 0x43dfffffffffffff,
    0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x43efffffffffffff, 0x40effc0000000000,
    0x40effe0000000000, 0x40effdffffffffff, 0x405fe00000000000, 0x4060100000000000, 0x406ff00000000000,
    0x36a0000000000000, 0x3690000000000000, 0x3690000000000001, 0x380fffffffffffff, 0x3810000000000000,
    0x380fffffe0000000, 0x380fffffefffffff, 0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff,
    0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0x3e60000000000000, 0x3e60000000000001,
    0x3f0fffffffffffff, 0x7fd0000000000000, 0x7fd0000000000001, 0x7fe0000000000000, 0x0020000000000000,
    0x400921fb54442d18, 0x3fb999999999999a, 0x5fe0000000000000, 0x2000000000000000};
// Sums, products and quotients a hair below the least normal number, where .ftz asks whether rounding lifts
// them to it.
constexpr u64 kSingleTuples[][3] = {
    {0x00800000, 0x3f800000, 0x80000001}, {0x19800000, 0x99800000, 0x00800000},
    {0x19800000, 0x19800000, 0x80800000}, {0x1a000000, 0x99800000, 0x00800000},
    {0x1a000000, 0x9a000000, 0x00800000}, {0x19800000, 0x99000000, 0x00800000},
    {0x00800000, 0x3f7fffff, 0x00000000}, {0x00ffffff, 0x3f000000, 0x80000000},
    {0x00fffffe, 0x3f000001, 0x00000000}, {0x3f3504f3, 0x01354500, 0x00000000},
    {0x01000001, 0x3efffffe, 0x00000000}, {0x01000003, 0x3efffffa, 0x80000000},
    {0x01008001, 0x3eff00fe, 0x00000000}, {0x01000801, 0x3efff002, 0x00000000},
    {0x81000801, 0x3efff002, 0x00000000}, {0x01000801, 0x3efff003, 0x80000000},
    {0x3f800000, 0x7e800001, 0x00000000}, {0xbf800000, 0x7e800001, 0x3f800000},
    {0x3f7fffff, 0x7e800000, 0x00000000}, {0x00ffffff, 0x40000000, 0x80000001},
    {0x00800001, 0x3f800001, 0x80ffffff}, {0x3f800000, 0x7f000000, 0x00800000},
    {0x3fffffff, 0x7effffff, 0x80800000}, {0x3ffffffe, 0x7f7fffff, 0x00000000},
};
constexpr u64 kIntegerEdges[] = {0,
                                 1,
                                 2,
                                 3,
                                 5,
                                 7,
                                 8,
                                 10,
                                 15,
                                 16,
                                 17,
                                 24,
                                 31,
                                 32,
                                 33,
                                 48,
                                 63,
                                 64,
                                 65,
                                 100,
                                 127,
                                 128,
                                 129,
                                 255,
                                 256,
                                 257,
                                 0x7fff,
                                 0x8000,
                                 0x8001,
                                 0xffff,
                                 0x10000,
                                 0x7fffff,
                                 0x800000,
                                 0xffffff,
                                 0x1000000,
                                 0x1000001,
                                 0x7fffffff,
                                 0x80000000,
                                 0x80000001,
                                 0xfffffffe,
                                 0xffffffff,
                                 0x100000000,
                                 0x100000001,
                                 0x20000000000001,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0x8000000000000001,
                                 0xfffffffffffffff6,
                                 0xfffffffffffffffe,
                                 0xffffffffffffffff,
                                 0xaaaaaaaaaaaaaaaa,
                                 0x0f0f0f0f0f0f0f0f,
                                 0xffffffff80000000,
                                 0xffffffff7fffffff,
                                 0x00800080,
                                 0x80808080,
                                 0x7f7f7f7f,
                                 0xff01ff01};

// Sebastiano Vigna's splitmix64: every input bit reaches every output bit.
constexpr u64 mixed(u64 x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

struct FloatShape {
    int exponentBits, fractionBits;
};

// Half edges, a quarter random bits, a quarter numbers between 2^-8 and 2^8; in the last quarter of the
// tuples only the edges where something special happens, so that they meet each other.
constexpr u32 kSpecialEdges = 29;
u64 floatBits(std::span<const u64> edges, FloatShape shape, u32 index, u64 random) {
    const u64 bits = mixed(random);
    if (index >= kTuples / 4 * 3) return edges[bits % kSpecialEdges];
    const int width = 1 + shape.exponentBits + shape.fractionBits;
    if (random % 4 < 2) return edges[bits % edges.size()];
    const u64 any = width == 64 ? bits : bits & ((u64{1} << width) - 1);
    if (random % 4 == 2) return any;
    const u64 exponent = (u64{1} << (shape.exponentBits - 1)) - 9 + (bits >> 56 & 15);
    const u64 exponentMask = ((u64{1} << shape.exponentBits) - 1) << shape.fractionBits;
    return (any & ~exponentMask) | exponent << shape.fractionBits;
}
u64 integerBits(int width, u64 random) {
    const u64 bits = mixed(random), mask = width == 64 ? ~u64{0} : (u64{1} << width) - 1;
    if (random % 4 < 2) return kIntegerEdges[bits % std::size(kIntegerEdges)] & mask;
    if (random % 4 == 2) return bits & mask;
    return (bits % 81 - 40) & mask;
}

std::vector<std::string_view> parts(std::string_view form) {
    std::vector<std::string_view> all;
    for (std::size_t begin = 0; begin <= form.size();) {
        const std::size_t end = std::min(form.find_first_of(".|", begin), form.size());
        all.push_back(form.substr(begin, end - begin));
        begin = end + 1;
    }
    return all;
}

constexpr std::pair<std::string_view, Kind> kKindOfType[] = {
    {"u8", Kind::I16},        {"s8", Kind::I16},      {"b16", Kind::I16},     {"u16", Kind::I16},
    {"s16", Kind::I16},       {"b32", Kind::I32},     {"u32", Kind::I32},     {"s32", Kind::I32},
    {"b64", Kind::I64},       {"u64", Kind::I64},     {"s64", Kind::I64},     {"f16", Kind::F16},
    {"bf16", Kind::BF16},     {"f32", Kind::F32},     {"f64", Kind::F64},     {"f16x2", Kind::F16x2},
    {"bf16x2", Kind::BF16x2}, {"u16x2", Kind::I16x2}, {"s16x2", Kind::I16x2}, {"pred", Kind::Predicate},
    {"e4m3x2", Kind::I16},    {"e5m2x2", Kind::I16},  {"tf32", Kind::F32}};

}  // namespace

std::vector<Kind> sourceKinds(const simt::OpcodeRow& row) {
    const auto words = parts(row.form);
    const std::string_view base = words[0];
    std::vector<Kind> types;
    for (std::string_view word : words)
        for (const auto& [name, kind] : kKindOfType)
            if (word == name) types.push_back(kind);
    const bool hasOwnSource = base == "cvt" || base == "set";  // the second type is that of the sources
    std::vector<Kind> kinds;
    for (u32 i = 0; i < row.sources; ++i) {
        const simt::Storage storage = row.operands[row.results + i];
        Kind kind = types.empty() ? Kind::I32 : hasOwnSource && types.size() > 1 ? types[1] : types[0];
        if (words.size() > 1 && words[1] == "wide" && i == 2)
            kind = storage == simt::Storage::Lanes64 ? Kind::I64 : Kind::I32;
        if (base == "slct" && i == 2) kind = types.back();
        if (((base == "shl" || base == "shr") && i == 1) || (base == "shf" && i == 2) ||
            (base.starts_with("bf") && base != "bfind" && i + 2 >= row.sources) || base == "szext" ||
            base == "bmsk" || (base == "fns" && i > 0))
            kind = Kind::Amount;
        if (base == "szext" && i == 0) kind = Kind::I32;
        if (base == "lop3" && i == 3) kind = Kind::Table;
        if (base == "shfl" && i > 0) kind = Kind::Amount;
        if (storage == simt::Storage::Predicate) kind = Kind::Predicate;
        const bool sync = std::ranges::find(words, "sync") != words.end();
        if (sync && i + 1u == row.sources) kind = Kind::Members;
        kinds.push_back(kind);
    }
    return kinds;
}

u64 operandBits(Kind kind, u32 operand, u32 index) {
    const u64 random = mixed(u64(kind) << 40 | u64{operand} << 32 | index);
    switch (kind) {
        case Kind::I16: return integerBits(16, random);
        case Kind::I32: return integerBits(32, random);
        case Kind::I64: return integerBits(64, random);
        case Kind::Amount: return random % 4 == 0 ? integerBits(32, random >> 2) : mixed(random) % 70;
        case Kind::F16: return floatBits(kHalfEdges, {5, 10}, index, random);
        case Kind::BF16: return floatBits(kBrainEdges, {8, 7}, index, random);
        case Kind::F32:
            if (operand < 3 && index >= kTuples - std::size(kSingleTuples))
                return kSingleTuples[index - (kTuples - std::size(kSingleTuples))][operand];
            return floatBits(kSingleEdges, {8, 23}, index, random);
        case Kind::F64: return floatBits(kDoubleEdges, {11, 52}, index, random);
        case Kind::F16x2:
            return operandBits(Kind::F16, operand + kMostSources, index) << 16 |
                   operandBits(Kind::F16, operand, index);
        case Kind::BF16x2:
            return operandBits(Kind::BF16, operand + kMostSources, index) << 16 |
                   operandBits(Kind::BF16, operand, index);
        case Kind::I16x2:
            return operandBits(Kind::I16, operand + kMostSources, index) << 16 |
                   operandBits(Kind::I16, operand, index);
        case Kind::Predicate: return mixed(random) & 1;
        case Kind::Members: return 0xffffffff;
        case Kind::Table: return 0xca;  // PTX wants an immediate here: a ? b : c
    }
    return 0;
}

}  // namespace lockstep::opcodes
