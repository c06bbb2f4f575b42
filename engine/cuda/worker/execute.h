// Does one Job on an open device and reports as it goes.
#pragma once

#include "cuda/gpu.h"
#include "cuda/worker/messages.h"

#include <functional>

namespace lockstep::cuda {

using Report = std::function<void(WorkerMessage)>;

// Reports Stages, the Outcome, and Timing and Counted as far as the job asks for them. Counters that are
// refused are no Fault of the job: Counted says why.
Expected<void> execute(const Context& context, const Job& job, const Report& report);

}  // namespace lockstep::cuda
