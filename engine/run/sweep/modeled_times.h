// A sweep's modeled times: what the cycle model says of the points that nobody has measured on its device.
#pragma once

#include "run/machine/timed_run.h"
#include "run/sweep/sweep.h"

#include <string>
#include <vector>

namespace lockstep::run {

// The device whose times are modeled under a profile's rules; empty: there is no time model of it.
std::string modeledDevice(const model::Profile& profile);

// Of the plan's tasks those without a measured time on the device, be it measured just now or recorded, and
// without an answer of the model. `sweep` has what is known. In the order in which to run them.
std::vector<SweepTask> tasksToModel(const SweepPlan& plan, const Sweep& sweep, const std::string& device);

// Adds what the model says of a task's run: its time, and the rates of its work, or why there is none.
void addModeled(Sweep& sweep, const SweepTask& task, const Run& run, const Expected<TimedRun>& timed);

// Whether one of its points has a modeled time.
bool hasModeled(const Sweep& sweep);

}  // namespace lockstep::run
