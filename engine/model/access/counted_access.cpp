#include "model/access/counted_access.h"

namespace lockstep::model {

trace::WarpAccess accessOf(const trace::SiteCounts& site, const trace::Pattern& pattern) {
    constexpr u64 kFarFromZero = u64{1} << 44;  // distances may be negative
    trace::WarpAccess access{.pc = site.pc,
                             .active = pattern.active,
                             .space = site.space,
                             .kind = site.kind,
                             .widthBytes = site.widthBytes};
    for (Lane lane : pattern.active)
        access.addresses[lane.value] =
            kFarFromZero + pattern.baseMod256 + u64(pattern.deltaBytes[lane.value]);
    return access;
}

}  // namespace lockstep::model
