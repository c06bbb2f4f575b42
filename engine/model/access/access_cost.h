// What one access costs on a device: the counts that trace accumulates for accesses whose patterns it does
// not keep.
#pragma once

#include "model/profiles/profile.h"
#include "trace/pattern_counter.h"

namespace lockstep::model {

// Pure; for trace::PatternTable. `sectors` holds transactions on devices that count those.
trace::AccessCost accessCost(const trace::WarpAccess& access, const Profile& profile);

}  // namespace lockstep::model
