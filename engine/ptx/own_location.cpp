#include "ptx/own_location.h"

namespace lockstep::ptx {

u32 outermostLocation(const Module& module, u32 at) {
    for (std::size_t steps = 0; module.locations[at].inlinedAt && steps < module.locations.size(); ++steps)
        at = module.locations[at].inlinedAt;
    return at;
}

const Location& ownLocation(const Module& module, Pc pc) {
    u32 at = module.at(pc).location;
    const u32 outermost = outermostLocation(module, at), file = module.locations[outermost].file;
    while (at != outermost && (module.locations[at].file != file || module.locations[at].line == 0))
        at = module.locations[at].inlinedAt;
    return module.locations[at];
}

}  // namespace lockstep::ptx
