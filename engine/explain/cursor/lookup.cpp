// Looks things up in a run.
#include "explain/cursor/lookup.h"

#include <algorithm>

namespace lockstep::explain {

CursorContext lookUp(const Recorded& run, const Cursor& cursor) {
    CursorContext here;
    here.block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!here.block || cursor.warp.value >= here.block->warps.size()) return here;
    here.warp = &here.block->warps[cursor.warp.value];
    if (cursor.step >= here.warp->steps.size()) return here;
    here.step = &here.warp->steps[cursor.step];
    if (here.step->access != trace::Step::kNone) here.access = &here.warp->accesses[here.step->access];
    return here;
}

u32 stepsOfWarp(const Recorded& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    return here.warp ? u32(here.warp->steps.size()) : 0;
}

const Launch& launchOf(const Recorded& run, LaunchId launch) {
    static const Launch kNone{};
    return launch.value < run.recording.launches.size() ? run.recording.launches[launch.value] : kNone;
}

std::vector<AccessAt> accessesOfLine(const Recorded& run, const trace::FocusBlock& block, SourceLine line,
                                     trace::Space space) {
    std::vector<AccessAt> found;
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            if (access.space == space && !access.active.empty() && lineOf(*run.module, access.pc) == line)
                found.push_back({Warp{w}, s, &access});
        }
    }
    return found;
}

ptx::Type elementType(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return ptx::Type::None;
    return module.at(pc).types[0];
}

}  // namespace lockstep::explain
