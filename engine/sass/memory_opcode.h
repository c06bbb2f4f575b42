// Which machine instructions access memory, and how many bytes per thread.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string_view>

namespace lockstep::sass {

enum class Memory : u8 { Shared, Global, Local, Generic, Constant };
enum class Operation : u8 { Load, Store, Atomic };

struct MemoryOpcode {
    Memory memory = Memory::Global;
    Operation operation = Operation::Load;
    u32 widthBytes = 4;  // of one thread; of matrices that a warp loads together, its share
};

// "LDS.128" -> a load of 16 bytes of shared memory. None for what does not access memory. Names: CUDA Binary
// Utilities, "Instruction Set Reference"; widths: their modifiers, 4 bytes where there is none.
std::optional<MemoryOpcode> memoryOpcode(std::string_view opcode);

}  // namespace lockstep::sass
