// Where the time of a run goes: what its warps wait for, line by line, and what would change it. All of it is
// the cycle model's.
#pragma once

#include "run/machine/changed_times.h"

namespace lockstep::run {

struct WaitsOfRun {
    TimedRun time;
    ChangedTimes changes;  // of the first launch
};

// Fault: why there is no time for this run.
Expected<WaitsOfRun> waitsOfRun(const Run& run, const sass::MachineCode& code, Progress* progress = nullptr);

}  // namespace lockstep::run
