#include "viz/stage/reduction_facts.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "viz/numbers.h"
#include "viz/stage/shared_events.h"

namespace lockstep::viz {

std::optional<ReductionFacts> reductionFacts(const run::Run& run, const Cursor& cursor) {
    const Here here = lookUp(run, cursor);
    const std::vector<SharedArray> arrays = sharedArrays(run, cursor.launch);
    if (!here.block || arrays.empty()) return std::nullopt;
    ReductionFacts facts;
    facts.array = arrays.front();

    struct Thread {
        std::vector<Addend> read;  // since it last wrote
        u32 phase = 0, additions = 0;  // made in that phase
    };
    std::vector<Thread> threads(here.block->warps.size() * kWarpSize);
    std::map<std::pair<u32, u32>, std::vector<Addition>> rounds;  // by phase, then by how often in it
    for (const SharedEvent& e : sharedEvents(*here.block)) {
        const trace::WarpTrace& warp = here.block->warps[e.warp];
        const u32 phase = warp.phaseOf(e.step);
        for (const Lane lane : e.access->active) {
            const u64 address = warp.address(*e.access, lane);
            if (!facts.array.contains(address)) continue;
            const u64 place = (address - facts.array.base) / std::max(1u, facts.array.elementBytes);
            facts.places = std::max(facts.places, place + 1);
            Thread& thread = threads[e.warp * kWarpSize + lane.value];
            if (thread.phase != phase) thread.phase = phase, thread.additions = 0;
            if (e.access->kind == trace::AccessKind::Load) {
                thread.read.push_back({place, valueOf(run, *here.block, e, lane)});
                continue;
            }
            facts.isFloat = isFloatElement(typeOf(run, e).value_or(ElementType::U32));
            Addition addition{Warp{e.warp}, lane, e.step, e.order, {}, place, valueOf(run, *here.block, e, lane)};
            for (const Addend& read : thread.read) {
                if (read.place != place) addition.from.push_back(read);
                else addition.own = read;
            }
            const bool adds = !addition.from.empty() && addition.from.size() < thread.read.size();
            if (adds) rounds[{phase, thread.additions++}].push_back(std::move(addition));
            else if (rounds.empty()) facts.start.push_back({Warp{e.warp}, lane, e.step, e.order, place, addition.sum});
            thread.read.clear();
        }
    }
    for (auto& [key, additions] : rounds) facts.rounds.push_back(std::move(additions));
    return facts.rounds.empty() ? std::nullopt : std::optional(std::move(facts));
}

std::string formulaOf(const ReductionFacts& facts, u32 round, const Addition& addition) {
    const auto name = [&](u32 row, u64 place) { return fmt::format("{}[{}]", facts.array.name, facts.placeIn(row, place)); };
    const auto text = [&](f64 value) { return numberText(value, facts.isFloat); };
    std::string names, values;
    const auto add = [&](const Addend& operand) {
        names += (names.empty() ? "" : " + ") + name(round, operand.place);
        values += (values.empty() ? "" : " + ") + text(operand.value);
    };
    if (addition.own) add(*addition.own);
    for (const Addend& operand : addition.from) add(operand);
    const std::string result = name(round + 1, addition.to);
    if (names.empty()) return result + " = " + text(addition.sum);
    return fmt::format("{} = {}: {} = {}", result, names, text(addition.sum), values);
}

}  // namespace lockstep::viz
