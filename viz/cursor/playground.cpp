#include "viz/cursor/playground.h"

#include "base/device_addresses.h"
#include "viz/cursor/lookup.h"

namespace lockstep::viz {

std::optional<model::AccessPattern> patternAt(const run::Run& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.access || here.access->active.empty()) return std::nullopt;
    if (here.access->space != trace::Space::Global && here.access->space != trace::Space::Shared)
        return std::nullopt;
    const trace::WarpAccess access = here.warp->unpack(*here.access);
    if (access.space == trace::Space::Shared) return model::patternOf(access, 0);
    const auto buffer = bufferOfAddress(access.addresses[access.active.lowest().value]);
    return buffer ? model::patternOf(access, deviceAddressOf(*buffer)) : std::nullopt;
}

}  // namespace lockstep::viz
