// Has the toolkit make a run's machine code, and lets the run follow it.
#pragma once

#include "cuda/compiler/disassemble.h"
#include "run/run.h"

namespace lockstep::run {

// Of the device whose profile the run follows: run.machine is it then, and run.report says what that code
// does. The toolkit's programs take 60 ms for a small kernel, a second for a large one.
void readMachineCode(cuda::Disassembler& disassembler, Run& run, const cuda::Patience& patience = {});
// The same where the disassembler has its answer ready, from a run of the same PTX; false where it would have
// to ask.
bool takeMachineCode(cuda::Disassembler& disassembler, Run& run);

// Of the machine code its length alone, which says what launches read of device memory: all else of the run
// stays modeled.
void takeCodeLength(cuda::Disassembler& disassembler, Run& run);

u32 computeCapabilityOf(const Run& run);  // of its profile's device: 90

}  // namespace lockstep::run
