#include "base/buffer.h"

#include "base/check.h"
#include "base/half.h"

#include <array>
#include <bit>
#include <cstring>

namespace lockstep {
namespace {

constexpr std::array<ElementTypeInfo, 11> kElementTypes{{
    {ElementType::I8, "i8", 1, "|i1"},
    {ElementType::U8, "u8", 1, "|u1"},
    {ElementType::I16, "i16", 2, "<i2"},
    {ElementType::U16, "u16", 2, "<u2"},
    {ElementType::I32, "i32", 4, "<i4"},
    {ElementType::U32, "u32", 4, "<u4"},
    {ElementType::I64, "i64", 8, "<i8"},
    {ElementType::U64, "u64", 8, "<u8"},
    {ElementType::F16, "f16", 2, "<f2"},
    {ElementType::F32, "f32", 4, "<f4"},
    {ElementType::F64, "f64", 8, "<f8"},
}};

template <class T> T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

}  // namespace

std::span<const ElementTypeInfo> elementTypes() { return kElementTypes; }

const ElementTypeInfo& info(ElementType type) {
    const ElementTypeInfo& row = kElementTypes[std::size_t(type)];
    CHECK(row.type == type, "the table is in the order of the enumeration");
    return row;
}

const ElementTypeInfo* findElementType(std::string_view name) {
    for (const ElementTypeInfo& row : kElementTypes)
        if (row.name == name) return &row;
    return nullptr;
}

f64 Buffer::valueAt(u64 i) const {
    CHECK_LT(i, count(), "an element of this buffer");
    const std::byte* at = bytes.data() + i * info(type).bytes;
    switch (type) {
        case ElementType::I8: return load<s8>(at);
        case ElementType::U8: return load<u8>(at);
        case ElementType::I16: return load<s16>(at);
        case ElementType::U16: return load<u16>(at);
        case ElementType::I32: return load<s32>(at);
        case ElementType::U32: return load<u32>(at);
        case ElementType::I64: return f64(load<s64>(at));
        case ElementType::U64: return f64(load<u64>(at));
        case ElementType::F16: return halfToFloat(load<u16>(at));
        case ElementType::F32: return load<f32>(at);
        case ElementType::F64: return load<f64>(at);
    }
    return 0;
}

}  // namespace lockstep
