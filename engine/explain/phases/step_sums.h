// What a stretch of steps costs: instructions, lanes, sectors, wavefronts.
#pragma once

#include "explain/phases/step_span.h"
#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lockstep::explain {

struct StepSums {
    u64 instructions = 0;
    u64 lanes = 0, lanesAtMost = 0;           // that executed them; that there are, an instruction at a time
    u64 globalRequests = 0, globalItems = 0;  // items: sectors, or transactions where the device counts those
    u64 sharedRequests = 0, wavefronts = 0;
    StepSums& operator+=(const StepSums& other);
    StepSums operator-(const StepSums& other) const;
    bool operator==(const StepSums&) const = default;
};

// Sums over any stretch of a block's warps, at once even where a warp has a million steps: a warp is gone
// through when it is first asked for, and what it came to is noted every so many steps. Block and module must
// live as long.
class StepSummer {
public:
    StepSummer(const trace::FocusBlock& block, const model::Profile& profile, const ptx::Module& module)
        : block_(&block), profile_(profile), module_(&module), noted_(block.warps.size()) {}

    StepSums of(Warp warp, StepSpan steps);
    const trace::FocusBlock& block() const { return *block_; }
    const model::Profile& profile() const { return profile_; }

private:
    const std::vector<StepSums>& notesOf(Warp warp);
    StepSums upTo(Warp warp, u32 step);
    StepSums ofStep(Warp warp, u32 step) const;

    const trace::FocusBlock* block_;
    model::Profile profile_;
    const ptx::Module* module_;
    std::vector<std::vector<StepSums>> noted_;  // a warp's, from its beginning to every kEvery-th step
};

}  // namespace lockstep::explain
