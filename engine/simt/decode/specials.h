// The values of special registers, as a warp's frame holds them.
#pragma once

#include "base/dim3.h"
#include "simt/decode/program.h"

namespace lockstep::simt {

struct GridShape {
    Dim3 grid, block;
    u32 dynamicSharedBytes = 0, totalSharedBytes = 0;
    u32 launch = 0;
};

void writeSpecial(std::byte* frame, const SpecialSlot& slot, const GridShape& shape, Dim3 block, u32 warp);

}  // namespace lockstep::simt
