// Decodes a parsed kernel and a launch into a Program.
#pragma once

#include "base/buffer.h"
#include "base/dim3.h"
#include "base/expected.h"
#include "simt/decode/program.h"
#include "simt/memory/device_memory.h"

#include <span>
#include <vector>

namespace lockstep::simt {

struct LaunchShape {
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0;
    std::span<const std::byte> parameters;  // as the ABI lays them out: parameterOffsets()
    bool cooperative = false;
};

// Byte offset of each parameter of the entry; the last element is the total size.
std::vector<u32> parameterOffsets(const ptx::Module& module, const ptx::Function& entry);

// A launch's arguments as the ABI lays them out. Fault: they do not match the parameters, or name a missing
// buffer.
Expected<std::vector<std::byte>> parameterBlock(const ptx::Module& module, const ptx::Function& entry,
                                                const Launch& launch, std::size_t buffers);

// How to decode an instruction that the emulator does not support. LeftOut: as a no-op, for a replay, whose
// record does not say what it did.
enum class Missing : u8 { Refused, LeftOut };

// A Fault names the first unsupported instruction.
Expected<Program> decode(const ptx::Module& module, const ptx::Function& entry, const LaunchShape& shape,
                         const DeviceMemory& memory, Missing missing = Missing::Refused);

}  // namespace lockstep::simt
