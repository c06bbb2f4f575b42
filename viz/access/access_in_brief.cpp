#include "viz/access/access_in_brief.h"

#include "viz/messages.h"
#include "viz/phrases.h"

namespace lockstep::viz {
namespace {

constexpr Words kInactiveLanesCount = english(" · {0} inactive");

}  // namespace

std::string accessTextInBrief(const ViewInput& in, const trace::WarpAccess& access, u32 exist) {
    const LaneMask off = LaneMask::firstLanes(exist) & ~access.active;
    trace::WarpAccess whole = access;
    whole.active = LaneMask::firstLanes(exist);
    return accessText(in, whole, exist) +
           (off.empty() ? "" : say(in.language, kInactiveLanesCount, off.count()));
}

}  // namespace lockstep::viz
