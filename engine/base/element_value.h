// The value of one element of a buffer, or of what a lane read or wrote of it.
#pragma once

#include "base/buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace lockstep {

// Bytes that are missing at the end count as 0: a lane may hold less than an element.
template <class T> T readAs(std::span<const std::byte> bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
    return value;
}

// As a double.
f64 numberOf(std::span<const std::byte> bytes, ElementType type);

}  // namespace lockstep
