#include "lessons/divergence_quantities.h"

#include "explain/branches.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/source/condition.h"
#include "explain/source/source_line.h"
#include "lessons/place_clues.h"

#include <algorithm>
#include <ranges>
#include <utility>
#include <variant>
#include <vector>

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

// The location of an instruction in the function that the branch stands in: of what that calls, the call.
// None: it belongs to another one, or to no line.
const ptx::Location* inFunctionOf(const ptx::Module& module, Pc branch, Pc pc) {
    const ptx::Location& of = module.locations[module.at(branch).location];
    for (u32 at = module.at(pc).location; at; at = module.locations[at].inlinedAt) {
        const ptx::Location& location = module.locations[at];
        if (location.inlinedAt == of.inlinedAt)
            return location.file == of.file && location.line ? &location : nullptr;
    }
    return nullptr;
}
bool isIn(const explain::SourceSpan& span, const ptx::Location* at) {
    return at && span.contains(at->line, at->column);
}

std::optional<ptx::RegisterId> registerOf(const ptx::Operand& operand) {
    const auto* of = std::get_if<ptx::RegisterOperand>(&operand);
    return of ? std::optional(of->id) : std::nullopt;
}
// Whether what the branch goes by is computed from this condition alone: the compiler may make one branch of
// two, as of a break and its loop's end.
bool isOfThisAlone(const ptx::Module& module, Pc branch, const explain::SourceSpan& head) {
    constexpr u32 kFar = 64;
    std::vector<ptx::RegisterId> wanted{module.at(branch).guard.predicate};
    for (u32 pc = branch.value, tries = 0; pc-- > 0 && !wanted.empty() && tries < kFar; ++tries) {
        const ptx::Instruction& one = module.at(Pc{pc});
        const auto operands = module.operandsOf(one);
        const std::optional<ptx::RegisterId> result =
            operands.empty() ? std::nullopt : registerOf(operands.front());
        if (!result || std::erase(wanted, *result) == 0) continue;
        if (one.name.starts_with("setp.")) {
            const ptx::Location* const at = inFunctionOf(module, branch, Pc{pc});
            if (at && !isIn(head, at)) return false;
        } else if (one.name.ends_with(".pred")) {
            for (const ptx::Operand& operand : operands.subspan(1))
                if (const auto of = registerOf(operand)) wanted.push_back(*of);
        }
    }
    return true;
}

// Lanes that execute an instruction for which the test holds, from the branch to where its paths reconverge.
template <class Test> LaneMask lanesThatExecute(const PlaceOnShow& place, u32 end, const Test& test) {
    LaneMask lanes;
    for (u32 step = place.cursor.step + 1; step < end && step < place.warp().steps.size(); ++step)
        if (const trace::Step& one = place.warp().steps[step]; test(one.pc)) lanes = lanes | one.active;
    return lanes;
}

}  // namespace

std::optional<LaneMask> lanesThatMeetCondition(const PlaceOnShow& place) {
    using Leaves = explain::Condition::Leaves;
    const ptx::Module& module = *place.run->module;
    const auto found = explain::divergenceAt(module, place.warp(), place.cursor.step);
    const Pc branch = place.here.step->pc;
    const ptx::Location& at = module.locations[module.at(branch).location];
    if (!found || !at.line || at.file >= module.sources.size()) return std::nullopt;
    const auto condition = explain::conditionAt(module.sources[at.file], at.line, at.column);
    if (!condition || !isOfThisAlone(module, branch, condition->head)) return std::nullopt;
    const auto parting =
        explain::partingFrom(module, *place.here.block, place.cursor.warp, place.cursor.step);
    const u32 end = parting ? parting->end : u32(place.warp().steps.size());
    const auto inBody = [&](Pc pc) { return isIn(condition->body, inFunctionOf(module, branch, pc)); };
    const auto isBehind = [&](Pc pc) {
        const ptx::Location* const here = inFunctionOf(module, branch, pc);
        return here && !isIn(condition->head, here) && !isIn(condition->body, here);
    };
    std::optional<LaneMask> others;
    switch (condition->leaves) {
        case Leaves::Nothing: {
            const LaneMask inside = lanesThatExecute(place, end, inBody) & found->path;
            const bool hasInstructions =
                std::ranges::any_of(std::views::iota(0u, u32(module.instructions.size())),
                                    [&](u32 pc) { return inBody(Pc{pc}); });
            return hasInstructions ? std::optional(inside) : std::nullopt;
        }
        case Leaves::Loop:
            if (condition->loop)
                others = lanesThatExecute(place, end, [&](Pc pc) {
                    return isBehind(pc) && isIn(*condition->loop, inFunctionOf(module, branch, pc));
                });
            break;
        case Leaves::Turn:
            if (condition->loop)
                others = lanesThatExecute(place, end, [&](Pc pc) {
                    const ptx::Location* const here = inFunctionOf(module, branch, pc);
                    return isBehind(pc) && isIn(*condition->loop, here) &&
                           !(condition->loopHead && isIn(*condition->loopHead, here)) &&
                           std::pair(here->line, here->column) >
                               std::pair(condition->body.lastLine, condition->body.lastColumn);
                });
            break;
        case Leaves::Function:
            others = lanesThatExecute(place, u32(place.warp().steps.size()), [&](Pc pc) {
                return isBehind(pc) && !module.at(pc).name.starts_with("ret") &&
                       !module.at(pc).name.starts_with("exit");
            });
            break;
    }
    // No lane goes on, or all do: the instructions that would tell them apart have no source line.
    const LaneMask onwards = others.value_or(LaneMask{}) & found->path;
    return onwards.empty() || onwards == found->path ? std::nullopt : std::optional(found->path & ~onwards);
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
