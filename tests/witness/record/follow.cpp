#include "witness/record/follow.h"

#include "base/text/trimmed.h"

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

struct Interval {
    u32 begin = 0, end = 0;
    bool contains(u32 step) const { return step >= begin && step < end; }
};

u32 intervalOf(const trace::WarpTrace& warp, u32 step) {
    return u32(std::ranges::count_if(warp.barrierSteps, [&](u32 barrier) { return barrier < step; }));
}
Interval stepsOf(const trace::WarpTrace& warp, u32 number) {
    const u32 barriers = u32(warp.barrierSteps.size()), all = u32(warp.steps.size());
    number = std::min(number, barriers);
    Interval steps{number ? warp.barrierSteps[number - 1] + 1 : 0,
                   number < barriers ? warp.barrierSteps[number] + 1 : all};
    return steps.begin < steps.end ? steps
                                   : Interval{all - 1, all};  // behind the last barrier nothing may be left
}

// The steps in [begin, end) with accesses like this one.
std::vector<u32> like(const trace::WarpTrace& warp, u32 begin, u32 end, const trace::StoredAccess& access) {
    std::vector<u32> steps;
    for (u32 s = begin; s < end; ++s)
        if (const u32 at = warp.steps[s].access; at != trace::Step::kNone &&
                                                 warp.accesses[at].space == access.space &&
                                                 warp.accesses[at].kind == access.kind)
            steps.push_back(s);
    return steps;
}
// The one that comes as late, or the last.
std::optional<u32> nth(const std::vector<u32>& steps, std::size_t n) {
    if (steps.empty()) return std::nullopt;
    return steps[std::min(n, steps.size() - 1)];
}

}  // namespace

u32 followed(const trace::WarpTrace& from, u32 step, const trace::WarpTrace& to, viz::Tie tie) {
    const u32 last = u32(to.steps.size()) - 1;
    if (tie == viz::Tie::Step) return std::min(step, last);
    const u32 number = intervalOf(from, step), barriersHere = u32(from.barrierSteps.size()),
              barriersThere = u32(to.barrierSteps.size());
    const Interval here = stepsOf(from, number), there = stepsOf(to, number);
    if (const u32 at = from.steps[step].access; at != trace::Step::kNone) {
        const trace::StoredAccess& access = from.accesses[at];
        // Where one has no barrier left, both count from the last one that they share on.
        const u32 shared = std::min(number, barriersThere), begin = stepsOf(to, shared).begin,
                  end = number < barriersHere ? there.end : last + 1;
        const std::size_t before = like(from, stepsOf(from, shared).begin, step, access).size();
        if (const auto same = nth(like(to, begin, end, access), before)) return *same;
        if (barriersHere != barriersThere)
            if (const auto same = nth(like(to, 0, last + 1, access), like(from, 0, step, access).size()))
                return *same;
    }
    return there.begin +
           u32(f64(step - here.begin) / f64(here.end - here.begin) * f64(there.end - there.begin));
}

std::vector<viz::Cursor> skippedBy(const run::Run& other, const run::Run& run, u32 most) {
    std::vector<viz::Cursor> cursors;
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        const trace::FocusBlock* there = other.recording.trace.find(block.launch, block.block);
        for (u32 w = 0; there && w < std::min(block.warps.size(), there->warps.size()); ++w) {
            const trace::WarpTrace &warp = block.warps[w], &its = there->warps[w];
            if (warp.barrierSteps.size() != its.barrierSteps.size()) continue;
            std::vector<u32> skipped;
            for (u32 s = 0; s < warp.steps.size(); ++s) {
                if (warp.steps[s].access == trace::Step::kNone) continue;
                const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
                const Interval steps = stepsOf(its, intervalOf(warp, s));
                if (like(its, steps.begin, steps.end, access).empty() &&
                    !like(its, 0, u32(its.steps.size()), access).empty())
                    skipped.push_back(s);
            }
            for (std::size_t i : {std::size_t{0}, skipped.size() - 1})
                if (i < skipped.size() && cursors.size() < most)
                    cursors.push_back({block.launch, block.block, Warp{w}, Lane{0}, skipped[i]});
        }
    }
    return cursors;
}

std::optional<s64> roundOf(const RunFacts& run, const trace::WarpTrace& warp, u32 interval,
                           std::string_view name, const Launch& launch) {
    if (interval >= warp.barrierSteps.size()) return std::nullopt;
    const Pc barrier = warp.steps[warp.barrierSteps[interval]].pc;
    s64 before = 0;
    for (u32 i = 0; i < interval; ++i)
        before += warp.steps[warp.barrierSteps[i]].pc == barrier;
    // The loop's head above the barrier's line.
    for (u32 line = run.lineOf(barrier); line > 0; --line) {
        const std::string code = squeezed(run.sourceLine(line));
        const std::size_t loop = code.find("for (");
        if (loop == std::string::npos) continue;
        const std::string head = code.substr(loop + 5);
        const std::size_t init = head.find(std::string(name) + " = "), semicolon = head.find(';');
        if (init == std::string::npos || init > semicolon) continue;
        const std::string begin = head.substr(init + name.size() + 3, semicolon - init - name.size() - 3);
        s64 value = 0;
        if (!begin.empty() && begin.find_first_not_of("0123456789") == std::string::npos)
            value = std::stoll(begin);
        else if (begin == "blockDim.x / 2")
            value = launch.block.x / 2;
        else if (begin == "blockDim.x")
            value = launch.block.x;
        else
            return std::nullopt;
        const std::string change = head.substr(head.rfind(';') + 1);
        const auto has = [&](std::string_view text) { return change.find(text) != std::string::npos; };
        const std::string n(name);
        for (s64 i = 0; i < before; ++i)
            if (has("++" + n) || has(n + "++") || has(n + " += 1"))
                ++value;
            else if (has("--" + n))
                --value;
            else if (has(n + " *= 2") || has(n + " <<= 1"))
                value *= 2;
            else if (has(n + " /= 2") || has(n + " >>= 1"))
                value /= 2;
            else
                return std::nullopt;
        return value;
    }
    return std::nullopt;
}

}  // namespace lockstep::witness
