#include "base/buffer.h"

#include "base/check.h"
#include "base/element_value.h"

#include <array>
#include <span>

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
    const std::size_t width = info(type).bytes;
    return numberOf(std::span(bytes).subspan(i * width, width), type);
}

}  // namespace lockstep
