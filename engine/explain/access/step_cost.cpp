// Asks the model of global and of shared memory.
#include "explain/access/step_cost.h"

#include "explain/access/shared_cost.h"
#include "model/access/global_sectors.h"

namespace lockstep::explain {

StepCost stepCost(const trace::WarpAccess& access, const ptx::Module& module, const model::Profile& profile) {
    if (access.active.empty()) return {};
    if (access.space == trace::Space::Global)
        return {u16(model::globalItems(access, profile)), u16(model::leastGlobalItems(access, profile))};
    if (access.space != trace::Space::Shared) return {};
    const SharedCost cost = sharedCost(access, module, profile);
    return {u16(cost.wavefronts), u16(cost.ideal)};
}

StepCost StepCosts::of(Warp warp, u32 step) {
    const trace::WarpTrace& trace = block_->warps[warp.value];
    const u32 access = trace.steps[step].access;
    if (access == trace::Step::kNone) return {};
    std::vector<StepCost>& known = known_[warp.value];
    if (known.empty()) known.resize(trace.accesses.size());
    if (known[access] == StepCost{})
        known[access] = stepCost(trace.unpack(trace.accesses[access]), *module_, profile_);
    return known[access];
}

}  // namespace lockstep::explain
