// The occupancy of a launch, whenever what is known of its compiled kernel changes: a report is made before a
// recording or machine code says how many registers a thread has.
#pragma once

#include "base/buffer.h"
#include "model/occupancy/occupancy.h"
#include "ptx/module.h"

#include <optional>

namespace lockstep::model {

// registersPerThread: of the kernel's code on `profile`'s device; unknown: the answer is an upper bound.
Occupancy occupancyOf(const ptx::Module& module, const Launch& launch, const Profile& profile,
                      std::optional<u32> registersPerThread);

}  // namespace lockstep::model
