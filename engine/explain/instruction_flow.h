// What an instruction does to values: which registers it reads and writes, and whether what it writes is what
// it read (a move, a shuffle), what memory held, or something computed.
#pragma once

#include "ptx/module.h"
#include "ptx/shuffle_lanes.h"

#include <optional>
#include <vector>

namespace lockstep::explain {

enum class Effect : u8 {
    None,       // it writes no register and no memory: a branch, a barrier
    Compute,    // a new value, made from all that it reads
    Move,       // mov, cvta, a conversion that keeps the value
    Select,     // selp
    Shuffle,    // another lane's register
    Exchange,   // of all lanes together: vote, match, redux
    Pack,       // elements, side by side in one register
    Unpack,     // the other way round
    Parameter,  // of the kernel
    PassOn,     // st.param: an argument, or a function's result
    Receive,    // ld.param of such a one
    Load,
    Store,
    Atomic,
    Copy,    // cp.async
    Opaque,  // what no record tells: a barrier's result, a clock
};

struct InstructionFlow {
    static constexpr u8 kGuard = 0xff, kCarry = 0xfe;  // operands that are not written among the others
    struct Read {
        u8 operand = 0, element = 0;  // of a vector
        ptx::RegisterId id;           // of kCarry: none
    };
    struct Written {
        u8 element = 0;  // of a vector; of a pair (shfl's "value|predicate") 0 and 1
        ptx::RegisterId id;
    };

    Effect effect = Effect::None;
    u8 value = 0;  // operand that holds what is moved, stored, packed or passed on
    u8 extra = 0;  // numbers that the flow keeps of each execution beside those of what is read
    bool readsCarry = false, writesCarry = false;
    bool reshapes = false;    // Move: the same value in other bits (f16 as f32), so only of the whole
    bool takesBytes = false;  // Copy: a register says how many
    u32 valueBytes = 0;       // Move: of the source
    u32 elements = 1, elementBytes = 0;          // of memory, of Pack and Unpack, of PassOn and Receive
    std::optional<ptx::VariableId> parameter{};  // PassOn, Receive
    s64 offsetBytes = 0;                         // in it
    ptx::ShuffleMode shuffle = ptx::ShuffleMode::Index;
    std::vector<Read> reads{};
    std::vector<Written> writes{};

    u32 numbers() const { return u32(reads.size()) + extra; }
    // Index into `reads`; none: that operand is no register.
    std::optional<u32> readOf(u32 operand, u32 element = 0) const;
    std::optional<u32> elementOf(ptx::RegisterId written) const;
};

InstructionFlow instructionFlow(const ptx::Module& module, Pc pc);

}  // namespace lockstep::explain
