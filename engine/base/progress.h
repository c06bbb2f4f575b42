// How long work tells how far it is and learns that nobody wants it any more.
#pragma once

#include "base/integers.h"

#include <atomic>

namespace lockstep {

// Shared between the thread that works and the one that waits. Workers look at `cancelled` at least every 50
// ms.
struct Progress {
    std::atomic<u64> done{0}, total{0};  // in units of the worker's choice (blocks of the grid)
    std::atomic<bool> cancelled{false};
};

}  // namespace lockstep
