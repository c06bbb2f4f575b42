#include "lessons/divergence_quantities.h"

#include "explain/inactive_lanes/paths.h"
#include "explain/source/source_line.h"
#include "lessons/place_clues.h"

#include <algorithm>

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

std::vector<Quantity> divergenceRows() {
    return {
        {"paths", english("paths that the warp's lanes take from this branch on"), NumberOf([](P p) {
             return ofParting(p, [](const explain::Parting& d) { return d.groups.size(); });
         }),
         Clues(pathClue, stepsClue)},
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
