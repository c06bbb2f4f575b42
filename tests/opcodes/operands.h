// The inputs on which every form was measured: edge values, random bits and numbers of ordinary size, a
// function of (kind, operand, index) alone, so that results can be stored without them.
#pragma once

#include "simt/opcodes/opcode.h"

#include <span>
#include <string_view>
#include <vector>

namespace lockstep::opcodes {

enum class Kind : u8 {
    I16,
    I32,
    I64,
    Amount,
    F16,
    BF16,
    F32,
    F64,
    F16x2,
    BF16x2,
    I16x2,
    Predicate,
    Members,
    Table
};

inline constexpr u32 kTuples = 2048, kMostSources = 5;

// The kinds of a form's sources, from its name: "mad.wide.u16" takes I16, I16, I32.
std::vector<Kind> sourceKinds(const simt::OpcodeRow& row);

// The bits of operand number `operand` of tuple number `index`.
u64 operandBits(Kind kind, u32 operand, u32 index);

}  // namespace lockstep::opcodes
