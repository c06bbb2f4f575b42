// Generates a run's machine code with the toolkit, and updates the run with it.
#pragma once

#include "cuda/compiler/disassemble.h"
#include "run/machine/code_archive.h"
#include "run/run.h"

namespace lockstep::run {

// For the device of the run's profile: sets run.machine, and run.report to what that code does. The toolkit's
// programs take 60 ms for a small kernel, a second for a large one.
void readMachineCode(cuda::Disassembler& disassembler, Run& run, const cuda::Patience& patience = {});
// The same if the disassembler has the listing cached, from a run of the same PTX; else false.
bool takeMachineCode(cuda::Disassembler& disassembler, Run& run);

// Uses only the length of the machine code, which launches read from device memory; all else of the run stays
// modeled.
void takeCodeLength(cuda::Disassembler& disassembler, Run& run);

// The run's machine code without any change of it: as shipped, else as the toolkit makes it.
cuda::Disassembler::Answer shippedOrRead(const Resources& resources, cuda::Disassembler& disassembler,
                                         const Run& run, const cuda::Patience& patience = {});

}  // namespace lockstep::run
