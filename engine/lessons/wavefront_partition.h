// Whether lanes have been put into wavefronts as the bank rule allows, in as few as possible. Many partitions
// are right: any that obeys the rule with the least number.
#pragma once

#include "base/expected.h"
#include "model/profiles/profile.h"
#include "trace/access.h"

#include <vector>

namespace lockstep::lessons {

// In a wavefront each bank delivers one word, to lanes of one group. Empty: it is right; else why not.
Message partitionFault(const trace::WarpAccess& access, const model::Profile& profile,
                       const std::vector<LaneMask>& wavefronts);

// A right one, lane by lane into the first wavefront that has room. Fault: a device with other rules (cc 1.x
// to 3.x).
Expected<std::vector<LaneMask>> leastPartition(const trace::WarpAccess& access,
                                               const model::Profile& profile);

}  // namespace lockstep::lessons
