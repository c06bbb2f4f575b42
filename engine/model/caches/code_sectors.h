// How much machine code a launch reads from device memory, in sectors: its kernel's, and that of the
// functions which are called.
#pragma once

#include "ptx/module.h"
#include "sass/machine_code.h"

namespace lockstep::model {

// As long as the PTX lets expect; `machineCode`: as long as it is, and null where it does not have the
// kernel.
u64 codeSectors(const ptx::Module& module, const ptx::Function& entry);
std::optional<u64> codeSectors(const ptx::Module& module, const ptx::Function& entry,
                               const sass::MachineCode& machineCode);

}  // namespace lockstep::model
