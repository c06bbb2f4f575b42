// Progress and cancellation of long work.
#pragma once

#include "base/integers.h"

#include <atomic>

namespace lockstep {

// Shared between the thread that works and the one that waits. Workers poll `cancelled` at least every 50 ms.
struct Progress {
    std::atomic<u64> done{0}, total{0};  // in units of the worker's choice (blocks of the grid)
    std::atomic<bool> cancelled{false};
};

}  // namespace lockstep
