// The elements of a buffer as expressions see them: integers as s64, reals as f64.
#pragma once

#include "base/buffer.h"
#include "base/half.h"

#include <cstring>

namespace lockstep::catalog {

template <class T> T elementAt(const Buffer& buffer, u64 i) {
    T value;
    std::memcpy(&value, buffer.bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}
template <class T> void setElement(Buffer& buffer, u64 i, T value) {
    std::memcpy(buffer.bytes.data() + i * sizeof(T), &value, sizeof(T));
}

// Calls `use` with a function from index to value.
void withWholeElements(const Buffer& buffer, const auto& use) {
    const auto of = [&](auto tag) {
        use([&buffer](u64 i) -> s64 { return s64(elementAt<decltype(tag)>(buffer, i)); });
    };
    switch (buffer.type) {
        case ElementType::I8: return of(s8{});
        case ElementType::U8: return of(u8{});
        case ElementType::I16: return of(s16{});
        case ElementType::U16: return of(u16{});
        case ElementType::I32: return of(s32{});
        case ElementType::U32: return of(u32{});
        default: return of(s64{});
    }
}
void withRealElements(const Buffer& buffer, const auto& use) {
    switch (buffer.type) {
        case ElementType::F16:
            return use([&](u64 i) -> f64 { return halfToFloat(elementAt<u16>(buffer, i)); });
        case ElementType::F32: return use([&](u64 i) -> f64 { return elementAt<f32>(buffer, i); });
        default: return use([&](u64 i) -> f64 { return elementAt<f64>(buffer, i); });
    }
}

// Calls `use` with a function that stores a value at an index: an integer wraps, a real number is rounded.
void withWholePlaces(Buffer& buffer, const auto& use) {
    const auto of = [&](auto tag) {
        use([&buffer](u64 i, s64 value) { setElement(buffer, i, static_cast<decltype(tag)>(value)); });
    };
    switch (info(buffer.type).bytes) {
        case 1: return of(u8{});
        case 2: return of(u16{});
        case 4: return of(u32{});
        default: return of(u64{});
    }
}
void withRealPlaces(Buffer& buffer, const auto& use) {
    switch (buffer.type) {
        case ElementType::F16:
            return use([&](u64 i, f64 value) { setElement(buffer, i, floatToHalf(f32(value))); });
        case ElementType::F32: return use([&](u64 i, f64 value) { setElement(buffer, i, f32(value)); });
        default: return use([&](u64 i, f64 value) { setElement(buffer, i, value); });
    }
}

}  // namespace lockstep::catalog
