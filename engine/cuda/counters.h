// Reads the hardware's counters of a job's launches.
#pragma once

#include "cuda/helper_kernels.h"
#include "cuda/worker/execute.h"
#include "cuda/worker/prepared_job.h"

namespace lockstep::cuda {

// The metrics of every launch. Each execution begins with the initial contents and a cold L2; there are as
// many as needed to read all metrics, `readings` times, at least once. If the system does not permit it, a
// Fault says how an administrator can.
Expected<std::vector<Counters>> countJob(const Context& context, const std::vector<std::string>& metrics,
                                         u32 readings, PreparedJob& prepared, HelperKernels& helpers,
                                         const Report& report);

// Is CUPTI available, and does the system permit counters on this device?
CounterSupport counterSupport(const Context& context);

}  // namespace lockstep::cuda
