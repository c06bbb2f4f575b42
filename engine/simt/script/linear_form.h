// Opcodes through which a register stays "the value in the block written down, plus a number": those that
// are linear, and comparisons, whose outcome stays the same within bounds.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string_view>

namespace lockstep::simt {

struct LinearForm {
    enum class Kind : u8 {
        Move,
        Add,
        Subtract,
        Multiply,
        MultiplyAdd,
        ShiftLeft,
        MultiplyWide,
        MultiplyAddWide,
        Widen,
        Narrow,
        Compare,
    };
    enum class Comparison : u8 { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
    Kind kind = Kind::Move;
    bool is64 = false;      // its sources
    bool isSigned = false;  // these
    Comparison comparison = Comparison::Equal;
};

// None: another opcode.
std::optional<LinearForm> linearForm(std::string_view form);

}  // namespace lockstep::simt
