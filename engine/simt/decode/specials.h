// The values of special registers, as a warp's frame holds them.
#pragma once

#include "base/dim3.h"
#include "simt/decode/program.h"

namespace lockstep::simt {

struct GridShape {
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0, totalSharedBytes = 0;
    u32 launch = 0;
    u64 workspace = 0;         // of a cooperative launch's barriers; 0: it is none
    u32 reservedSharedAt = 0;  // behind the block's own, where the kernel asks for it
};

void writeSpecial(std::byte* frame, const SpecialSlot& slot, const GridShape& shape, Dim3 block, u32 warp);

}  // namespace lockstep::simt
