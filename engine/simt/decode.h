// From a parsed kernel and a launch to a Program.
#pragma once

#include <span>

#include "base/dim3.h"
#include "base/expected.h"
#include "simt/device_memory.h"
#include "simt/program.h"

namespace lockstep::simt {

struct LaunchShape {
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0;
    std::span<const std::byte> parameters;  // as the ABI lays them out: parameterOffsets()
};

// Byte offset of each parameter of the entry, and the size of all as the last element.
std::vector<u32> parameterOffsets(const ptx::Module& module, const ptx::Function& entry);

// A Fault names the first instruction that the emulator does not have.
Expected<Program> decode(const ptx::Module& module, const ptx::Function& entry, const LaunchShape& shape, const DeviceMemory& memory);

}  // namespace lockstep::simt
