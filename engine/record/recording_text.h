// PTX that records: the kernel with its body twice, as it was and with recorder code in it, and a switch at
// its head. A block whose slot is negative runs the first, which costs it one look at a table; the others
// write down what they do, as the plan says.
//
// Nothing is called, counted or locked: each warp has a region of its own, each lane a column in it, and
// words lie at offsets that the text has as constants. The pcs of instructions are those of the module; the
// code in between has none.
#pragma once

#include "record/record_plan.h"

#include <string>

namespace lockstep::record {

// What the host sets before the launch: a variable of the recording text, `kControlName`, and its 8-byte
// words in this order.
inline constexpr const char* kControlName = "lockstep_record_control";
struct RecordControl {
    u64 slots = 0;    // address of an s32 for each block of the grid, x fastest: its region's number, or -1
    u64 regions = 0;  // address of the regions
    u64 capacityWords = 0;  // of a lane
    // Address of 8-byte words that the kernel fills in: the windows of shared and local memory within generic
    // addresses, and then the address of each of RecordPlan::symbols. May not be null where a block records.
    u64 symbols = 0;
};
inline constexpr u32 kWindowSymbols = 2;

// A lane's column is capacity words, then room for one segment that is thrown away once the column is full,
// then a word that says how many words the lane wanted, with its top bit set; 0: the lane did not come to an
// end. Behind that, where the lane has come to while it enters and leaves functions.
inline constexpr u32 kWantedBit = 0x80000000u;
u64 wordsPerWarp(const RecordPlan& plan, u64 capacityWords);

struct RecordingText {
    std::string ptx;
    RecordPlan plan;
};
// values: what is read and written too, not only where.
Expected<RecordingText> recordingText(const ptx::Module& module, std::string_view entry, bool values);

}  // namespace lockstep::record
