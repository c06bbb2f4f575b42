#include "witness/record/rounds.h"

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;

struct Event {
    u32 order = 0, warp = 0, step = 0;
};
std::vector<Event> eventsOf(const trace::FocusBlock& block) {
    std::vector<Event> events;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s) {
            const trace::Step& step = block.warps[w].steps[s];
            if (step.access != trace::Step::kNone &&
                block.warps[w].accesses[step.access].space == Space::Shared)
                events.push_back({step.order, w, s});
        }
    std::ranges::sort(events, {}, &Event::order);
    return events;
}

// A lane's store, and what it has read that may have gone into it.
struct Store {
    Rounds::Addition what;
    u32 pc = 0, phase = 0;
    std::vector<std::size_t> loads;  // into the list of touches
    std::size_t touch = 0;
};
struct Touched {
    u32 order = 0;
    u64 place = 0;
    bool isLoad = false, isUsed = false;
    std::size_t store = ~std::size_t{0};  // of a load: the touch of the sum that it goes into
};

bool same(f64 a, f64 b) { return a == b || std::fabs(a - b) <= 1e-5 * std::max(std::fabs(a), std::fabs(b)); }

std::vector<Store> storesOf(const BlockFacts& block, const Array& array, bool isScan, Rounds& rounds,
                            std::vector<Touched>& touches) {
    struct Thread {
        std::vector<Rounds::Operand> read;
        std::vector<std::size_t> loads;
        u32 phase = 0;
    };
    std::vector<Thread> threads(block.block().warps.size() * 32);
    std::vector<Store> stores;
    for (const Event& e : eventsOf(block.block())) {
        const trace::WarpTrace& warp = block.block().warps[e.warp];
        const trace::StoredAccess& access = warp.accesses[warp.steps[e.step].access];
        const u32 phase = block.phaseOf(e.warp, e.step);
        for (Lane lane : access.active) {
            const u64 address = warp.address(access, lane);
            if (address < array.address || (array.bytes > 0 && address >= array.address + array.bytes))
                continue;
            const u64 place = (address - array.address) / array.elementBytes;
            rounds.places = std::max(rounds.places, place + 1), rounds.used.insert(place);
            Thread& thread = threads[e.warp * 32 + lane.value];
            const f64 value = block.read(array, warp.value(access, lane).data());
            const bool isLoad = access.kind == AccessKind::Load;
            if (isScan && thread.phase != phase)
                thread.read.clear(), thread.loads.clear(), thread.phase = phase;
            if (isLoad) {
                if (isScan)  // what is read again counts once
                    std::erase_if(thread.read,
                                  [&](const Rounds::Operand& read) { return read.place == place; });
                thread.read.push_back({place, value}), thread.loads.push_back(touches.size());
                touches.push_back({e.order, place, true, false, ~std::size_t{0}});
                continue;
            }
            if (access.kind != AccessKind::Store) continue;
            Store& store = stores.emplace_back();
            store.what.warp = e.warp, store.what.lane = lane.value, store.what.step = e.step;
            store.what.order = e.order, store.what.to = place, store.what.sum = value;
            store.what.of = thread.read, store.loads = thread.loads;
            store.pc = warp.steps[e.step].pc.value, store.phase = phase, store.touch = touches.size();
            touches.push_back({e.order, place, false, false, ~std::size_t{0}});
            if (!isScan) thread.read.clear(), thread.loads.clear();
        }
    }
    return stores;
}

// From the end back: a sum is used where somebody reads its place for something that is used.
void markUsed(std::vector<Touched>& touches) {
    std::set<u64> wanted;
    for (std::size_t end = touches.size(); end > 0;) {
        std::size_t first = end;
        while (first > 0 && touches[first - 1].order == touches[end - 1].order)
            --first;
        for (std::size_t i = first; i < end; ++i)
            if (!touches[i].isLoad) touches[i].isUsed = wanted.contains(touches[i].place);
        for (std::size_t i = first; i < end; ++i)
            if (!touches[i].isLoad) wanted.erase(touches[i].place);
        for (std::size_t i = first; i < end; ++i)
            if (const Touched& t = touches[i];
                t.isLoad && (t.store >= touches.size() || touches[t.store].isUsed))
                wanted.insert(t.place);
        end = first;
    }
}

void addReduction(std::vector<Store>& stores, std::vector<Touched>& touches, Rounds& rounds) {
    std::map<std::pair<u32, u32>, std::vector<Rounds::Addition>> found;
    std::map<std::pair<u32, u32>, std::vector<std::size_t>> touchOf;
    std::map<std::pair<u32, u32>, u32> made;  // by thread and phase
    std::map<u32, u32> kept;                  // by thread: sums of a register that it stores
    bool keepsSums = false;                   // in registers, where the record does not show them
    for (const Store& store : stores) {
        Rounds::Addition addition = store.what;
        addition.hasOwn =
            std::ranges::find(addition.of, addition.to, &Rounds::Operand::place) != addition.of.end();
        const bool hasOther = std::ranges::any_of(
            addition.of, [&](const Rounds::Operand& operand) { return operand.place != addition.to; });
        if (!addition.hasOwn || !hasOther) {
            if (found.empty())
                rounds.starts.push_back(addition.order),
                    rounds.startPhase = std::max(rounds.startPhase, store.phase);
            keepsSums = keepsSums || (!found.empty() && !addition.of.empty());
            if (!found.empty() && hasOther)
                rounds.inRegisters = std::max(rounds.inRegisters, ++kept[addition.warp * 32 + addition.lane]);
            continue;
        }
        for (std::size_t load : store.loads)
            touches[load].store = store.touch;
        const std::pair key{store.phase, made[{addition.warp * 32 + addition.lane, store.phase}]++};
        touchOf[key].push_back(store.touch);
        found[key].push_back(std::move(addition));
    }
    markUsed(touches);
    // Where nobody reads the last sums, they go on from registers.
    if (keepsSums || touchOf.empty() ||
        std::ranges::none_of(touchOf.rbegin()->second, [&](std::size_t i) { return touches[i].isUsed; }))
        for (Touched& touch : touches)
            touch.isUsed = true;
    for (auto& [key, additions] : found) {
        for (std::size_t i = 0; i < additions.size(); ++i)
            additions[i].isUsed = touches[touchOf[key][i]].isUsed;
        rounds.rounds.push_back(std::move(additions));
    }
}

void findTurns(const std::vector<Store>& stores, Rounds& rounds) {
    std::map<u32, std::pair<u64, u64>> written;
    for (const Store& store : stores) {
        const auto [at, isNew] = written.try_emplace(store.phase, store.what.to, store.what.to);
        at->second = {std::min(at->second.first, store.what.to), std::max(at->second.second, store.what.to)};
    }
    u64 second = 0;
    for (const auto& [phase, places] : written)
        second = std::max(second, places.first);
    const bool takesTurns = second > 0 && std::ranges::all_of(written, [&](const auto& row) {
                                return (row.second.first == 0 || row.second.first == second) &&
                                       row.second.second - row.second.first < second;
                            });
    if (takesTurns) rounds.second = rounds.places = second;
}

void addScan(const std::vector<Store>& stores, Rounds& rounds) {
    findTurns(stores, rounds);
    // One instruction makes its values one way: all that was read, or one of it.
    struct Making {
        std::set<u32> ones;
        bool isSum = true, isKnown = false;
    };
    std::map<std::pair<u32, std::size_t>, Making> makings;
    for (const Store& store : stores) {
        Making& making = makings[{store.pc, store.what.of.size()}];
        std::set<u32> ones;
        f64 sum = 0;
        for (u32 i = 0; i < store.what.of.size(); ++i) {
            sum += store.what.of[i].value;
            if (same(store.what.of[i].value, store.what.sum) && (!making.isKnown || making.ones.contains(i)))
                ones.insert(i);
        }
        making.ones = ones, making.isKnown = true;
        making.isSum = making.isSum && store.what.of.size() > 1 && same(sum, store.what.sum);
    }
    std::map<std::pair<u32, u32>, std::vector<const Store*>> groups;
    std::map<std::pair<u32, u64>, u32> written;
    for (const Store& store : stores)
        groups[{store.phase, written[{store.phase, store.what.to}]++}].push_back(&store);
    for (const auto& [key, group] : groups) {
        std::vector<Rounds::Addition> additions, copies;
        std::vector<u32> starts;
        for (const Store* store : group) {
            const Making& making = makings[{store->pc, store->what.of.size()}];
            Rounds::Addition made = store->what;
            made.of.clear();
            for (u32 i = 0; i < store->what.of.size(); ++i) {
                if (!making.ones.empty() ? i != *making.ones.begin() : !making.isSum) continue;
                made.of.push_back(store->what.of[i]);
                made.hasOwn |= rounds.columnOf(store->what.of[i].place) == rounds.columnOf(made.to);
            }
            const std::size_t others = made.of.size() - made.hasOwn;
            if (others == 0 && rounds.rounds.empty() && !made.hasOwn)
                starts.push_back(made.order), rounds.startPhase = std::max(rounds.startPhase, store->phase);
            else if (others > 0 || !made.hasOwn)
                additions.push_back(std::move(made));
            else
                copies.push_back(std::move(made));
        }
        rounds.starts.insert(rounds.starts.end(), starts.begin(), starts.end());
        if (additions.empty()) continue;
        rounds.rounds.push_back(std::move(additions)), rounds.copies.push_back(std::move(copies));
    }
}

}  // namespace

std::optional<Rounds> roundsOf(const BlockFacts& block, const Array& array, bool isScan) {
    Rounds rounds;
    rounds.array = &array, rounds.isScan = isScan;
    std::vector<Touched> touches;
    std::vector<Store> stores = storesOf(block, array, isScan, rounds, touches);
    if (isScan)
        addScan(stores, rounds);
    else
        addReduction(stores, touches, rounds);
    for (const Store& store : stores)
        rounds.stores.push_back({{store.what.order, rounds.columnOf(store.what.to)}, store.what.sum});
    return rounds.rounds.empty() ? std::nullopt : std::optional(std::move(rounds));
}

}  // namespace lockstep::witness
