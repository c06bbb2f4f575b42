// Constant expressions: 42, 0x2a, -1, 0f3F800000, 1.5e3, WARP_SZ, (4*8)+2.
#pragma once

#include "ptx/parser/lexer.h"
#include "ptx/types.h"

namespace lockstep::ptx {

struct Constant {
    enum class Kind : u8 { Signed, Unsigned, Single, Double };
    Kind kind = Kind::Signed;
    u64 bits = 0;  // of the number as an s64, u64, f32 or f64

    bool isFloat() const { return kind == Kind::Single || kind == Kind::Double; }
};

bool startsConstant(char c);  // a digit, a sign, '('...
// Reads an expression at the cursor or fails there.
Constant parseConstant(Lexer& in);
// An integer expression that is at least 0: an array's extent.
u64 parseCount(Lexer& in, const Words& what);
// One unsigned literal of at most `most`, no expression: a line number, the n of %r<n>.
u64 parseNumber(Lexer& in, const Words& what, u64 most);

// The bits that the constant has as a value of that type: truncated or rounded; fails where a float type is
// given an integer. An untyped place keeps 64 bits.
u64 bitsAs(const Constant& constant, Type type, Lexer& in, Place place);

}  // namespace lockstep::ptx
