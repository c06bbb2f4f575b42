// Which lanes of a warp a step's path holds, and where the warp diverges.
#pragma once

#include "base/lane_mask.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <optional>

namespace lockstep::explain {

// Does the warp's branch at this step go two ways? Taken: the lanes that jump.
struct Divergence {
    LaneMask taken, path;
};
std::optional<Divergence> divergenceAt(const ptx::Module& module, const trace::WarpTrace& warp, u32 step);
// Lanes of the path that a step is on: its own where it has no guard, else with those that the guard keeps
// from it.
LaneMask pathAt(const ptx::Module& module, const trace::WarpTrace& warp, u32 step);
// The lanes that are on this step's path, those whose guard is false included, as far as the neighboring
// steps of the same straight run show it.
std::optional<LaneMask> pathMask(const ptx::Module& module, const trace::WarpTrace& warp, u32 step);

}  // namespace lockstep::explain
