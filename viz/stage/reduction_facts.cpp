#include "viz/stage/reduction_facts.h"

#include <algorithm>
#include <map>

#include "viz/numbers.h"

namespace lockstep::viz {
namespace {

struct Event {
    u32 order = 0, warp = 0, step = 0;
    const trace::StoredAccess* access = nullptr;
};

std::vector<Event> sharedEvents(const trace::FocusBlock& block) {
    std::vector<Event> events;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s) {
            const trace::Step& step = block.warps[w].steps[s];
            if (step.access != trace::Step::kNone && block.warps[w].accesses[step.access].space == trace::Space::Shared)
                events.push_back({step.order, w, s, &block.warps[w].accesses[step.access]});
        }
    std::ranges::sort(events, {}, &Event::order);
    return events;
}

std::optional<ElementType> typeOf(const run::Run& run, const Event& e) {
    const ptx::Type type = elementType(*run.module, e.access->pc);
    for (const ElementTypeInfo& element : elementTypes())
        if (ptxType(element.type) == type) return element.type;
    return std::nullopt;
}

f64 valueOf(const run::Run& run, const trace::WarpTrace& warp, const Event& e, Lane lane) {
    const std::optional<ElementType> type = typeOf(run, e);
    return type ? numberOf(warp.value(*e.access, lane), *type) : 0;
}

}  // namespace

std::optional<ReductionFacts> reductionFacts(const run::Run& run, const Cursor& cursor) {
    const Here here = lookUp(run, cursor);
    const std::vector<SharedArray> arrays = sharedArrays(run, cursor.launch);
    if (!here.block || arrays.empty()) return std::nullopt;
    ReductionFacts facts;
    facts.array = arrays.front();

    struct Thread {
        std::vector<u64> read;  // places, since it last wrote
        u32 phase = 0, additions = 0;  // made in that phase
    };
    std::vector<Thread> threads(here.block->warps.size() * kWarpSize);
    std::map<std::pair<u32, u32>, std::vector<Addition>> rounds;  // by phase, then by how often in it
    for (const Event& e : sharedEvents(*here.block)) {
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
                thread.read.push_back(place);
                continue;
            }
            facts.isFloat = isFloatElement(typeOf(run, e).value_or(ElementType::U32));
            Addition addition{Warp{e.warp}, lane, e.step, e.order, {}, place, valueOf(run, warp, e, lane)};
            std::ranges::copy_if(thread.read, std::back_inserter(addition.from), [&](u64 read) { return read != place; });
            const bool adds = !addition.from.empty() && addition.from.size() < thread.read.size();
            if (adds) rounds[{phase, thread.additions++}].push_back(std::move(addition));
            else if (rounds.empty()) facts.start.push_back({Warp{e.warp}, lane, e.step, e.order, place, addition.sum});
            thread.read.clear();
        }
    }
    for (auto& [key, additions] : rounds) facts.rounds.push_back(std::move(additions));
    return facts.rounds.empty() ? std::nullopt : std::optional(std::move(facts));
}

}  // namespace lockstep::viz
