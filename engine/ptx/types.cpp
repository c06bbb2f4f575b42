#include "ptx/types.h"

#include <array>

namespace lockstep::ptx {
namespace {

struct TypeRow {
    std::string_view name;
    u8 bytes;
    bool isFloat = false, isSigned = false;
};

// In the order of Type.
constexpr std::array kTypes = std::to_array<TypeRow>({
    {"", 0},
    {"pred", 0},
    {"b8", 1},
    {"b16", 2},
    {"b32", 4},
    {"b64", 8},
    {"b128", 16},
    {"u8", 1},
    {"u16", 2},
    {"u32", 4},
    {"u64", 8},
    {"s8", 1, false, true},
    {"s16", 2, false, true},
    {"s32", 4, false, true},
    {"s64", 8, false, true},
    {"f16", 2, true},
    {"bf16", 2, true},
    {"f32", 4, true},
    {"f64", 8, true},
    {"f16x2", 4, true},
    {"bf16x2", 4, true},
    {"u16x2", 4},
    {"s16x2", 4, false, true},
    {"f32x2", 8, true},
    {"e4m3", 1, true},
    {"e5m2", 1, true},
    {"e4m3x2", 2, true},
    {"e5m2x2", 2, true},
    {"tf32", 4, true},
});
static_assert(kTypes.size() == std::size_t(Type::TF32) + 1);

constexpr std::array<std::string_view, 8> kSpaces = {"",      "generic", "reg",   "param",
                                                     "const", "global",  "local", "shared"};
static_assert(kSpaces.size() == std::size_t(StateSpace::Shared) + 1);

}  // namespace

u32 bytesOf(Type type) { return kTypes[std::size_t(type)].bytes; }
bool isFloat(Type type) { return kTypes[std::size_t(type)].isFloat; }
bool isSigned(Type type) { return kTypes[std::size_t(type)].isSigned; }
std::string_view nameOf(Type type) { return kTypes[std::size_t(type)].name; }
std::string_view nameOf(StateSpace space) { return kSpaces[std::size_t(space)]; }

Type findType(std::string_view name) {
    for (std::size_t i = 1; i < kTypes.size(); ++i)
        if (kTypes[i].name == name) return Type(i);
    return Type::None;
}

Type widened(Type type) {
    switch (type) {
        case Type::B16: return Type::B32;
        case Type::U16: return Type::U32;
        case Type::S16: return Type::S32;
        case Type::B32: return Type::B64;
        case Type::U32: return Type::U64;
        case Type::S32: return Type::S64;
        default: return Type::None;
    }
}

Type bitsType(u32 bytes) {
    switch (bytes) {
        case 1: return Type::B8;
        case 2: return Type::B16;
        case 4: return Type::B32;
        case 8: return Type::B64;
        case 16: return Type::B128;
        default: return Type::None;
    }
}

}  // namespace lockstep::ptx
