// What one access costs on a device, in the numbers that trace sums up where it keeps no patterns.
#pragma once

#include "model/profiles/profile.h"
#include "trace/pattern_counter.h"

namespace lockstep::model {

// Pure; for trace::PatternTable. Sectors are transactions where the device counts those.
trace::AccessCost accessCost(const trace::WarpAccess& access, const Profile& profile);

}  // namespace lockstep::model
