// The machine code of the kernel at the cursor, a line an instruction.
#pragma once

#include "run/machine/machine_run.h"

#include <string>
#include <vector>

namespace lockstep::run {

struct MachineLine {
    const sass::Instruction* instruction = nullptr;  // null: here a function begins
    std::string text;                                // "@!P0 LDS.128 R12, [R4+0x10]", or the function's name
    // Of the access that this instruction makes in the whole grid; 0 where there are several of one access,
    // for nobody counted which ran.
    u64 sectors = 0, wavefronts = 0;
};

// The launch's kernel first, then functions that it may call. Empty where the run has no machine code of it.
std::vector<MachineLine> machineLines(const Run& run, LaunchId launch);

}  // namespace lockstep::run
