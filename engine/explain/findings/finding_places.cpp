#include "explain/findings/finding_places.h"

#include "explain/cursor/lookup.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using trace::WarpTrace;

// The lane's access of the step reaches the bytes that the finding is about.
bool reaches(const WarpTrace& warp, const trace::Step& step, Lane lane, const trace::Finding& finding) {
    if (step.access == trace::Step::kNone || finding.widthBytes == 0) return false;
    const trace::StoredAccess& access = warp.accesses[step.access];
    const u64 address = warp.address(access, lane);
    return access.space == finding.space && address < finding.address + finding.widthBytes &&
           finding.address < address + access.widthBytes;
}

}  // namespace

const std::vector<u32>& FindingPlaces::stepsOf(const WarpTrace& warp, Pc pc) {
    const auto [found, isNew] = steps_.try_emplace({&warp, pc.value});
    if (isNew)
        for (u32 s = 0; s < warp.steps.size(); ++s)
            if (warp.steps[s].pc == pc) found->second.push_back(s);
    return found->second;
}

std::optional<Cursor> FindingPlaces::threadOf(const trace::Finding& finding,
                                              const trace::Culprit& culprit) const {
    const trace::FocusBlock* block = run_.recording.trace.find(finding.launch, culprit.block);
    if (!block || culprit.pc == kNoPc) return std::nullopt;
    const u64 thread = linearOf(culprit.thread, launchOf(run_, finding.launch).block);
    const Cursor cursor{.launch = finding.launch,
                        .block = culprit.block,
                        .warp = Warp{u32(thread / kWarpSize)},
                        .lane = Lane{u32(thread % kWarpSize)},
                        .step = 0};
    return cursor.warp.value < block->warps.size() ? std::optional(cursor) : std::nullopt;
}

// Steps at which the thread reached the bytes; of what is about no address, or one that was not recorded,
// those at which it was there.
std::vector<u32> FindingPlaces::reaching(const trace::Finding& finding, const Cursor& thread, Pc pc) {
    const WarpTrace& warp = *lookUp(run_, thread).warp;
    std::vector<u32> there;
    std::ranges::copy_if(stepsOf(warp, pc), std::back_inserter(there),
                         [&](u32 s) { return warp.steps[s].active.has(thread.lane); });
    std::vector<u32> reached;
    std::ranges::copy_if(there, std::back_inserter(reached),
                         [&](u32 s) { return reaches(warp, warp.steps[s], thread.lane, finding); });
    return reached.empty() ? there : reached;
}

std::optional<Cursor> FindingPlaces::of(const trace::Finding& finding, const trace::Culprit& culprit) {
    std::optional<Cursor> place = threadOf(finding, culprit);
    if (!place) return std::nullopt;
    const std::vector<u32> steps = reaching(finding, *place, culprit.pc);
    if (steps.empty()) return std::nullopt;
    place->step = steps.front();
    if (!finding.other) return place;
    const trace::Culprit& counterpart = culprit == finding.who ? *finding.other : finding.who;
    const std::optional<Cursor> other =
        counterpart.block == culprit.block ? threadOf(finding, counterpart) : std::nullopt;
    if (!other) return place;
    const WarpTrace &own = *lookUp(run_, *place).warp, &others = *lookUp(run_, *other).warp;
    const std::vector<u32> otherSteps = reaching(finding, *other, counterpart.pc);
    const auto meets = [&](u32 step) {
        return std::ranges::any_of(otherSteps, [&](u32 s) { return others.phaseOf(s) == own.phaseOf(step); });
    };
    if (const auto meeting = std::ranges::find_if(steps, meets); meeting != steps.end())
        place->step = *meeting;
    return place;
}

std::optional<Cursor> cursorOf(const Recorded& run, const trace::Finding& finding,
                               const trace::Culprit& culprit) {
    return FindingPlaces(run).of(finding, culprit);
}
std::optional<Cursor> cursorOf(const Recorded& run, const trace::Finding& finding) {
    return cursorOf(run, finding, finding.who);
}

}  // namespace lockstep::explain
