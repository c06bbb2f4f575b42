// Looks things up in a run.
#include "viz/cursor/lookup.h"

#include "explain/sentences/words.h"

#include <algorithm>

namespace lockstep::viz {

CursorContext lookUp(const run::Run& run, const Cursor& cursor) {
    CursorContext here;
    here.block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!here.block || cursor.warp.value >= here.block->warps.size()) return here;
    here.warp = &here.block->warps[cursor.warp.value];
    if (cursor.step >= here.warp->steps.size()) return here;
    here.step = &here.warp->steps[cursor.step];
    if (here.step->access != trace::Step::kNone) here.access = &here.warp->accesses[here.step->access];
    return here;
}

u32 stepsOfWarp(const run::Run& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    return here.warp ? u32(here.warp->steps.size()) : 0;
}

const Launch& launchOf(const run::Run& run, LaunchId launch) {
    static const Launch kNone{};
    return launch.value < run.recording.launches.size() ? run.recording.launches[launch.value] : kNone;
}

std::string lineOrSide(std::string_view line, bool writes, bool fits) {
    constexpr std::string_view kAssigns = " = ";
    std::size_t at = fits ? std::string_view::npos : line.find(kAssigns);
    std::size_t size = kAssigns.size();
    for (const std::string_view compound : {" += ", " -= ", " *= "})
        if (const std::size_t found = fits ? std::string_view::npos : line.find(compound); found < at)
            at = found, size = compound.size();
    if (at == std::string_view::npos) return std::string(line);
    return writes ? std::string(line.substr(0, at + size)) + "…" : "…" + std::string(line.substr(at));
}

std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string coordinates(Dim3 at, Dim3 extents) { return explain::coordinates(at, extents); }

std::string shortCoordinates(Dim3 at, Dim3 extents) { return explain::shortCoordinates(at, extents); }

std::vector<AccessAt> accessesOfLine(const run::Run& run, const trace::FocusBlock& block,
                                     explain::SourceLine line, trace::Space space) {
    std::vector<AccessAt> found;
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            if (access.space == space && explain::lineOf(*run.module, access.pc) == line)
                found.push_back({Warp{w}, s, &access});
        }
    }
    return found;
}

ptx::Type elementType(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return ptx::Type::None;
    return module.at(pc).types[0];
}

}  // namespace lockstep::viz
