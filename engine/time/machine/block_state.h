// The state of one block that executes machine code, and the memory of its launch.
#pragma once

#include "simt/memory/device_memory.h"
#include "time/machine/warp_state.h"

#include <optional>
#include <vector>

namespace lockstep::time {

// The first access outside of memory: a kernel that does so has no time.
struct BadAccess {
    u32 instruction = 0;
    u64 address = 0;
    Dim3 block;
};

// What all blocks of a launch share.
struct LaunchState {
    const simt::DeviceMemory* memory = nullptr;
    std::optional<BadAccess> badAccess;
    bool isStuck = false;  // warps that wait for what cannot happen
};

struct BlockState {
    LaunchState* launch = nullptr;
    Dim3 at;
    std::vector<std::byte> shared;  // its window from 0 on: the system's part, then the block's own
    std::vector<WarpState> warps;
};

// Makes the warps and the shared memory of a block.
void startBlock(BlockState& block, LaunchState& launch, const Program& program, Dim3 at);

}  // namespace lockstep::time
