#include "model/access/access_cost.h"

#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"

namespace lockstep::model {

trace::AccessCost accessCost(const trace::WarpAccess& access, const Profile& profile) {
    if (access.space == trace::Space::Global) return {.sectors = globalItems(access, profile)};
    if (access.space != trace::Space::Shared || access.kind == trace::AccessKind::AsyncCopy) return {};
    return {.wavefronts = sharedWavefronts(access, profile),
            .idealWavefronts = idealWavefronts(access, profile)};
}

}  // namespace lockstep::model
