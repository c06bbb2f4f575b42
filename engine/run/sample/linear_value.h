// What is known of a register in all blocks of a box (block_likeness.h), and of what is computed from it.
#pragma once

#include "base/dim3.h"
#include "ptx/instruction.h"
#include "ptx/types.h"

#include <array>
#include <limits>
#include <string_view>

namespace lockstep::run {

// A range of numbers; unbounded where nothing is known.
struct Range {
    s64 least = std::numeric_limits<s64>::min(), most = std::numeric_limits<s64>::max();

    static Range of(s64 number) { return {number, number}; }
    bool isBounded() const {
        return least > std::numeric_limits<s64>::min() && most < std::numeric_limits<s64>::max();
    }
    bool isOne() const { return least == most; }
    bool operator==(const Range&) const = default;
};

struct LinearValue {
    enum class Kind : u8 {
        Same,    // the same in all blocks, for each thread
        Linear,  // known coefficients of the block's position
        Affine,  // linear, with coefficients that differ between threads or are not known
        Half,    // a predicate: true in a half-space of positions
        Other,   // depends on the position in another way
        Data     // may depend on loaded data
    } kind = Kind::Same;
    std::array<s64, 3> coefficients{};  // of Linear
    Range rest;                         // what is added to that: its range over all threads
    u32 zeros = 0;                      // the value is a multiple of 2^zeros
    u8 axes = 0;                        // Half: axes that it depends on, by bit
    // The sign was extended to 64 bits after an addition that may have overflowed in some of the blocks: an
    // address is valid only if it did not.
    bool mayJump = false;

    bool isNumber() const { return kind == Kind::Same || kind == Kind::Linear || kind == Kind::Affine; }
    bool hasCoefficients() const { return kind == Kind::Same || kind == Kind::Linear; }
    bool operator==(const LinearValue&) const = default;
};

// The positions of a box.
struct Positions {
    std::array<s64, 3> first{}, last{};

    s64 extent(u32 axis) const { return last[axis] - first[axis]; }
    // Of a value with coefficients: over all blocks and threads.
    Range rangeOf(const LinearValue& value) const;
    // The most that it differs between two blocks, for one thread; saturated.
    s64 spanOf(const LinearValue& value) const;
    // The value as a number of that type is the linear one: nothing overflows.
    bool fits(const LinearValue& value, ptx::Type type) const;
};

LinearValue sameValue(Range range = {}, u32 zeros = 0);
LinearValue otherValue(bool isData);
// Either of them, without knowing which.
LinearValue joined(const LinearValue& a, const LinearValue& b);

LinearValue sum(const LinearValue& a, const LinearValue& b);
LinearValue product(const LinearValue& a, const LinearValue& b);
// From 32 to 64 bits.
LinearValue extended(const LinearValue& value, ptx::Type from, const Positions& positions);
LinearValue bitwise(std::string_view opcode, const LinearValue& a, const LinearValue& b);
LinearValue shiftedRight(const LinearValue& value, const LinearValue& by, ptx::Type type,
                         const Positions& positions);
LinearValue extreme(bool isGreater, const LinearValue& a, const LinearValue& b, ptx::Type type,
                    const Positions& positions);
// A predicate.
LinearValue compared(ptx::Comparison comparison, const LinearValue& a, const LinearValue& b, ptx::Type type,
                     const Positions& positions);
LinearValue combined(const LinearValue& p, const LinearValue& q);
// What is not known better: the same if all of it is.
LinearValue mixed(const LinearValue& a, const LinearValue& b);

}  // namespace lockstep::run
