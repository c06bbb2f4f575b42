// What the cycle model needs of each instruction, worked out once.
#pragma once

#include "time/machine/program.h"
#include "time/model/time_profile.h"

#include <vector>

namespace lockstep::time {

struct TimedOp {
    sass::InstructionClass timing = sass::InstructionClass::Nothing;
    sass::Pipe pipe = sass::Pipe::None;
    sass::ControlBits control;
    u32 latencyCycles = 0, intervalCycles = 1;
    // Registers that it reads in the three operand slots, for the banks of the register file; zero register:
    // none.
    std::array<u8, 3> reads{sass::kZeroRegister, sass::kZeroRegister, sass::kZeroRegister};
    bool usesBanks = false;          // of the pipes where bank conflicts were measured
    s32 constantLine = -1;           // of 64 bytes, of an operand or a load at a fixed place; -1: none
    bool isConstantOperand = false;  // waits before it issues
    u32 codeLine = 0;                // of 128 bytes
    u8 groupsLeft = 0;  // of a wait for asynchronous copies: so many of the last groups may be on their way
};

inline constexpr u32 kCodeLineBytes = 128, kConstantLineBytes = 64;

// Lines of constants are numbered through all banks: where those of one begin, or, of kConstantBanks, end.
u32 firstConstantLine(const Program& program, u32 bank);

std::vector<TimedOp> timedOps(const Program& program, const TimeProfile& times);

}  // namespace lockstep::time
