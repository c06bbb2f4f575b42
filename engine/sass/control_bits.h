// The scheduling half of a machine instruction since cc 7.0: what the compiler tells the issue logic. Numbers
// of the 128 bits, and how each field was proved on an H200 with patched programs, are in
// docs/internals/time.md, "Control bits".
#pragma once

#include "base/integers.h"

namespace lockstep::sass {

struct ControlBits {
    static constexpr u8 kNoCounter = 7;

    u8 stallCycles = 0;            // until the same warp may issue its next instruction; 0 counts as 1
    bool givesWay = false;         // the scheduler may prefer another warp next
    u8 writeCounter = kNoCounter;  // 0 to 5: raised at issue, lowered once the result is written
    u8 readCounter = kNoCounter;   // 0 to 5: raised at issue, lowered once the operands are read
    u8 waitMask = 0;               // bit n: issues only when counter n is zero
    u8 reuse = 0;                  // bit n: the value of register operand n stays in the operand cache

    bool operator==(const ControlBits&) const = default;
};

// upper: the second of the two 64-bit words that nvdisasm -hex prints.
constexpr ControlBits controlBits(u64 upper) {
    const auto field = [&](u32 bit, u32 bits) { return u8(upper >> (bit - 64) & ((u64{1} << bits) - 1)); };
    return {.stallCycles = field(105, 4),
            .givesWay = field(109, 1) == 0,
            .writeCounter = field(110, 3),
            .readCounter = field(113, 3),
            .waitMask = field(116, 6),
            .reuse = field(122, 3)};
}

}  // namespace lockstep::sass
