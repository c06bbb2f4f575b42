// The value of one element of a buffer, or of what a lane read or wrote of it.
#pragma once

#include "base/buffer.h"

#include <cstddef>
#include <span>

namespace lockstep {

// As a double. Bytes that are missing at the end count as 0: a lane may hold less than an element.
f64 numberOf(std::span<const std::byte> bytes, ElementType type);

}  // namespace lockstep
