// Executes a launch's machine code, a block after the other, without any time: what it leaves in memory.
#pragma once

#include "base/progress.h"
#include "time/machine/step.h"

#include <atomic>
#include <functional>

namespace lockstep::time {

struct LaunchCounts {
    u64 warpInstructions = 0;
    u64 threadInstructions = 0;  // of lanes that their guards let execute
    // Of 32 bytes: the distinct ones of each request, added up, as l1tex__t_sectors_pipe_lsu_mem_global_op_ld
    // and _st count them. Atomics are not among them.
    u64 globalLoadSectors = 0, globalStoreSectors = 0;
    u64 blocks = 0;  // that were executed
};

struct ExecutionLimit {
    u64 warpInstructions = 1'000'000'000;
    u64 oneBlockIn = 1;  // so many is executed: the first, and each that far behind the last
    const std::atomic<bool>* cancelled = nullptr;  // may be null
    std::atomic<u64>* executed = nullptr;          // warp instructions so far; may be null
};

// Fault: a bad access, warps that wait for each other without end, or the limit.
Expected<LaunchCounts> runLaunch(const Program& program, const simt::DeviceMemory& memory,
                                 const ExecutionLimit& limit = {});

// The distinct sectors of 32 bytes that an access to global memory touches.
u32 sectorsOf(const MemoryAccess& access);

}  // namespace lockstep::time
