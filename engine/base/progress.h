// Progress and cancellation of long work.
#pragma once

#include "base/integers.h"

#include <algorithm>
#include <atomic>

namespace lockstep {

// Shared between the thread that works and the one that waits. Workers poll `cancelled` at least every 50 ms.
struct Progress {
    std::atomic<u64> done{0}, total{0};  // in units of the worker's choice (blocks of the grid)
    std::atomic<bool> cancelled{false};
    // For units that take long: those begun, and the steps (warp instructions) of all and of those done.
    std::atomic<u64> begun{0}, steps{0}, stepsOfDone{0};

    void restartAt(u64 before) {
        done = begun = before;
        steps = stepsOfDone = 0;
    }
};

// How far it is, 0 to 1: the units under way count for as much as their steps are of those of a unit done.
inline f64 shareDone(const Progress& progress) {
    const f64 total = f64(progress.total), done = f64(progress.done), of = f64(progress.stepsOfDone);
    if (total == 0) return 0;
    const f64 units = of > 0 ? done * (f64(progress.steps) / of) : done;
    return std::clamp(units, done, std::max(done, f64(progress.begun))) / total;
}

}  // namespace lockstep
