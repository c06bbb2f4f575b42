#include "lessons/divergence_quantities.h"

#include "base/text/has_word.h"
#include "explain/branches.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/source/code_only.h"
#include "explain/source/source_line.h"
#include "lessons/place_clues.h"
#include "model/branches/branch_lines.h"

#include <algorithm>
#include <array>

namespace lockstep::lessons {
namespace {

using Number = std::optional<s64>;
using P = const PlaceOnShow&;

template <class Of> Number ofParting(P place, const Of& of) {
    const std::optional<explain::Parting> parting = partingAt(place);
    return parting ? Number(s64(of(*parting))) : Number();
}

std::optional<explain::DivergenceFacts> factsOf(P place) {
    return explain::divergenceFacts(*place.run->module, *place.here.block, place.cursor.warp);
}

}  // namespace

std::optional<explain::Parting> partingAt(const PlaceOnShow& place) {
    if (auto own =
            explain::partingFrom(*place.run->module, *place.here.block, place.cursor.warp, place.cursor.step))
        return own;
    const std::optional<explain::DivergenceFacts> facts = factsOf(place);
    const explain::Parting* parting = facts ? facts->partingAt(place.cursor.step) : nullptr;
    return parting ? std::optional(*parting) : std::nullopt;
}

u32 lineOfParting(const PlaceOnShow& place, Lane a, Lane b) {
    const std::optional<explain::Parting> parting = partingAt(place);
    if (!parting) return 0;
    const trace::WarpTrace& warp = place.warp();
    for (u32 step = parting->branch; step < parting->end; ++step) {
        const auto parts = explain::divergenceAt(*place.run->module, warp, step);
        if (parts && parts->path.has(a) && parts->path.has(b) && parts->taken.has(a) != parts->taken.has(b))
            return explain::lineOf(*place.run->module, warp.steps[step].pc).line;
    }
    return 0;
}

namespace {

// Whether the statement behind the condition in this line leaves the kernel, or the loop.
bool leaves(const ptx::Module& module, explain::SourceLine at) {
    constexpr std::array kJumps{"return", "break", "continue"};
    const std::string own = explain::codeOnly(explain::textOfLine(module, at));
    const std::string_view next = explain::textOfLine(module, {at.file, at.line + 1});
    return std::ranges::any_of(kJumps, [&](std::string_view jump) {
        return hasWord(own, jump) || hasWord(next.substr(0, jump.size() + 1), jump);
    });
}

}  // namespace

std::optional<LaneMask> lanesThatMeetCondition(const PlaceOnShow& place) {
    const ptx::Module& module = *place.run->module;
    const auto found = explain::divergenceAt(module, place.warp(), place.cursor.step);
    if (!found) return std::nullopt;
    const Pc branch = place.here.step->pc;
    const std::optional<Pc> target = explain::targetOf(module, branch);
    if (!target || *target <= branch) return found->taken;
    const LaneMask others = found->path & ~found->taken;
    const explain::SourceLine at = explain::lineOf(module, branch);
    const model::BranchLines lines = model::branchLines(branch, *target, module);
    const bool jumpsToTheEnd = model::endsEveryThread(module, *target);
    if (leaves(module, at)) return jumpsToTheEnd || !lines.taken ? found->taken : others;
    if (jumpsToTheEnd) return others;
    // The body stands first.
    if (lines.taken && lines.onwards) return *lines.taken < *lines.onwards ? found->taken : others;
    return lines.taken ? found->taken : others;
}

Message conditionOfLane(const PlaceOnShow& place, Lane lane) {
    const u32 line = explain::lineOf(*place.run->module, place.here.step->pc).line;
    const std::optional<LaneMask> holds = lanesThatMeetCondition(place);
    if (!holds) return {};
    return Message(holds->has(lane) ? english("For lane {0} the condition at line {1} holds.")
                                    : english("For lane {0} the condition at line {1} does not hold."),
                   lane.value, line);
}

Message pathClue(const PlaceOnShow& place) {
    const std::optional<explain::Parting> parting = partingAt(place);
    if (!parting)
        return english("This warp does not diverge: all its lanes take the same path at every branch.");
    const u32 line = explain::lineOf(*place.run->module, parting->pc).line;
    if (parting->groups.size() < 2)
        return Message(english("All lanes that come to line {0} take the same path there."), line);
    const Lane a = parting->groups.front().lowest(), b = parting->groups.back().lowest();
    const u32 apart = lineOfParting(place, a, b);
    return Message(english("Lanes {0} and {1} take different paths at line {2}."), std::min(a.value, b.value),
                   std::max(a.value, b.value), apart ? apart : line);
}

namespace {

// Two lanes that stay on one path.
Message samePathClue(P place) {
    const std::optional<explain::Parting> parting = partingAt(place);
    if (!parting) return {};
    for (const LaneMask group : parting->groups)
        if (group.count() > 1) {
            const Lane first = group.lowest(), second = (group & ~LaneMask::of(first)).lowest();
            return Message(english("Lanes {0} and {1} execute the same instructions: they are on one path."),
                           first.value, second.value);
        }
    return {};
}

}  // namespace

std::vector<Quantity> divergenceRows() {
    return {
        {.name = "paths",
         .meaning = english("paths that the warp's lanes take from this branch on"),
         .of = NumberOf(
             [](P p) { return ofParting(p, [](const explain::Parting& d) { return d.groups.size(); }); }),
         .clue = Clues(pathClue, stepsClue),
         .notMore = samePathClue},
        {"first_path_lanes", english("lanes of the path that the record has first"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             const auto parting = partingAt(p);
             return parting ? std::optional(parting->groups.front()) : std::nullopt;
         }),
         pathClue},
        {"last_path_lanes", english("lanes of the path that the record has last"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             const auto parting = partingAt(p);
             return parting ? std::optional(parting->groups.back()) : std::nullopt;
         }),
         pathClue},
        {"diverged_instructions", english("warp instructions between this branch and reconvergence"),
         NumberOf([](P p) { return ofParting(p, [](const explain::Parting& d) { return d.instructions; }); }),
         Clues(pathClue, stepsClue)},
        {"slots", english("lanes that come to this branch, times the instructions up to reconvergence"),
         NumberOf([](P p) { return ofParting(p, [](const explain::Parting& d) { return d.slots; }); }),
         pathClue},
        {"slots_used",
         english("active lanes of the instructions between this branch and reconvergence, added up"),
         NumberOf([](P p) { return ofParting(p, [](const explain::Parting& d) { return d.used; }); }),
         Clues(pathClue, stepsClue)},
        {"partings", english("branches at which this warp diverges, counting the outermost"),
         NumberOf([](P p) {
             const auto facts = factsOf(p);
             return facts ? Number(s64(facts->partings.size())) : Number();
         }),
         Clues(pathClue, stepsClue)},
        {"warp_instructions", english("instructions that this warp issues"),
         NumberOf([](P p) -> Number { return s64(p.warp().steps.size()); }), pathClue},
        {"warp_slots", english("lanes of the warp, times its instructions"), NumberOf([](P p) {
             const auto facts = factsOf(p);
             return facts ? Number(s64(facts->slots)) : Number();
         }),
         pathClue},
        {"warp_slots_used", english("active lanes of the warp's instructions, added up"), NumberOf([](P p) {
             const auto facts = factsOf(p);
             return facts ? Number(s64(facts->used)) : Number();
         }),
         pathClue},
    };
}

}  // namespace lockstep::lessons
