// Names bands.
#include "viz/phases.h"

#include "viz/messages.h"

namespace lockstep::viz {
namespace {

using namespace message;

struct Touches { bool globalLoad = false, globalStore = false, sharedLoad = false, sharedStore = false; };

Touches touches(const trace::WarpTrace& warp, u32 first, u32 end) {
    Touches t;
    for (u32 s = first; s < end; ++s) {
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        const bool shared = access.space == trace::Space::Shared;
        if (!shared && access.space != trace::Space::Global) continue;
        (trace::writes(access.kind) ? (shared ? t.sharedStore : t.globalStore) : (shared ? t.sharedLoad : t.globalLoad)) = true;
    }
    return t;
}

u32 firstAccess(const trace::WarpTrace& warp, u32 end) {
    for (u32 s = 0; s < end; ++s)
        if (warp.steps[s].access != trace::Step::kNone && warp.accesses[warp.steps[s].access].space <= trace::Space::Shared) return s;
    return 0;
}

}  // namespace

std::vector<Band> bandsOf(const run::Run& run, const trace::FocusBlock& block, Warp warpId, Language language) {
    std::vector<Band> bands;
    if (warpId.value >= block.warps.size()) return bands;
    const trace::WarpTrace& warp = block.warps[warpId.value];
    const bool matmul = run.catalog && run.catalog->family && run.catalog->family->stage == "matmul";
    const u32 steps = u32(warp.steps.size()), barriers = u32(warp.barrierSteps.size());
    if (barriers == 0 && steps > 0) return {{0, steps, say(language, kBandWhole), {}}};
    u32 first = 0, tiles = 0;
    if (barriers > 0)  // address arithmetic before anything is touched
        if (const u32 begin = firstAccess(warp, warp.barrierSteps[0]); begin > 4) {
            bands.push_back({0, begin, say(language, kBandSetUp), {}});
            first = begin;
        }
    for (u32 phase = 0; phase <= barriers; ++phase) {
        const u32 end = phase < barriers ? warp.barrierSteps[phase] + 1 : steps;
        if (end <= first) continue;
        const Touches t = touches(warp, first, end);
        const bool loadsOnly = t.globalLoad || (t.sharedStore && !t.sharedLoad), works = t.sharedLoad;
        if (matmul && loadsOnly && !works && t.sharedStore) ++tiles;
        std::string name;
        if (t.globalLoad && works) name = say(language, matmul ? kBandLoadAndMultiply : kBandLoadAndWork, phase);
        else if (loadsOnly) name = matmul && t.sharedStore ? say(language, kBandLoadTile, phase, tiles) : say(language, kBandLoad, phase);
        else if (works && matmul) name = tiles ? say(language, kBandMultiplyTile, phase, tiles) : say(language, kBandMultiply, phase);
        else if (works) name = say(language, kBandWork, phase);
        else if (t.globalStore) name = say(language, kBandStore);
        else name = say(language, kPhase, phase);
        if (matmul && t.globalLoad && t.sharedStore && works) ++tiles;  // what it loads is multiplied behind it
        const bool isStore = !loadsOnly && !works && t.globalStore;
        bands.push_back({first, end, name, isStore ? std::string() : std::to_string(phase)});
        first = end;
    }
    return bands;
}

}  // namespace lockstep::viz
