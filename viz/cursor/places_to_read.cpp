#include "viz/cursor/places_to_read.h"

#include "explain/access/shared_cost.h"
#include "explain/cursor/navigation.h"
#include "explain/findings/finding_places.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/sentences/finding_groups.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace lockstep::viz {
namespace {

using trace::AccessKind, trace::FocusBlock, trace::Space, trace::StoredAccess, trace::WarpTrace;

Cursor cursorAt(const FocusBlock& block, u32 warp, u32 step) {
    const LaneMask active = block.warps[warp].steps[step].active;
    return {.launch = block.launch,
            .block = block.block,
            .warp = Warp{warp},
            .lane = Lane{active.empty() ? 0 : u32(std::countr_zero(active.bits))},
            .step = step};
}

// The first step of the first warp that has one of which this is true.
template <class Is> std::optional<Cursor> firstIn(const FocusBlock& block, Is is) {
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s)
            if (is(block.warps[w], s)) return cursorAt(block, w, s);
    return std::nullopt;
}

std::optional<Cursor> firstAccess(const FocusBlock& block, std::optional<AccessKind> kind, Space space) {
    return firstIn(block, [&](const WarpTrace& warp, u32 step) {
        const StoredAccess* access = explain::accessOf(warp, step);
        return access && access->space == space && !access->active.empty() &&
               (!kind || access->kind == *kind);
    });
}

std::optional<Cursor> worstConflict(const run::Run& run, const FocusBlock& block) {
    std::optional<Cursor> worst;
    u32 most = 0;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s) {
            const StoredAccess* access = explain::accessOf(block.warps[w], s);
            if (!access || access->space != Space::Shared || access->active.empty()) continue;
            const explain::SharedCost cost =
                explain::sharedCost(block.warps[w].unpack(*access), *run.module, run.profile);
            if (const u32 lost = cost.wavefronts - cost.ideal; lost > most)
                most = lost, worst = cursorAt(block, w, s);
        }
    return worst;
}

class Places {
public:
    void add(std::string name, const std::optional<Cursor>& cursor) {
        if (!cursor) return;
        const bool isKnown = std::ranges::find(places_, *cursor, &PlaceToRead::cursor) != places_.end();
        if (!isKnown) places_.push_back({std::move(name), *cursor});
    }
    std::vector<PlaceToRead> take() && { return std::move(places_); }

private:
    std::vector<PlaceToRead> places_;
};

}  // namespace

std::vector<PlaceToRead> placesToRead(const run::Run& run) {
    const std::vector<FocusBlock>& blocks = run.recording.trace.blocks;
    if (blocks.empty()) return {};
    Places places;
    const Cursor opening = explain::clamped(run, initialCursor(run));
    const CursorContext here = lookUp(run, opening);
    places.add("opening", opening);
    for (u32 phase = 0; here.warp && phase <= here.warp->barrierSteps.size(); ++phase)
        places.add(fmt::format("phase {}", phase), explain::startOfPhase(run, opening, phase));
    explain::FindingPlaces finder(run);
    u32 number = 0;
    for (const explain::FindingGroup& group : explain::groupFindings(run.recording.findings, *run.module))
        places.add(fmt::format("finding {}", ++number), finder.of(group.first()));
    const FocusBlock& opened = here.block ? *here.block : blocks.front();
    places.add("first divergence", firstIn(opened, [&](const WarpTrace& warp, u32 step) {
                   return explain::divergenceAt(*run.module, warp, step).has_value();
               }));
    places.add("worst bank conflict", worstConflict(run, opened));
    const FocusBlock& first = blocks.front();
    places.add("first load", firstAccess(first, AccessKind::Load, Space::Global));
    places.add("first store", firstAccess(first, AccessKind::Store, Space::Global));
    places.add("first shared access", firstAccess(first, std::nullopt, Space::Shared));
    places.add("last step", explain::toEnd(run, opening));
    return std::move(places).take();
}

}  // namespace lockstep::viz
