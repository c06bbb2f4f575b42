// An index expression as written in a kernel, "(tid & 15) * 17 + tid / 16": C's integer operators over `tid`.
#pragma once

#include "base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {

class AccessExpression {
public:
    // A Fault has the column (from 1) and what was expected there.
    static Expected<AccessExpression> parse(std::string_view text);

    // The value for one lane; 64-bit arithmetic that wraps. Division by zero and out-of-range shifts are
    // Faults. As in C, && || ?: evaluate only the operands they need.
    Expected<s64> at(s64 tid) const;

    enum class Operator : u8 {
        Number,
        Tid,
        Negate,
        Not,
        Complement,
        Choose,
        Multiply,
        Divide,
        Remainder,
        Add,
        Subtract,
        ShiftLeft,
        ShiftRight,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        BitAnd,
        BitXor,
        BitOr,
        And,
        Or,
    };

private:
    friend class AccessExpressionParser;
    struct Node {
        Operator what = Operator::Number;
        s64 number = 0;
        u32 a = 0, b = 0, c = 0;  // into nodes_
        u32 column = 0;
    };
    Expected<s64> evaluate(u32 node, s64 tid) const;

    std::vector<Node> nodes_;
    u32 root_ = 0;
};

}  // namespace lockstep::model
