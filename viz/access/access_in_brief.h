// What an access is, in few words.
#pragma once

#include "trace/access.h"
#include "viz/view.h"

#include <string>

namespace lockstep::viz {

// "global store · 4 bytes per lane · 16 idle lanes": accessText() of phrases.h with how many lanes are
// inactive instead of which.
std::string accessTextInBrief(const ViewInput& in, const trace::WarpAccess& access, u32 exist);

}  // namespace lockstep::viz
