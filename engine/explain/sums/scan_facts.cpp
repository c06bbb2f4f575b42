#include "explain/sums/scan_facts.h"

#include "explain/access/block_events.h"
#include "explain/numbers.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::explain {
namespace {

// One lane's store, and what its value is made of that its thread has read of the array since the barrier
// before.
struct Store {
    Addition what;
    u32 phase = 0;
};

class Scan {
public:
    Scan(const Recorded& run, const CursorContext& here, const BlockFlow& flow, ReductionFacts& facts)
        : run_(run), here_(here), flow_(flow), facts_(facts) {}

    void gather() {
        readStores();
        findTurns();
        std::set<u64> columns;
        for (const u64 place : used_)
            columns.insert(columnOf(place));
        facts_.isPadded = columns.size() < facts_.places;
        std::map<std::pair<u32, u32>, std::vector<const Store*>>
            rounds;  // by phase, then by how often its place was written in it
        std::map<std::pair<u32, u64>, u32> written;
        for (const Store& store : stores_)
            rounds[{store.phase, written[{store.phase, store.what.to}]++}].push_back(&store);
        for (const auto& [key, stores] : rounds)
            addRound(stores);
    }

private:
    void readStores() {
        struct Thread {
            std::vector<Addend> read;
            std::vector<PlaceLoaded> loads;  // the same
            u32 phase = 0;
            bool hasStored = false;  // since it began to read
        };
        std::vector<Thread> threads(here_.block->warps.size() * kWarpSize);
        forEachTouch(*here_.block, facts_.array, [&](const ArrayTouch& touch) {
            const BlockEvent& e = touch.event;
            const u64 place = touch.place;
            facts_.places = std::max(facts_.places, place + 1);
            used_.insert(place);
            Thread& thread = threads[touch.thread];
            // What it read before a barrier may be stored after it, as in Kogge and Stone's scan of one
            // array.
            if (thread.phase != touch.phase && thread.hasStored) thread = {};
            thread.phase = touch.phase;
            const f64 value = valueOf(run_, facts_.array, *here_.block, touch);
            if (e.isLoad) {
                thread.read.push_back({place, value, e.order});
                thread.loads.push_back({e.step, touch.address(facts_.array)});
                return;
            }
            facts_.isFloat = isFloatElement(typeOf(run_, facts_.array, e).value_or(ElementType::U32));
            std::vector<Addend> from;
            const std::vector<bool> goes = goInto(flow_, touch, thread.loads, facts_.array.elementBytes);
            for (std::size_t i = 0; i < goes.size(); ++i)
                if (goes[i]) from.push_back(thread.read[i]);
            stores_.push_back(
                {{Warp{e.warp}, touch.lane, e.step, e.order, std::move(from), place, value}, touch.phase});
            thread.hasStored = true;
        });
    }

    // Two rows that take turns are drawn one above the other: columns count in the row, which each phase
    // writes as a whole.
    void findTurns() {
        std::map<u32, std::pair<u64, u64>> written;  // first and last place, by phase
        for (const Store& store : stores_) {
            const auto [at, isNew] = written.try_emplace(store.phase, store.what.to, store.what.to);
            if (!isNew)
                at->second = {std::min(at->second.first, store.what.to),
                              std::max(at->second.second, store.what.to)};
        }
        for (const auto& [phase, places] : written)
            second_ = std::max(second_, places.first);
        const bool takesTurns = second_ > 0 && std::ranges::all_of(written, [&](const auto& row) {
                                    const auto [first, last] = row.second;
                                    return (first == 0 || first == second_) && last - first < second_;
                                });
        if (!takesTurns)
            second_ = 0;
        else
            facts_.places = second_;
    }
    u64 columnOf(u64 place) const { return second_ > 0 && place >= second_ ? place - second_ : place; }

    // Without what a thread copies to where it stood: that counts as kept.
    void addRound(const std::vector<const Store*>& stores) {
        std::vector<Addition> additions;
        std::vector<Loaded> kept;
        for (const Store* store : stores) {
            Addition made = store->what;
            made.to = columnOf(made.to);
            made.from.clear();
            for (Addend operand : store->what.from) {
                operand.place = columnOf(operand.place);
                if (operand.place == made.to)
                    made.own = operand;
                else
                    made.from.push_back(operand);
            }
            const Loaded value{made.warp, made.lane, made.step, made.order, made.to, made.sum};
            if (made.from.empty() && facts_.rounds.empty() && !made.own)
                facts_.start.push_back(value);
            else if (made.from.empty() && made.own)
                kept.push_back(value);
            else
                additions.push_back(std::move(made));
        }
        const u64 begin = second_ > 0 && stores.front()->what.to >= second_ ? second_ : 0;
        if (facts_.turns.empty() && second_ > 0) facts_.turns.push_back(begin);
        if (additions.empty()) return;
        facts_.rounds.push_back(std::move(additions));
        facts_.kept.push_back(std::move(kept));
        if (second_ > 0) facts_.turns.push_back(begin);
    }

    Recorded run_;
    const CursorContext& here_;
    const BlockFlow& flow_;
    ReductionFacts& facts_;
    std::vector<Store> stores_;
    std::set<u64> used_;  // places
    u64 second_ = 0;      // place at which the second row begins
};

}  // namespace

std::optional<ReductionFacts> scanFacts(const Recorded& run, const Cursor& cursor) {
    return scanFacts(run, cursor, LazyFlow(run, cursor));
}
std::optional<ReductionFacts> scanFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& lazy) {
    const CursorContext here = lookUp(run, cursor);
    const std::vector<SharedArray> arrays = sharedArrays(run, cursor.launch);
    const BlockFlow* flow = here.block && !arrays.empty() ? lazy.get() : nullptr;
    if (!flow) return std::nullopt;
    ReductionFacts facts;
    facts.array = arrays.front();
    facts.isScan = true;
    Scan(run, here, *flow, facts).gather();
    const bool adds = std::ranges::any_of(facts.rounds, [](const std::vector<Addition>& round) {
        return std::ranges::any_of(round, [](const Addition& a) { return a.own && !a.from.empty(); });
    });
    return adds ? std::optional(std::move(facts)) : std::nullopt;
}

}  // namespace lockstep::explain
