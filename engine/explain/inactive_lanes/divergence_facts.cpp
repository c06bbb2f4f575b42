#include "explain/inactive_lanes/divergence_facts.h"

#include "explain/access/warp_steps.h"
#include "explain/branches.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/inactive_lanes/paths.h"
#include "model/branches/branch_lines.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <span>

namespace lockstep::explain {
namespace {

class Facts {
public:
    Facts(const ptx::Module& module, const trace::FocusBlock& block, Warp warp)
        : module_(module), block_(block), warp_(block.warps[warp.value]) {
        facts_.warp = warp;
        facts_.exist = lanesOf(block, warp);
        for (u32 s = 0; s < count(); ++s)
            at_.push_back(lanesAt(module_, warp_, s));
    }

    DivergenceFacts build() {
        findPartings();
        if (facts_.partings.empty()) findBranchOfWholeWarps();
        u32 step = 0;
        for (u32 p = 0; p < facts_.partings.size(); ++p) {
            Parting& parting = facts_.partings[p];
            addStretches(step, parting.branch, Stretch::Kind::Together);
            facts_.stretches.push_back(
                {Stretch::Kind::Branch, parting.branch, parting.branch + 1, parting.came, p});
            const std::size_t first = facts_.stretches.size();
            addStretches(parting.branch + 1, parting.end, Stretch::Kind::Way, p);
            group(parting, std::span(facts_.stretches).subspan(first));
            step = parting.end;
        }
        addStretches(step, count(), Stretch::Kind::Together);
        for (u32 s = 0; s < count(); ++s)
            facts_.slots += facts_.exist, facts_.used += u64(worked(s).count());
        countReads();
        return std::move(facts_);
    }

    std::optional<Parting> partingFrom(u32 step) {
        if (!isConditionalBranch(module_, warp_.steps[step].pc) || at_[step].empty()) return std::nullopt;
        const auto split = divergenceAt(module_, warp_, step);
        Parting parting{.branch = step,
                        .end = step + 1,
                        .pc = warp_.steps[step].pc,
                        .came = at_[step],
                        .taken = warp_.steps[step].active,
                        .groups = {}};
        if (!split) {
            parting.groups = {parting.came};
            return parting;
        }
        parting = partingAt(step, *split, lanesFromStepOn());
        // Lanes that an outer branch parted from these may be issued in between.
        for (LaneMask& lanes : at_)
            lanes = lanes & parting.came;
        addStretches(parting.branch + 1, parting.end, Stretch::Kind::Way);
        std::erase_if(facts_.stretches, [](const Stretch& stretch) { return stretch.lanes.empty(); });
        group(parting, facts_.stretches);
        return parting;
    }

private:
    u32 count() const { return u32(warp_.steps.size()); }
    LaneMask worked(u32 step) const { return lanesAtWork(module_, warp_, step); }

    // Of each step: lanes that stand at it or a later one.
    std::vector<LaneMask> lanesFromStepOn() const {
        std::vector<LaneMask> later(count() + 1);
        for (u32 s = count(); s-- > 0;)
            later[s] = later[s + 1] | at_[s];
        return later;
    }

    // Up to where lanes of both sides stand together, and no lane of theirs is still to come from elsewhere.
    Parting partingAt(u32 step, const Divergence& split, const std::vector<LaneMask>& later) const {
        const Pc meet = module_.reconvergence(warp_.steps[step].pc);
        const LaneMask taken = split.taken, others = split.path & ~taken;
        u32 end = step + 1;
        const auto isMeeting = [&] {
            return warp_.steps[end].pc == meet && !(at_[end] & taken).empty() &&
                   !(at_[end] & others).empty() && (split.path & later[end] & ~at_[end]).empty();
        };
        while (end < count() && !isMeeting())
            ++end;
        return {.branch = step,
                .end = end,
                .pc = warp_.steps[step].pc,
                .came = split.path,
                .taken = taken,
                .meets = end < count(),
                .groups = {}};
    }

    void findPartings() {
        const std::vector<LaneMask> later = lanesFromStepOn();
        for (u32 s = 0; s < count(); ++s) {
            const auto split = divergenceAt(module_, warp_, s);
            if (!split) continue;
            facts_.partings.push_back(partingAt(s, *split, later));
            s = facts_.partings.back().end - 1;
        }
    }

    // No lane leaves the others here, but other warps of the block go another way at a branch that this one
    // comes to.
    void findBranchOfWholeWarps() {
        for (u32 s = 0; s < count(); ++s) {
            const Pc pc = warp_.steps[s].pc;
            if (!isConditionalBranch(module_, pc) || at_[s].empty()) continue;
            const bool jumps = !warp_.steps[s].active.empty();
            const auto warps = warpsAtBranch(module_, block_, pc);
            if (std::ranges::none_of(warps, [&](const std::optional<AtBranch>& other) {
                    return other && (jumps ? other->goOn : other->jump) > 0;
                }))
                continue;
            const Pc meet = module_.reconvergence(pc);
            u32 end = s + 1;
            while (end < count() && warp_.steps[end].pc != meet)
                ++end;
            facts_.partings.push_back({.branch = s,
                                       .end = end,
                                       .pc = pc,
                                       .came = at_[s],
                                       .taken = warp_.steps[s].active,
                                       .meets = end < count(),
                                       .groups = {}});
            return;
        }
    }

    void addStretches(u32 step, u32 end, Stretch::Kind kind, std::optional<u32> parting = {}) {
        for (u32 first = step; first < end; first = step) {
            while (step < end && at_[step] == at_[first])
                ++step;
            Stretch stretch{kind, first, step, at_[first], parting};
            stretch.returns = kind == Stretch::Kind::Way && endsThreads(first, step);
            facts_.stretches.push_back(stretch);
        }
    }

    bool endsThreads(u32 first, u32 end) const {
        return std::ranges::all_of(std::views::iota(first, end), [&](u32 step) {
            return model::endsThread(module_, warp_.steps[step].pc);
        });
    }

    // Lanes with the same stretches took the same way; a way is a group's alone from the stretch on in which
    // the fewest others are.
    void group(Parting& parting, std::span<const Stretch> stretches) const {
        struct Way {
            LaneMask lanes;
            u32 alone = 0;
            int fewest = kWarpSize + 1;
        };
        std::map<std::vector<bool>, Way> ways;
        for (const Stretch& stretch : stretches) {
            parting.instructions += stretch.instructions();
            for (u32 s = stretch.first; s < stretch.end; ++s)
                parting.used += u64((worked(s) & parting.came).count());
        }
        parting.slots = u64(parting.came.count()) * parting.instructions;
        for (const Lane lane : parting.came) {
            std::vector<bool> signature;
            for (const Stretch& stretch : stretches)
                signature.push_back(stretch.lanes.has(lane));
            Way& way = ways[signature];
            way.lanes = way.lanes | LaneMask::of(lane);
            for (u32 i = 0; i < stretches.size(); ++i)
                if (signature[i] && stretches[i].lanes.count() < way.fewest)
                    way.fewest = stretches[i].lanes.count(), way.alone = i;
            if (std::ranges::none_of(signature, std::identity()))
                way.alone = u32(stretches.size());  // straight to the meeting
        }
        std::vector<Way> sorted;
        for (const auto& [signature, way] : ways)
            sorted.push_back(way);
        std::ranges::sort(sorted, [](const Way& a, const Way& b) {
            return std::pair(a.alone, a.lanes.lowest().value) < std::pair(b.alone, b.lanes.lowest().value);
        });
        for (const Way& way : sorted)
            parting.groups.push_back(way.lanes);
    }

    void countReads() {
        for (const trace::StoredAccess& access : warp_.accesses)
            if (access.kind == trace::AccessKind::Load &&
                (access.space == trace::Space::Global || access.space == trace::Space::Shared))
                for (const Lane lane : access.active)
                    ++facts_.reads[lane.value];
    }

    const ptx::Module& module_;
    const trace::FocusBlock& block_;
    const trace::WarpTrace& warp_;
    std::vector<LaneMask> at_;
    DivergenceFacts facts_;
};

}  // namespace

std::size_t DivergenceFacts::stretchAt(u32 step) const {
    const auto found =
        std::ranges::find_if(stretches, [&](const Stretch& stretch) { return step < stretch.end; });
    return found == stretches.end() ? stretches.size() - 1 : std::size_t(found - stretches.begin());
}

bool DivergenceFacts::hasReturned(std::size_t stretch, Lane lane) const {
    for (std::size_t s = stretch; s < stretches.size(); ++s)
        if (stretches[s].lanes.has(lane) && !stretches[s].returns) return false;
    return true;
}

const Parting* DivergenceFacts::partingAt(u32 step) const {
    if (partings.empty()) return nullptr;
    const auto found =
        std::ranges::find_if(partings, [&](const Parting& parting) { return step <= parting.end; });
    return found == partings.end() ? &partings.back() : &*found;
}

std::optional<DivergenceFacts> divergenceFacts(const ptx::Module& module, const trace::FocusBlock& block,
                                               Warp warp) {
    if (warp.value >= block.warps.size() || block.warps[warp.value].steps.empty()) return std::nullopt;
    DivergenceFacts facts = Facts(module, block, warp).build();
    if (std::ranges::none_of(facts.partings,
                             [](const Parting& parting) { return parting.groups.size() > 2; }))
        return facts;
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& other = block.warps[w];
        if (other.steps.empty()) continue;
        const DivergenceFacts its = Warp{w} == warp ? facts : Facts(module, block, Warp{w}).build();
        for (Parting& parting : facts.partings) {
            if (parting.groups.size() <= 2) continue;
            parting.paths.resize(block.warps.size());
            const auto same = std::ranges::find(its.partings, parting.pc, &Parting::pc);
            const bool comes =
                std::ranges::find(other.steps, parting.pc, &trace::Step::pc) != other.steps.end();
            parting.paths[w] = same != its.partings.end() ? u32(same->groups.size()) : comes ? 1 : 0;
        }
    }
    return facts;
}

std::optional<Parting> partingFrom(const ptx::Module& module, const trace::FocusBlock& block, Warp warp,
                                   u32 step) {
    if (warp.value >= block.warps.size() || step >= block.warps[warp.value].steps.size()) return std::nullopt;
    return Facts(module, block, warp).partingFrom(step);
}

std::vector<std::optional<AtBranch>> warpsAtBranch(const ptx::Module& module, const trace::FocusBlock& block,
                                                   Pc pc) {
    std::vector<std::optional<AtBranch>> warps;
    for (const trace::WarpTrace& warp : block.warps) {
        const auto step = std::ranges::find(warp.steps, pc, &trace::Step::pc);
        if (step == warp.steps.end()) {
            warps.emplace_back();
            continue;
        }
        const u32 at = u32(step - warp.steps.begin());
        const int jump = step->active.count();
        warps.push_back(AtBranch{at, jump, (lanesAt(module, warp, at) & ~step->active).count()});
    }
    return warps;
}

}  // namespace lockstep::explain
