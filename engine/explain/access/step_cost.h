// What the access of a step costs, beside the least that its lanes' data could cost: wavefronts of shared
// memory, of global memory sectors, or transactions where the device counts those.
#pragma once

#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lockstep::explain {

struct StepCost {
    u16 cost = 0;   // none: the step accesses neither, or no lane is active
    u16 least = 0;  // with each lane's data in banks of its own; with all data side by side and aligned
    bool exceeds() const { return cost > least; }
    bool operator==(const StepCost&) const = default;
};
StepCost stepCost(const trace::WarpAccess& access, const ptx::Module& module, const model::Profile& profile);

// Of the steps of a block, each worked out when it is first asked for. Block and module must live as long.
class StepCosts {
public:
    StepCosts(const trace::FocusBlock& block, const model::Profile& profile, const ptx::Module& module)
        : block_(&block), profile_(profile), module_(&module), known_(block.warps.size()) {}

    StepCost of(Warp warp, u32 step);

private:
    const trace::FocusBlock* block_;
    model::Profile profile_;
    const ptx::Module* module_;
    std::vector<std::vector<StepCost>> known_;  // by access of a warp; none of what was not asked for yet
};

}  // namespace lockstep::explain
