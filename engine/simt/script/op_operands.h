// Which registers a lane-wise op reads and writes, and how wide they are.
#pragma once

#include "simt/decode/program.h"

namespace lockstep::simt {

struct OpOperand {
    u8 place = 0;  // in Op::at
    Storage storage = Storage::None;
    bool isRead = false, isWritten = false;
};

struct OpOperands {
    std::array<OpOperand, kMostOperands> all{};
    u32 count = 0;  // 0: unknown
    const OpOperand* begin() const { return all.data(); }
    const OpOperand* end() const { return all.data() + count; }
};

// Of an op that executes an opcode or one of lane_helpers.h, but for a function's parameters.
OpOperands operandsOf(const Program& program, const Op& op);

}  // namespace lockstep::simt
