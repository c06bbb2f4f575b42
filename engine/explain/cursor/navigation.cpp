// Finds steps in a run.
#include "explain/cursor/navigation.h"

#include "explain/access/shared_cost.h"
#include "explain/cursor/lookup.h"
#include "explain/findings/finding_places.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/phases/phases.h"
#include "explain/sentences/finding_groups.h"

#include <algorithm>
#include <functional>

namespace lockstep::explain {
namespace {

using trace::Space, trace::StoredAccess, trace::WarpTrace;

// Whether a stride that looks for something stops at a step.
std::function<bool(u32)> stopsAt(const Recorded& run, const model::Profile& profile, const WarpTrace& warp,
                                 u32 from, Stride stride) {
    const SourceLine line = lineOf(*run.module, warp.steps[from].pc);
    switch (stride) {
        case Stride::Line:
            return [&run, &warp, line](u32 s) {
                const SourceLine at = lineOf(*run.module, warp.steps[s].pc);
                return at.line != 0 && at != line;
            };
        case Stride::SameLine:
            return [&run, &warp, line](u32 s) {
                return accessOf(warp, s) && lineOf(*run.module, warp.steps[s].pc) == line;
            };
        case Stride::Divergence:
            return [&run, &warp](u32 s) { return divergenceAt(*run.module, warp, s).has_value(); };
        case Stride::Event:
            return [&run, &warp](u32 s) {
                return accessOf(warp, s) || std::ranges::binary_search(warp.barrierSteps, s) ||
                       divergenceAt(*run.module, warp, s).has_value();
            };
        case Stride::Conflict:
            return [&run, &profile, &warp](u32 s) { return isConflict(run, profile, warp, s); };
        default: return [](u32) { return true; };
    }
}

Cursor atStep(Cursor cursor, u32 step) {
    cursor.step = step;
    return cursor;
}

// Where problems and remarks lead, in their order: of each the places of its threads, the first of which no
// other one begins at.
std::vector<std::vector<Cursor>> placesOfProblems(const Recorded& run) {
    std::vector<std::vector<Cursor>> problems;
    FindingPlaces finder(run);
    for (const FindingGroup& group : groupFindings(run.recording.findings, *run.module)) {
        std::vector<Cursor> places;
        for (const trace::Finding* finding : group.findings)
            if (const auto place = finder.of(*finding)) places.push_back(*place);
        const auto beginsThere = [&](const std::vector<Cursor>& other) {
            return other.front() == places.front();
        };
        if (!places.empty() && std::ranges::none_of(problems, beginsThere))
            problems.push_back(std::move(places));
    }
    return problems;
}

std::optional<Cursor> otherProblem(const Recorded& run, const Cursor& cursor, int by) {
    const std::vector<std::vector<Cursor>> problems = placesOfProblems(run);
    if (problems.empty()) return std::nullopt;
    // The one that begins here, else one of whose threads this is.
    auto here = std::ranges::find(problems, cursor, [](const auto& places) { return places.front(); });
    if (here == problems.end())
        here = std::ranges::find_if(problems, [&](const std::vector<Cursor>& places) {
            return std::ranges::find(places, cursor) != places.end();
        });
    if (here == problems.end()) return by > 0 ? problems.front().front() : problems.back().front();
    const auto at = here - problems.begin() + by;
    return at < 0 || at >= std::ptrdiff_t(problems.size()) ? std::nullopt
                                                           : std::optional(problems[std::size_t(at)].front());
}

// The step of `to` at the moment that `from` shows.
u32 sameMoment(const WarpTrace& from, u32 step, const WarpTrace& to) {
    if (to.steps.empty() || step >= from.steps.size()) return 0;
    const u32 phase = from.phaseOf(step);
    const Pc pc = from.steps[step].pc;
    // The same instruction in the same phase, met equally often.
    u32 before = 0;
    for (u32 s = 0; s < step; ++s)
        before += from.steps[s].pc == pc && from.phaseOf(s) == phase;
    std::optional<u32> last;
    for (u32 s = 0; s < to.steps.size(); ++s)
        if (to.steps[s].pc == pc && to.phaseOf(s) == phase) {
            last = s;
            if (before-- == 0) return s;
        }
    if (last) return *last;
    return std::min(step, u32(to.steps.size()) - 1);
}

}  // namespace

bool isConflict(const Recorded& run, const model::Profile& profile, const WarpTrace& warp, u32 step) {
    const StoredAccess* access = accessOf(warp, step);
    if (!access || access->space != Space::Shared || access->active.empty()) return false;
    const SharedCost cost = sharedCost(warp.unpack(*access), *run.module, profile);
    return cost.wavefronts > cost.ideal;
}

std::optional<Cursor> forward(const Recorded& run, const model::Profile& profile, const Cursor& cursor,
                              Stride stride) {
    if (stride == Stride::Finding) return otherProblem(run, cursor, 1);
    const CursorContext here = lookUp(run, cursor);
    if (!here.step) return std::nullopt;
    if (stride == Stride::Phase) {
        const u32 phase = here.warp->phaseOf(cursor.step), setUp = stepsOfSetUp(*here.warp);
        if (cursor.step < setUp) return atStep(cursor, setUp);
        if (phase >= here.warp->barrierSteps.size() ||
            here.warp->barrierSteps[phase] + 1 >= here.warp->steps.size())
            return std::nullopt;
        return atStep(cursor, here.warp->barrierSteps[phase] + 1);
    }
    const auto stops = stopsAt(run, profile, *here.warp, cursor.step, stride);
    for (u32 s = cursor.step + 1; s < here.warp->steps.size(); ++s)
        if (stops(s)) return atStep(cursor, s);
    return std::nullopt;
}

std::optional<Cursor> back(const Recorded& run, const model::Profile& profile, const Cursor& cursor,
                           Stride stride) {
    if (stride == Stride::Finding) return otherProblem(run, cursor, -1);
    const CursorContext here = lookUp(run, cursor);
    if (!here.step || cursor.step == 0) return std::nullopt;
    if (stride == Stride::Phase) {
        const u32 phase = here.warp->phaseOf(cursor.step - 1), setUp = stepsOfSetUp(*here.warp);
        if (phase == 0) return atStep(cursor, cursor.step > setUp ? setUp : 0);
        return atStep(cursor, here.warp->barrierSteps[phase - 1] + 1);
    }
    const auto stops = stopsAt(run, profile, *here.warp, cursor.step, stride);
    for (u32 s = cursor.step; s-- > 0;) {
        if (!stops(s)) continue;
        if (stride == Stride::Line) {
            const SourceLine line = lineOf(*run.module, here.warp->steps[s].pc);
            while (s > 0 && lineOf(*run.module, here.warp->steps[s - 1].pc) == line)
                --s;
        }
        return atStep(cursor, s);
    }
    return std::nullopt;
}

Cursor toStart(const Recorded&, Cursor cursor) { return atStep(cursor, 0); }

Cursor toEnd(const Recorded& run, Cursor cursor) {
    const CursorContext here = lookUp(run, cursor);
    return here.warp && !here.warp->steps.empty() ? atStep(cursor, u32(here.warp->steps.size()) - 1) : cursor;
}

std::optional<Cursor> otherWarp(const Recorded& run, const Cursor& cursor, int by) {
    const CursorContext here = lookUp(run, cursor);
    const s64 warp = s64(cursor.warp.value) + by;
    if (!here.block || !here.warp || warp < 0 || warp >= s64(here.block->warps.size())) return std::nullopt;
    Cursor there = cursor;
    there.warp = Warp{u32(warp)};
    there.step = sameMoment(*here.warp, cursor.step, here.block->warps[std::size_t(warp)]);
    return clamped(run, there);
}

std::optional<Cursor> otherBlock(const Recorded& run, const Cursor& cursor, int by) {
    const auto& blocks = run.recording.trace.blocks;
    const CursorContext here = lookUp(run, cursor);
    if (!here.block) return std::nullopt;
    const s64 at = here.block - blocks.data() + by;
    if (at < 0 || at >= s64(blocks.size())) return std::nullopt;
    const trace::FocusBlock& block = blocks[std::size_t(at)];
    Cursor there = cursor;
    there.launch = block.launch;
    there.block = block.block;
    there.warp = Warp{std::min(cursor.warp.value, block.warps.empty() ? 0 : u32(block.warps.size()) - 1)};
    if (here.warp && !block.warps.empty() && block.launch == cursor.launch)
        there.step = sameMoment(*here.warp, cursor.step, block.warps[there.warp.value]);
    return clamped(run, there);
}

Cursor clamped(const Recorded& run, Cursor cursor) {
    const auto& blocks = run.recording.trace.blocks;
    if (blocks.empty()) return {};
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (!block) {
        block = &blocks.front();
        cursor = {.launch = block->launch, .block = block->block, .warp = {}, .lane = {}, .step = 0};
    }
    if (block->warps.empty()) return cursor;
    cursor.warp = Warp{std::min(cursor.warp.value, u32(block->warps.size()) - 1)};
    cursor.lane = Lane{std::min(cursor.lane.value, std::max(1u, lanesOf(*block, cursor.warp)) - 1)};
    const std::size_t steps = block->warps[cursor.warp.value].steps.size();
    cursor.step = steps == 0 ? 0 : std::min(cursor.step, u32(steps) - 1);
    return cursor;
}

Cursor worstBankConflict(const Recorded& run, const model::Profile& profile, Cursor cursor) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.warp) return cursor;
    std::optional<u32> most;
    for (u32 s = 0; s < here.warp->steps.size(); ++s) {
        const StoredAccess* stored = accessOf(*here.warp, s);
        if (!stored || stored->space != Space::Shared || stored->active.empty()) continue;
        const SharedCost cost = sharedCost(here.warp->unpack(*stored), *run.module, profile);
        const u32 lost = cost.wavefronts - cost.ideal;
        if (!most || lost > *most) most = lost, cursor.step = s;
    }
    return cursor;
}

u32 phaseOf(const Recorded& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    return here.warp ? here.warp->phaseOf(cursor.step) : 0;
}

Cursor startOfPhase(const Recorded& run, Cursor cursor, u32 phase) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.warp) return cursor;
    const auto& barriers = here.warp->barrierSteps;
    const u32 last = u32(std::min<std::size_t>(phase, barriers.size()));
    cursor.step = last == 0 ? 0 : barriers[last - 1] + 1;
    return clamped(run, cursor);
}

}  // namespace lockstep::explain
