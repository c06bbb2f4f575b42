// Executes one Job on an open device and reports its progress.
#pragma once

#include "cuda/gpu.h"
#include "cuda/worker/messages.h"

#include <functional>

namespace lockstep::cuda {

using Report = std::function<void(WorkerMessage)>;

// Reports Stages, the Outcome, and Timing and Counted if the job asks for them. If counters are not
// permitted, the job does not fail: Counted says why.
Expected<void> execute(const Context& context, const Job& job, const Report& report);

}  // namespace lockstep::cuda
