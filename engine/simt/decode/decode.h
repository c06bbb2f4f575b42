// From a parsed kernel and a launch to a Program.
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
};

// Byte offset of each parameter of the entry, and the size of all as the last element.
std::vector<u32> parameterOffsets(const ptx::Module& module, const ptx::Function& entry);

// A launch's arguments as the ABI lays them out. A Fault where they do not fit the parameters, or name a
// buffer that is not there.
Expected<std::vector<std::byte>> parameterBlock(const ptx::Module& module, const ptx::Function& entry,
                                                const Launch& launch, std::size_t buffers);

// What becomes of an instruction that the emulator does not have. LeftOut: it does nothing, for a replay that
// is never told what such a one did.
enum class Missing : u8 { Refused, LeftOut };

// A Fault names the first instruction that is refused.
Expected<Program> decode(const ptx::Module& module, const ptx::Function& entry, const LaunchShape& shape,
                         const DeviceMemory& memory, Missing missing = Missing::Refused);

}  // namespace lockstep::simt
