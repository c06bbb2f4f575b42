#include "base/element_value.h"

#include "base/half.h"

#include <algorithm>
#include <cstring>

namespace lockstep {
namespace {

template <class T> T read(std::span<const std::byte> bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
    return value;
}

}  // namespace

f64 numberOf(std::span<const std::byte> bytes, ElementType type) {
    switch (type) {
        case ElementType::I8: return read<s8>(bytes);
        case ElementType::U8: return read<u8>(bytes);
        case ElementType::I16: return read<s16>(bytes);
        case ElementType::U16: return read<u16>(bytes);
        case ElementType::I32: return read<s32>(bytes);
        case ElementType::U32: return read<u32>(bytes);
        case ElementType::I64: return f64(read<s64>(bytes));
        case ElementType::U64: return f64(read<u64>(bytes));
        case ElementType::F16: return halfToFloat(read<u16>(bytes));
        case ElementType::F32: return read<f32>(bytes);
        case ElementType::F64: return read<f64>(bytes);
    }
    return 0;
}

}  // namespace lockstep
