#include "base/element_value.h"

#include "base/half.h"

namespace lockstep {
f64 numberOf(std::span<const std::byte> bytes, ElementType type) {
    switch (type) {
        case ElementType::I8: return readAs<s8>(bytes);
        case ElementType::U8: return readAs<u8>(bytes);
        case ElementType::I16: return readAs<s16>(bytes);
        case ElementType::U16: return readAs<u16>(bytes);
        case ElementType::I32: return readAs<s32>(bytes);
        case ElementType::U32: return readAs<u32>(bytes);
        case ElementType::I64: return f64(readAs<s64>(bytes));
        case ElementType::U64: return f64(readAs<u64>(bytes));
        case ElementType::F16: return halfToFloat(readAs<u16>(bytes));
        case ElementType::F32: return readAs<f32>(bytes);
        case ElementType::F64: return readAs<f64>(bytes);
    }
    return 0;
}

}  // namespace lockstep
