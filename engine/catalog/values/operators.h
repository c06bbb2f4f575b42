// The operators and functions of expressions: for one value, and for a batch of lanes.
#pragma once

#include "base/integers.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep::catalog {

// What is known of the results in lanes whose operands are a straight line, first + step * lane: b is the
// same in all lanes unless it says otherwise.
enum class Growth : u8 {
    Linear,    // a line, of two lines too
    Scaled,    // a line if one of the operands is the same in all lanes
    Monotone,  // never turns back: equal at both ends, it is equal between them
    Periodic,  // rises with a, except where it starts over
    Any,
};

// A row of the tables of binary operators and functions.
struct Operator {
    std::string_view sign;
    std::optional<s64> (*whole)(s64, s64) = nullptr;  // none: overflow or division by zero
    f64 (*real)(f64, f64) = nullptr;                  // no function: integers only
    bool isComparison = false;                        // 0 or 1, for reals too
    Growth growth = Growth::Any;
    // The same for lanes: results replace the first operand. False: a lane has none.
    bool (*wholeLanes)(std::span<s64> a, const s64* b) = nullptr;
    void (*realLanes)(std::span<f64> a, const f64* b) = nullptr;
};

std::span<const Operator> functions();
// Loosest first; a longer operator precedes its own prefix. && and || are separate: they may skip their right
// side.
const std::array<std::span<const Operator>, 4>& operatorLevels();
const Operator& minusOperator();

}  // namespace lockstep::catalog
