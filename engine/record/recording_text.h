// Generates PTX that records: the kernel with its body twice, original and with recorder code, and a switch
// at the start. A block whose slot is negative runs the original, at the cost of one table lookup; the others
// record what they do, according to the plan.
//
// No calls, counters or locks: each warp has its own region, each lane a column in it, and words are at
// constant offsets. Instructions keep the module's pcs; inserted code has none.
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
    // Address of 8-byte words that the kernel fills in: the generic-address windows of shared and local
    // memory, then the address of each of RecordPlan::symbols. Must not be null if a block records.
    u64 symbols = 0;
};
inline constexpr u32 kWindowSymbols = 2;

// A lane's column is capacity words, then space for one segment, discarded once the column is full, then a
// word with the number of words the lane needed, with its top bit set; 0: the lane did not complete. After
// that, the lane's cursor while it enters and leaves functions.
inline constexpr u32 kWantedBit = 0x80000000u;
u64 wordsPerWarp(const RecordPlan& plan, u64 capacityWords);

struct RecordingText {
    std::string ptx;
    RecordPlan plan;
};
// values: also record loaded and stored values, not only addresses.
Expected<RecordingText> recordingText(const ptx::Module& module, std::string_view entry, bool values);

}  // namespace lockstep::record
