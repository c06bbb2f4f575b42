#include "explain/sums/reduction_facts.h"

#include "base/text/text.h"
#include "explain/access/block_events.h"
#include "explain/numbers.h"
#include "explain/sums/value_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lockstep::explain {

namespace {

constexpr Words kThreadName = english("thread {0}");
// What is put together otherwise than by adding.
constexpr Words kCombined = english("{0} with {1}");

// One lane's load or store of a place, in the order in which they happen.
struct Touch {
    u32 order = 0;
    u64 place = 0;
    bool isLoad = false;
    std::size_t store =
        ~std::size_t{0};  // of a load: that of the sum that it goes into; none: it is read for something else
    bool isUsed = false;  // of a store: what it leaves is read for a sum that is used, or for something else
};

// From the end back: a place is expected while somebody will still read it for something that is used. Loads
// and stores of one instruction are done at once.
void markUsed(std::vector<Touch>& touches) {
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
            if (const Touch& t = touches[i];
                t.isLoad && (t.store >= touches.size() || touches[t.store].isUsed))
                wanted.insert(t.place);
        end = first;
    }
}

// A thread that adds to what it has itself made between these barriers begins another round there; where it
// adds elsewhere, as one that makes several sums does, it is still the same.
u32 numberInPhase(const Addition& addition, const std::map<u64, u32>& added) {
    u32 number = 0;
    const auto isBehind = [&](const Addend& addend) {
        if (const auto made = added.find(addend.place); made != added.end())
            number = std::max(number, made->second + 1);
    };
    std::ranges::for_each(addition.from, isBehind);
    if (addition.own) isBehind(*addition.own);
    return number;
}

// Whether the values add up: whole numbers as far as the element's bits go, reals but for rounding.
bool isSumOf(const Addition& addition, bool isFloat, u32 bytes) {
    constexpr f64 kRounding = 1.0 / 128;  // of a half
    f64 sum = addition.own ? addition.own->value : 0, size = std::abs(sum);
    for (const Addend& addend : addition.from)
        sum += addend.value, size += std::abs(addend.value);
    if (!std::isfinite(sum) || !std::isfinite(addition.sum)) return true;
    const f64 off = std::abs(sum - addition.sum);
    return isFloat ? off <= size * kRounding
                   : std::fmod(off, std::ldexp(1.0, s32(8 * std::min(bytes, 6u)))) == 0;
}

// Zeros add up as well where a maximum is taken of them: the instruction tells.
bool isMadeBySum(const Recorded& run, const trace::FocusBlock& block, const BlockFlow& flow,
                 const ArrayTouch& store) {
    ValueTree tree(*run.module, block, flow);
    tree.of(flow.originOfStored({Warp{store.event.warp}, store.lane, store.event.step}, store.firstByte,
                                store.bytes));
    return tree.isSum();
}

// Shuffles of the warp that has most of them behind the last round: each hands a sum on from lane to lane.
u32 shufflesAfter(const Recorded& run, const trace::FocusBlock& block, u32 order) {
    u32 most = 0;
    for (const trace::WarpTrace& warp : block.warps)
        most = std::max(most, u32(std::ranges::count_if(warp.steps, [&](const trace::Step& step) {
                            return step.order > order && !step.active.empty() &&
                                   run.module->at(step.pc).name.starts_with("shfl");
                        })));
    return most;
}

// What a copy sets. The Chinese "即" keeps the value from reading as one assigned to both, as in C.
std::string copyText(const std::string& to, const std::string& from, const std::string& value,
                     Language language) {
    return to + " = " + from + (language == Language::Chinese ? "，即 " : ": ") + value;
}

// None: no thread adds a place of this array to another.
std::optional<ReductionFacts> factsOfArray(const Recorded& run, const CursorContext& here,
                                           const BlockFlow& flow, const SharedArray& array) {
    ReductionFacts facts;
    facts.array = array;

    struct Thread {
        std::vector<Addend> read;        // since it last wrote
        std::vector<std::size_t> loads;  // the same, in `touches`
        std::vector<PlaceLoaded> from;   // the same
        u32 phase = 0, stores = 0;       // stores: made in that phase, of a sum in a register, to which the
                                         // place of another was added
        std::map<u64, u32> added;        // made in that phase: by place, in which of its rounds
    };
    std::vector<Thread> threads(here.block->warps.size() * kWarpSize);
    std::map<std::pair<u32, u32>, std::vector<Addition>> rounds;  // by phase, then by which of those in it
    std::vector<Touch> touches;
    std::set<std::pair<u32, u32>> inRegisters;  // by phase, then by how often in it
    std::set<u64> used;
    bool keepsSums = false;  // in registers, from round to round: which of those are used is not looked for
    forEachTouch(*here.block, array, [&](const ArrayTouch& touch) {
        const BlockEvent& e = touch.event;
        const u64 place = touch.place;
        facts.places = std::max(facts.places, place + 1);
        used.insert(place);
        Thread& thread = threads[touch.thread];
        if (thread.phase != touch.phase) thread.phase = touch.phase, thread.stores = 0, thread.added.clear();
        if (e.isLoad) {
            thread.read.push_back({place, valueOf(run, array, *here.block, touch)});
            thread.loads.push_back(touches.size());
            thread.from.push_back({e.step, touch.address(array)});
            touches.push_back({.order = e.order, .place = place, .isLoad = true});
            return;
        }
        if (e.access->kind != trace::AccessKind::Store)
            return;  // of an atomic the record has no value that stays
        facts.isFloat = isFloatElement(typeOf(run, facts.array, e).value_or(ElementType::U32));
        Addition addition{
            Warp{e.warp}, touch.lane, e.step, e.order, {}, place, valueOf(run, array, *here.block, touch)};
        const std::vector<bool> goes = goInto(flow, touch, thread.from, array.elementBytes);
        for (std::size_t i = 0; i < thread.read.size(); ++i) {
            if (!goes[i]) continue;
            if (thread.read[i].place != place)
                addition.from.push_back(thread.read[i]);
            else
                addition.own = thread.read[i];
        }
        const bool adds = !addition.from.empty() && addition.own;
        touches.push_back({.order = e.order, .place = place, .isLoad = false});
        if (adds) {
            for (std::size_t i = 0; i < thread.loads.size(); ++i)
                if (goes[i]) touches[thread.loads[i]].store = touches.size() - 1;
            addition.touch = touches.size() - 1;
            facts.isSum = facts.isSum && isSumOf(addition, facts.isFloat, array.elementBytes) &&
                          (!rounds.empty() || isMadeBySum(run, *here.block, flow, touch));
        }
        const bool isOfRead = std::ranges::find(goes, true) != goes.end();
        if (adds) {
            const u32 number = numberInPhase(addition, thread.added);
            thread.added[place] = number;
            rounds[{touch.phase, number}].push_back(std::move(addition));
        } else if (!rounds.empty() && isOfRead) {
            keepsSums = true;
            if (!addition.from.empty()) inRegisters.insert({touch.phase, thread.stores++});
        } else if (rounds.empty())
            facts.start.push_back({Warp{e.warp}, touch.lane, e.step, e.order, place, addition.sum});
        if (!touch.isLast) return;
        thread.read.clear();
        thread.loads.clear();
        thread.from.clear();
    });
    markUsed(touches);
    // Where no thread reads the last sums from shared memory, they are used from a register.
    if (keepsSums || rounds.empty() || std::ranges::none_of(rounds.rbegin()->second, [&](const Addition& a) {
            return touches[a.touch].isUsed;
        }))
        for (Touch& t : touches)
            t.isUsed = true;
    for (auto& [key, additions] : rounds) {
        for (Addition& addition : additions)
            addition.isUsed = touches[addition.touch].isUsed;
        facts.rounds.push_back(std::move(additions));
    }
    if (facts.rounds.empty()) return std::nullopt;
    facts.isPadded = used.size() < facts.places;
    facts.roundsInRegisters = u32(inRegisters.size());
    facts.shuffles =
        shufflesAfter(run, *here.block, std::ranges::max(facts.rounds.back(), {}, &Addition::order).order);
    return facts;
}

}  // namespace

std::optional<ReductionFacts> reductionFacts(const Recorded& run, const Cursor& cursor) {
    return reductionFacts(run, cursor, LazyFlow(run, cursor));
}
std::optional<ReductionFacts> reductionFacts(const Recorded& run, const Cursor& cursor,
                                             const LazyFlow& lazy) {
    for (const SharedArray& array : sharedArrays(run, cursor.launch))
        if (auto facts = reductionFacts(run, cursor, lazy, array)) return facts;
    return std::nullopt;
}
std::optional<ReductionFacts> reductionFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& lazy,
                                             const SharedArray& array) {
    const CursorContext here = lookUp(run, cursor);
    const BlockFlow* flow = here.block ? lazy.get() : nullptr;
    return flow ? factsOfArray(run, here, *flow, array) : std::nullopt;
}

const OwnSum* ownSumOf(const ReductionFacts& facts, Warp warp, Lane lane) {
    const auto found = std::ranges::lower_bound(facts.own, std::pair(warp, lane), {}, [](const OwnSum& own) {
        return std::pair(own.warp, own.lane);
    });
    const bool isIts = found != facts.own.end() && found->warp == warp && found->lane == lane;
    return isIts && !found->elements.empty() ? &*found : nullptr;
}

std::string placeNameOf(const ReductionFacts& facts, u32 row, u64 place, Language language) {
    return facts.isByThread ? say(language, kThreadName, place)
                            : fmt::format("{}[{}]", facts.array.name, facts.placeIn(row, place));
}

std::string formulaOf(const ReductionFacts& facts, u32 round, const Addition& addition, Language language) {
    const auto name = [&](u32 row, u64 place) { return placeNameOf(facts, row, place, language); };
    const auto text = [&](f64 value) { return numberText(value, facts.isFloat); };
    std::string names, values;
    const auto join = [&](std::string& all, const std::string& next) {
        all = all.empty() ? next : facts.isSum ? all + " + " + next : say(language, kCombined, all, next);
    };
    const auto add = [&](const Addend& operand) {
        join(names, name(round, operand.place));
        join(values, text(operand.value));
    };
    if (addition.own) add(*addition.own);
    for (const Addend& operand : addition.from)
        add(operand);
    const std::string result = name(round + 1, addition.to);
    if (names.empty()) return result + " = " + text(addition.sum);
    if (values == text(addition.sum)) return copyText(result, names, values, language);
    return fmt::format("{} = {}{}{} = {}", result, names, language == Language::English ? ": " : "，即 ",
                       text(addition.sum), values);
}

std::string formulaOf(const ReductionFacts& facts, u32 round, const Loaded& kept, Language language) {
    const auto name = [&](u32 row) {
        return fmt::format("{}[{}]", facts.array.name, facts.placeIn(row, kept.place));
    };
    return copyText(name(round + 1), name(round), numberText(kept.value, facts.isFloat), language);
}

}  // namespace lockstep::explain
