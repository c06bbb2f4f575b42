// The occupancy of a launch, recomputed when more is known of its compiled kernel: a report is made before a
// recording or machine code gives the registers per thread.
#pragma once

#include "base/buffer.h"
#include "model/occupancy/occupancy.h"
#include "ptx/module.h"

#include <optional>

namespace lockstep::model {

// registersPerThread: of the kernel's code on `profile`'s device; unknown: the result is an upper bound.
Occupancy occupancyOf(const ptx::Module& module, const Launch& launch, const Profile& profile,
                      std::optional<u32> registersPerThread);

}  // namespace lockstep::model
