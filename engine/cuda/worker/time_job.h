// Times a prepared job: its kernels with events, its copies with the host's clock.
#pragma once

#include "cuda/helper_kernels.h"
#include "cuda/worker/execute.h"
#include "cuda/worker/prepared_job.h"

namespace lockstep::cuda {

// Ends with the initial contents restored.
Expected<Timing> timeJob(const Context& context, const Job& job, PreparedJob& prepared,
                         HelperKernels& helpers, const Report& report);

}  // namespace lockstep::cuda
