// Which words a lane of a recording kernel writes, segment by segment: the format shared by the recorder's
// text (recording_text.h) and the decoder (decode_record.h).
//
// A segment is a straight run of instructions that a group of lanes executes together: a basic block, split
// after everything where other lanes may join, and where it gets long. Each lane that enters it writes, into
// its own column of the warp's region:
//   word 0  number of the segment, from 1
//   word 1  the lanes that are active together
//   word 2  %clock, in cycles of the SM: the order of the block's warps
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

// The address is the variable's or the register's, plus the offset.
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
    ptx::StateSpace space = ptx::StateSpace::Global;  // Generic: determined by the addresses
    trace::AccessKind kind = trace::AccessKind::Load;
    u8 elementBytes = 4, elements = 1;
    PlannedAddress address;
    std::vector<PlannedValue> values;  // by element; empty if values are not recorded
    // Of an AsyncCopy: where it writes, and how many bytes it reads of the elementBytes.
    PlannedAddress sharedAddress;
    std::optional<PlannedValue> sourceBytes;

    u32 widthBytes() const { return u32{elementBytes} * elements; }
};

struct Segment {
    Pc first, end;
    u32 words = 0;
    u32 guardWord = kNoWord;
    bool onlyEnds = false;                // a block that only ends the thread: no lane waits there
    std::vector<PlannedAccess> accesses;  // ascending pc
};

struct RecordPlan {
    std::string entry;                       // by PTX name
    bool values = true;                      // else only addresses
    std::vector<ptx::FunctionId> functions;  // the kernel, and the functions it calls
    std::vector<Segment> segments;           // ascending pc, without gaps
    u32 longestSegment = 0;                  // in words
    std::vector<ptx::VariableId> symbols;    // whose addresses the kernel records, see RecordControl
};

// Fault: the kernel has a memory instruction that cannot be recorded, an indirect call, or a call of a
// function with arrays of its own.
Expected<RecordPlan> planRecord(const ptx::Module& module, std::string_view entry, bool values);

// The kernel's operands as the plan and the text need them.
bool writes(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id);
bool touches(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id);
// The operand of a load, store, atomic or reduction that is recorded. addressFirst: red and st.
const ptx::Operand& valueOperand(trace::AccessKind kind, bool addressFirst,
                                 std::span<const ptx::Operand> operands);
// A call of a function that has a body.
bool callsInto(const ptx::Module& module, const ptx::Instruction& instruction);
// False for the return that the parser adds to a body without one.
bool standsInText(const ptx::Module& module, Pc pc);

}  // namespace lockstep::record
