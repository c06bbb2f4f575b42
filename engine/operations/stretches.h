// A program's operations without their repetitions: what a loop asks for again and again is one stretch.
#pragma once

#include "operations/operations.h"

#include <span>
#include <vector>

namespace lockstep::operations {

// Operations from `first` on, `length` of them, that come `times` times, one after another and alike.
struct Stretch {
    u64 first = 0, length = 1, times = 1;
    bool operator==(const Stretch&) const = default;
};

// All of the list, which are of `all`, in their order. Alike: the same call in the same line and stream, as
// large and with the same end; arguments and offsets may differ, and events and buffers be new ones of the
// same line.
std::vector<Stretch> stretchesOf(std::span<const Operation> list, const Operations& all);

}  // namespace lockstep::operations
