// Which words a lane of a recording kernel writes, segment by segment: what the text of the recorder
// (recording_text.h) and the decoder (decode_record.h) agree on.
//
// A segment is a straight run of instructions that a group of lanes executes together: a basic block, cut
// behind everything at which other lanes may join, and where it gets long. Each lane that enters it writes,
// into its own column of the warp's region:
//   word 0  number of the segment, from 1
//   word 1  the lanes that are active together
//   word 2  %clock, in cycles of the multiprocessor: the order of the block's warps
//   word 3  a bit for each guarded instruction, lowest first: the lane's guard was true. Only in segments
//   that have some then    the address registers of its accesses, one or two words, once however many
//   instructions use them at different
//           offsets; and the values that cannot be read off the text
// So the words of a segment lie at offsets that are known when the text is written: no cursor moves and
// nothing is counted but once a segment.
#pragma once

#include "base/expected.h"
#include "ptx/module.h"
#include "trace/access.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::record {

inline constexpr u32 kNoWord = 0xffffffffu;

// The address is that of the variable or in the register, plus the offset.
struct PlannedAddress {
    u32 word = kNoWord;  // of the register; kNoWord: the address has none
    bool wide = false;   // two words, else one
    std::optional<ptx::VariableId> variable;
    s64 offsetBytes = 0;
};

struct PlannedValue {    // of one element
    u32 word = kNoWord;  // kNoWord: it is `constant`
    u64 constant = 0;
};

struct PlannedAccess {
    Pc pc;
    ptx::StateSpace space = ptx::StateSpace::Global;  // Generic: as the addresses say
    trace::AccessKind kind = trace::AccessKind::Load;
    u8 elementBytes = 4, elements = 1;
    PlannedAddress address;
    std::vector<PlannedValue> values;  // by element; empty where values are not recorded
    // Of an AsyncCopy: where it writes, and how many bytes it reads of the elementBytes.
    PlannedAddress sharedAddress;
    std::optional<PlannedValue> sourceBytes;

    u32 widthBytes() const { return u32{elementBytes} * elements; }
};

struct Segment {
    Pc first, end;
    u32 words = 0;
    u32 guardWord = kNoWord;
    bool onlyEnds = false;  // a block that does nothing but end the thread: nobody waits for others there
    std::vector<PlannedAccess> accesses;  // ascending pc
};

struct RecordPlan {
    std::string entry;                       // by PTX name
    bool values = true;                      // else addresses alone
    std::vector<ptx::FunctionId> functions;  // the kernel, and what it calls
    std::vector<Segment> segments;           // ascending pc, without gaps
    u32 longestSegment = 0;                  // in words
    std::vector<ptx::VariableId> symbols;    // whose addresses the kernel writes down, see RecordControl
};

// A Fault where the kernel has an instruction that accesses memory in a way that is not recorded, or calls a
// function by its address or one with arrays of its own.
Expected<RecordPlan> planRecord(const ptx::Module& module, std::string_view entry, bool values);

// The kernel's operands as the plan and the text need them.
bool writes(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id);
bool touches(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id);
// Of a load, store, atomic or reduction: the operand that is kept of it. addressFirst: red and st.
const ptx::Operand& valueOperand(trace::AccessKind kind, bool addressFirst,
                                 std::span<const ptx::Operand> operands);
// A call of a function that has a body.
bool callsInto(const ptx::Module& module, const ptx::Instruction& instruction);
// False for the return that the parser adds to a body without one.
bool standsInText(const ptx::Module& module, Pc pc);

}  // namespace lockstep::record
