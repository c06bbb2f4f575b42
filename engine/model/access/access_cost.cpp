#include "model/access/access_cost.h"

#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"
#include "model/access/warp_aggregation.h"

namespace lockstep::model {

using trace::AccessKind, trace::Space;

AccessCosting::AccessCosting(const ptx::Module& module, const Profile& profile)
    : profile_(profile), atomics_(module.instructions.size()) {
    constexpr u32 kFirstWithWarpReductions =
        8;  // CUDA C++ Programming Guide, "Warp Reduce Functions": cc 8.x or higher
    for (const ptx::Function& function : module.functions) {
        if (function.isDeclaration) continue;
        std::vector<bool> aggregated;
        if (profile.major >= kFirstWithWarpReductions) aggregated = warpAggregatedAtomics(module, function);
        for (u32 pc = function.first.value; pc < function.end.value; ++pc)
            atomics_[pc].isAggregated = !aggregated.empty() && aggregated[pc];
    }
    for (u32 pc = 0; pc < atomics_.size(); ++pc) {
        const ptx::Instruction& instruction = module.instructions[pc];
        if (instruction.modifiers.atomic == ptx::AtomicOp::None) continue;
        const auto formOf = [&](AccessKind kind) {
            return sharedAtomicForm(instruction, module.operandsOf(instruction), kind);
        };
        atomics_[pc].isAtomic = true;
        atomics_[pc].form = formOf(AccessKind::Atomic);
        atomics_[pc].formUnused = formOf(AccessKind::Reduction);
    }
}

trace::AccessCost AccessCosting::cost(const trace::WarpAccess& asWritten) const {
    if (asWritten.active.empty()) return {};
    const Atomic atomic = asWritten.pc.value < atomics_.size() ? atomics_[asWritten.pc.value] : Atomic{};
    if (atomic.isAggregated) return costAsRun(byOneLane(asWritten), atomic);
    return costAsRun(asWritten, atomic);
}

trace::AccessCost AccessCosting::costAsRun(const trace::WarpAccess& access, const Atomic& atomic) const {
    if (access.space == Space::Global)
        return {.requests = globalRequests(access, profile_), .sectors = globalItems(access, profile_)};
    if (access.space != Space::Shared || access.kind == AccessKind::AsyncCopy) return {};
    if (!isAtomic(access.kind) || !atomic.isAtomic)
        return {.wavefronts = sharedWavefronts(access, profile_),
                .idealWavefronts = idealWavefronts(access, profile_)};
    const SharedAtomicForm form = access.kind == AccessKind::Reduction ? atomic.formUnused : atomic.form;
    const SharedAtomicCost cost = sharedAtomicCost(access, form, profile_);
    return {.wavefronts = cost.atomicWavefronts,
            .idealWavefronts = cost.idealAtomicWavefronts,
            .loopLoads = cost.loadWavefronts,
            .idealLoopLoads = cost.idealLoadWavefronts};
}

}  // namespace lockstep::model
