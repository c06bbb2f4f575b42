// What one opcode does: a row (its PTX form and a small pure function of one lane) from which the loop over
// lanes, the operand storage and the help text are derived. The rows are in *_opcodes.cpp, one file per kind
// of instruction.
//
// Storage of a register in a warp's frame: 32 lanes of u32 for types of up to 4 bytes (narrower values
// zero-extended), 32 lanes of u64 for 8 bytes, two such runs (low words, high words) for 16 bytes, one u32
// lane mask for a predicate. Immediates and special registers are laid out in the same way, so that a
// function need not know where a source comes from.
#pragma once

#include "base/indices.h"
#include "base/integers.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace lockstep::simt {

// binary16 and similar formats have bit types of their own, so that an f16 function cannot be given a u16.
struct f16 {
    u16 bits;
};
struct bf16 {
    u16 bits;
};
struct f16x2 {
    u32 bits;
};
struct bf16x2 {
    u32 bits;
};
struct u16x2 {
    u32 bits;
};
struct s16x2 {
    u32 bits;
};
struct f32x2 {
    u64 bits;
};

// Result of an instruction with .cc: the hidden carry flag is one more predicate, after the sources if read
// (addc, subc, madc) and after the results if written (.cc).
template <class T> struct WithCarry {
    T value;
    bool carry;
};
// Result of setp with two destinations p|q, of shfl's d|p: value first.
template <class T> struct WithPredicate {
    T value;
    bool predicate;
};

enum class Storage : u8 { None, Lanes32, Lanes64, Lanes128, Predicate };

inline constexpr int kMostOperands = 8;

// `at`: byte offsets of the operands in the frame, results first, in the order of the row's `operands`.
// Only lanes in `mask` may change. Must be total: no input may be undefined behavior in C++.
using Execute = void (*)(const u32* at, std::byte* frame, u32 mask);

struct OpcodeRow {
    std::string_view form;  // key: ptx::Instruction::form
    Execute execute = nullptr;
    std::array<Storage, kMostOperands> operands{};  // results, then sources
    u8 results = 0, sources = 0;
    bool dividesByZero =
        false;  // integer div/rem: zero divisors (last source) are checked for before execution
};

template <class T> constexpr Storage storageOf() {
    if constexpr (std::is_same_v<T, bool>)
        return Storage::Predicate;
    else if constexpr (sizeof(T) <= 4)
        return Storage::Lanes32;
    else if constexpr (sizeof(T) == 8)
        return Storage::Lanes64;
    else
        return Storage::Lanes128;
}

}  // namespace lockstep::simt
