// How much machine code a launch reads from device memory, in sectors: the kernel and the functions it calls.
#pragma once

#include "ptx/module.h"
#include "sass/machine_code.h"

namespace lockstep::model {

// Estimated from the PTX, or exact from `machineCode`; none if that does not contain the kernel.
u64 codeSectors(const ptx::Module& module, const ptx::Function& entry);
std::optional<u64> codeSectors(const ptx::Module& module, const ptx::Function& entry,
                               const sass::MachineCode& machineCode);

}  // namespace lockstep::model
