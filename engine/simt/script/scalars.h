// By how much the lanes of registers differ from those of the block that a script was written from: numbers
// that depend on the block's coordinates alone, computed once a block. Each may have bounds: outside them a
// register would wrap around, or a comparison come out differently, and the block does not follow the script.
#pragma once

#include "base/dim3.h"
#include "base/integers.h"

#include <limits>
#include <vector>

namespace lockstep::simt {

class Scalars {
public:
    static constexpr u32 kZero = 0;
    static constexpr s64 kLeast = std::numeric_limits<s64>::min(), kMost = std::numeric_limits<s64>::max();

    // All return a number's index, the same for the same number; arithmetic is modulo 2^64.
    u32 coordinate(u32 axis, u32 ofWritten);  // of the block, less that of the block written down
    u32 sum(u32 a, u32 b);
    u32 product(u32 a, s64 factor);
    u32 signed32(u32 a);  // its low word with the sign extended

    void bound(u32 number, s64 least, s64 most);
    // values: by index. False: one is out of bounds.
    bool evaluate(Dim3 block, std::vector<u64>& values) const;

private:
    enum class Kind : u8 { Zero, Coordinate, Sum, Product, Signed32 };
    struct Number {
        Kind kind = Kind::Zero;
        u32 a = 0, b = 0;  // numbers; Coordinate: the axis
        s64 factor = 0;    // Coordinate: of the block written down
        s64 least = kLeast, most = kMost;
    };
    u32 numberOf(Kind kind, u32 a, u32 b, s64 factor);

    std::vector<Number> numbers_ = std::vector<Number>(1);
};

}  // namespace lockstep::simt
