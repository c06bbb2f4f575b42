// Reads the hardware's counters of a job's launches.
#pragma once

#include "cuda/helper_kernels.h"
#include "cuda/worker/execute.h"
#include "cuda/worker/prepared_job.h"

namespace lockstep::cuda {

// The metrics of every launch, all of an execution that begins with the initial contents and a cold
// second-level cache: as often as it takes to read them all, and that `readings` times, at least once. Where
// the system does not permit it, a Fault says how an administrator allows it.
Expected<std::vector<Counters>> countJob(const Context& context, const std::vector<std::string>& metrics,
                                         u32 readings, PreparedJob& prepared, HelperKernels& helpers,
                                         const Report& report);

// Is there a CUPTI, and does the system permit counters on this device?
CounterSupport counterSupport(const Context& context);

}  // namespace lockstep::cuda
