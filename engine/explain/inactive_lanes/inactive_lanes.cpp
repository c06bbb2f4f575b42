#include "explain/inactive_lanes/inactive_lanes.h"

#include "base/text/punctuation.h"
#include "base/text/words.h"
#include "explain/branches.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/sentences/lane_lists.h"
#include "explain/sentences/sentence.h"
#include "explain/source/source_line.h"
#include "model/branches/branch_lines.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <ranges>

namespace lockstep::explain {
namespace {

using Why = InactiveLanes::Why;

constexpr u32 kLanes = 32;  // of a warp

constexpr Words kLanesAreOff = english("{2:Lane|Lanes} {0}: {1}.");
constexpr Words kGuardIsFalse = english("predicate {0} is false");
constexpr Words kDoesNotJump = english("branch not taken");
constexpr Words kTurnToCome = english("waiting to run another path from {0}");
constexpr Words kTurnOver = english("done with another path from {0}; waiting at {1}");
constexpr Words kHasRun = english("done with another path from {0}");
constexpr Words kWentAround = english("skipped this code at {0}; waiting at {1}");
constexpr Words kWentBack = english("went from {0} back to {1}; waiting there"),
                kWentInto = english("went from {0} to {1}; waiting there");
constexpr Words kWentPast = english("branched to a later part of {0}; waiting there");
constexpr Words kNothingLeft = english("branched at {0} to the end of the kernel");
constexpr Words kLeftLoop = english("left the loop at {0}; waiting for the others");
constexpr Words kReturnsLater = english("waiting to run the path from {0} to the exit");
constexpr Words kReturned = english("returned at {0}");
constexpr Words kElsewhere = english("not on this path");

bool isKnown(const ptx::Module& module, Pc pc) { return pc.value < module.instructions.size(); }

InactiveLanes wayApart(const ptx::Module& module, const trace::Step& parting, Lane lane, bool hasRun) {
    const LaneMask one = LaneMask::of(lane);
    if (!isBranch(module, parting.pc)) return {one, Why::Elsewhere, kNoPc};
    const bool jumped = parting.active.has(lane);
    const std::optional<Pc> target = targetOf(module, parting.pc);
    if (target && !jumped && target->value <= parting.pc.value) return {one, Why::LeftLoop, parting.pc};
    const std::optional<Pc> next = jumped ? target : Pc{parting.pc.value + 1};
    // A branch around a block is often two: a conditional one over the other, which all other lanes take.
    const bool onlyLeaves = hasRun && next && isBranch(module, *next) && !isConditionalBranch(module, *next);
    if (const std::optional<Pc> end = onlyLeaves ? targetOf(module, *next) : next;
        end && *end == module.reconvergence(parting.pc))
        return {one, Why::WentAround, parting.pc};
    return {one, hasRun ? Why::TurnOver : Why::TurnToCome, parting.pc};
}

// Whether the lane does nothing after the step but end, whatever a guard says.
bool isAtItsEnd(const ptx::Module& module, const trace::WarpTrace& warp, u32 step, Lane lane) {
    for (u32 s = step + 1; s < warp.steps.size(); ++s)
        if (const Pc pc = warp.steps[s].pc; lanesAt(module, warp, s).has(lane))
            return model::endsEveryThread(module, pc);
    return false;
}

// Of each of `lanes`: back to the last step at which it stood where one of `others` stood.
std::array<InactiveLanes, kLanes> whyOf(const ptx::Module& module, const trace::WarpTrace& warp, u32 step,
                                        LaneMask others, LaneMask lanes) {
    std::array<InactiveLanes, kLanes> why{};
    for (const Lane lane : lanes)
        why[lane.value].lanes = LaneMask::of(lane);
    LaneMask haveRun;
    for (u32 s = step; s-- > 0 && !lanes.empty();) {
        const LaneMask here = lanesAt(module, warp, s);
        for (const Lane lane : here& lanes) {
            const LaneMask one = LaneMask::of(lane);
            const bool ends = warp.steps[s].active.has(lane) && model::endsThread(module, warp.steps[s].pc);
            if (!ends && (here & others).empty()) {
                haveRun = haveRun | one;
                continue;
            }
            lanes = lanes & ~one;
            if (ends)
                why[lane.value] = {one, Why::Returned, warp.steps[s].pc};
            else if (isAtItsEnd(module, warp, step, lane))
                why[lane.value] = {one, Why::ReturnsLater, warp.steps[s].pc};
            else
                why[lane.value] = wayApart(module, warp.steps[s], lane, haveRun.has(lane));
        }
    }
    return why;
}

std::string guardOf(const ptx::Module& module, Pc pc) {
    const std::string_view text = module.textOf(pc);
    return std::string(text.substr(0, text.find_first_of(" \t\n")));
}

}  // namespace

LaneMask lanesAt(const ptx::Module& module, const trace::WarpTrace& warp, u32 step) {
    const std::optional<LaneMask> path =
        isKnown(module, warp.steps[step].pc) ? pathMask(module, warp, step) : std::nullopt;
    return path ? *path : pathAt(module, warp, step);
}

LaneMask lanesAtWork(const ptx::Module& module, const trace::WarpTrace& warp, u32 step) {
    return isConditionalBranch(module, warp.steps[step].pc) ? lanesAt(module, warp, step)
                                                            : warp.steps[step].active;
}

std::vector<InactiveLanes> inactiveLanes(const ptx::Module& module, const trace::WarpTrace& warp, u32 step,
                                         LaneMask lanes) {
    const trace::Step& at = warp.steps[step];
    const LaneMask here = lanesAt(module, warp, step);
    std::vector<InactiveLanes> all;
    // A switch has many branches on one line.
    const auto add = [&](const InactiveLanes& one) {
        const auto alike = std::ranges::find_if(all, [&](const InactiveLanes& known) {
            return known.why == one.why &&
                   (known.at == one.at || whyInWords(module, known, Language::English) ==
                                              whyInWords(module, one, Language::English));
        });
        if (alike == all.end())
            all.push_back(one);
        else
            alike->lanes = alike->lanes | one.lanes;
    };
    const LaneMask off = lanes & ~at.active;
    const std::array<InactiveLanes, kLanes> apart = whyOf(module, warp, step, here, off & ~here);
    for (const Lane lane : off)
        add(here.has(lane) ? InactiveLanes{LaneMask::of(lane),
                                           isBranch(module, at.pc) ? Why::NoJump : Why::GuardFalse, at.pc}
                           : apart[lane.value]);
    return all;
}

std::string whyInWords(const ptx::Module& module, const InactiveLanes& off, Language language) {
    const auto at = [&] { return lineInWords(module, off.at, language); };
    switch (off.why) {
        case Why::GuardFalse: return say(language, kGuardIsFalse, guardOf(module, off.at));
        case Why::NoJump: return say(language, kDoesNotJump);
        case Why::TurnToCome: return say(language, kTurnToCome, at());
        case Why::LeftLoop: return say(language, kLeftLoop, at());
        case Why::ReturnsLater: return say(language, kReturnsLater, at());
        case Why::Returned: return say(language, kReturned, at());
        case Why::Elsewhere: return say(language, kElsewhere);
        case Why::TurnOver:
        case Why::WentAround: break;
    }
    const Pc meet = module.reconvergence(off.at);
    if (off.why == Why::TurnOver)
        return meet == kNoPc ? say(language, kHasRun, at())
                             : say(language, kTurnOver, at(), reconvergenceInWords(module, off.at, language));
    if (meet == kNoPc || model::endsEveryThread(module, meet)) return say(language, kNothingLeft, at());
    // Parts of one line: the compiler copies a loop's body.
    const std::string meeting = reconvergenceInWords(module, off.at, language);
    if (meeting == at()) return say(language, kWentPast, at());
    // To the head of a loop, whose line is above; between functions lines do not tell what is ahead.
    const bool isOneFunction = module.locationOf(off.at).inlinedAt == module.locationOf(meet).inlinedAt;
    const bool isAbove = reconvergenceLine(module, off.at) < lineOf(module, off.at).line;
    return say(language, !isOneFunction ? kWentInto : isAbove ? kWentBack : kWentAround, at(), meeting);
}

std::string inactiveLanesInWords(const ptx::Module& module, const InactiveLanes& off, Language language) {
    return say(language, kLanesAreOff, lanesInBrief(off.lanes, language), whyInWords(module, off, language),
               off.lanes.count());
}

std::string whyOthersAreOff(const ptx::Module& module, const trace::WarpTrace& warp, u32 step, u32 exist,
                            Language language, std::size_t most) {
    std::vector<InactiveLanes> all = inactiveLanes(module, warp, step, LaneMask::firstLanes(exist));
    std::ranges::stable_sort(all, std::greater(), [](const InactiveLanes& off) { return off.lanes.count(); });
    std::string text;
    for (const InactiveLanes& off : all | std::views::take(most))
        text += sentenceGap(language) + inactiveLanesInWords(module, off, language);
    return text;
}

}  // namespace lockstep::explain
