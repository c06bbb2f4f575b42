#include "explain/inactive_lanes/paths.h"

#include "explain/branches.h"

namespace lockstep::explain {

LaneMask pathAt(const ptx::Module& module, const trace::WarpTrace& warp, u32 step) {
    const auto isGuarded = [&](u32 s) {
        const Pc pc = warp.steps[s].pc;
        return pc.value >= module.instructions.size() || module.at(pc).guard.present;
    };
    LaneMask path;
    for (u32 s = step; s < warp.steps.size(); ++s) {
        path = path | warp.steps[s].active;
        if (!isGuarded(s)) return path;
        if (s + 1 < warp.steps.size() && warp.steps[s + 1].pc.value != warp.steps[s].pc.value + 1) break;
    }
    // Those that went on are not next: all have jumped, or a GPU issued the other side first.
    for (u32 s = step; s > 0 && warp.steps[s - 1].pc.value + 1 == warp.steps[s].pc.value; --s)
        if (!isGuarded(s - 1)) return path | warp.steps[s - 1].active;
    return path;
}

std::optional<Divergence> divergenceAt(const ptx::Module& module, const trace::WarpTrace& warp, u32 step) {
    const Pc pc = warp.steps[step].pc;
    if (!isConditionalBranch(module, pc)) return std::nullopt;
    const LaneMask taken = warp.steps[step].active, path = pathAt(module, warp, step);
    if (taken.empty() || (taken & path) == path) return std::nullopt;
    return Divergence{taken, path};
}

std::optional<LaneMask> pathMask(const ptx::Module& module, const trace::WarpTrace& warp, u32 step) {
    const Pc pc = warp.steps[step].pc;
    const auto unguarded = [&](u32 at) { return !module.at(warp.steps[at].pc).guard.present; };
    if (unguarded(step)) return warp.steps[step].active;
    const ptx::Function& function = module.functions[module.functionOf(pc).value];
    const ptx::BasicBlock& block = function.blocks[function.blockOf(pc)];
    // A straight run is executed without a change of lanes: its unguarded instructions show them.
    for (u32 back = 1; back <= step && pc.value - back + 1 > block.first.value; ++back) {
        if (warp.steps[step - back].pc.value != pc.value - back) break;
        if (unguarded(step - back)) return warp.steps[step - back].active;
    }
    for (u32 on = 1; step + on < warp.steps.size() && pc.value + on < block.end.value; ++on) {
        if (warp.steps[step + on].pc.value != pc.value + on) break;
        if (unguarded(step + on)) return warp.steps[step + on].active;
    }
    return std::nullopt;
}

}  // namespace lockstep::explain
