// Names bands.
#include "explain/phases/phases.h"

#include "base/text/words.h"
#include "explain/lazy_flow.h"
#include "explain/phases/phase_variable.h"
#include "explain/shape.h"
#include "explain/sums/scan_facts.h"
#include "explain/sums/thread_tree.h"

#include <array>
#include <utility>

namespace lockstep::explain {
namespace {

constexpr Words kBandWhole = english("whole kernel, no barriers"),
                kBandSoFar = english("so far, no barriers"), kBandSetUp = english("setup");

// What a phase does, in full and without the tile or the memory that it does it to.
struct Phrase {
    Words full, brief;
};
constexpr Phrase kLoads{english("load from global"), english("phase", "load")};
constexpr Phrase kStores{english("store to global"), english("phase", "store")};
constexpr Phrase kReadsShared{english("read shared memory"), english("phase", "read")};
constexpr Phrase kWritesShared{english("write shared memory"), english("phase", "write")};
constexpr Phrase kUpdatesShared{english("read and write shared memory"), english("read, write")};
constexpr Phrase kSharedAtomics{english("shared atomics"), english("atomics")};
constexpr Phrase kGlobalAtomics{english("global atomics"), english("atomics")};
constexpr Phrase kAllAtomics{english("shared and global atomics"), english("atomics")};
constexpr Phrase kShuffles{english("shuffle"), english("shuffle")};
constexpr Phrase kAccessesNothing{english("no access"), english("no access")};
constexpr Phrase kAccessesNothingYet{english("no access so far"), english("no access so far")};
constexpr Words kThen = english("phase", "{0}, {1}");
// Of sums that are made round by round.
constexpr Words kAddsInRound = english("add in round {0}"),
                kAddsAtStride = english("add in round {0}, stride {1}"),
                kAddsInRounds = english("add in rounds {0} to {1}"),
                kAddsAtStrides = english("add in rounds {0} to {1}, strides {2} to {3}"),
                kRound = english("round {0}"), kRoundAtStride = english("round {0}, stride {1}"),
                kRounds = english("rounds {0} to {1}");
// Of products of matrices, tile by tile.
constexpr Phrase kLoadsTile{english("load tile {0}"), english("phase", "load")};
constexpr Phrase kLoadsTwoTiles{english("load tiles {0} and {1}"), english("phase", "load")};
constexpr Phrase kMultiplies{english("multiply"), english("multiply")};
constexpr Phrase kMultipliesTile{english("multiply tile {0}"), english("multiply")};
constexpr Phrase kLoadsAndMultiplies{english("load and multiply tiles"), english("load, multiply")};
constexpr Phrase kMultipliesAndLoads{english("multiply tile {0}, load tile {1}"), english("multiply, load")};
// Through registers, for which a tile is loaded an interval before it is stored.
constexpr Phrase kMultipliesStoresLoads{english("multiply tile {0}, store tile {1} to shared, load tile {2}"),
                                        english("multiply, load")};
constexpr Phrase kMultipliesAndStores{english("multiply tile {0}, store tile {1} to shared"),
                                      english("multiply")};
// A barrier interval lasts from one barrier to the next. Where it goes with a value of a loop's variable, as
// the textbook's phases do, that stands beside its number.
constexpr Words kOthersOnly = english("{0}, other warps only");
constexpr Words kIntervalDoes = english("{0}: {1}"), kNumberDoes = english("{0}: {1}"),
                kNumberWithDoes = english("{0}, {1} = {2}: {3}");

// A phrase, or several of them, in a language.
struct Doing {
    std::string full, brief;
    std::string between = {};  // of a round, whose number says more than that of the interval
};
Doing worded(const Phrase& phrase, u32 tile, Language language) {
    return {say(language, phrase.full, tile, tile + 1, tile + 2), say(language, phrase.brief)};
}
void append(Doing& doing, const Doing& next, Language language) {
    if (doing.full.empty())
        doing = next;
    else
        doing = {say(language, kThen, doing.full, next.full), say(language, kThen, doing.brief, next.brief)};
}
void append(Doing& doing, const Phrase& phrase, Language language) {
    append(doing, worded(phrase, 0, language), language);
}
Doing worded(const IntervalRounds& rounds, Language language) {
    const auto& [first, last, stride, lastStride] = rounds;
    if (first == last && stride)
        return {say(language, kAddsAtStride, first, stride), say(language, kRound, first),
                say(language, kRoundAtStride, first, stride)};
    if (first == last) return {say(language, kAddsInRound, first), say(language, kRound, first)};
    return {stride && lastStride ? say(language, kAddsAtStrides, first, last, stride, lastStride)
                                 : say(language, kAddsInRounds, first, last),
            say(language, kRounds, first, last)};
}

// Names from the longest to the shortest, none twice.
Band bandOf(u32 first, u32 end, u32 phase, const std::optional<LoopValue>& value, const Doing& doing,
            bool byOthers, Language language) {
    const std::string interval = intervalText(language, phase, value),
                      whole = say(language, kIntervalDoes, interval, doing.full);
    Band band{
        first,
        end,
        byOthers ? say(language, kIntervalDoes, say(language, kOthersOnly, interval), doing.full) : whole,
        {}};
    if (byOthers) band.shorter.push_back(whole);
    if (value)
        band.shorter.push_back(say(language, kNumberWithDoes, phase, value->name, value->value, doing.full));
    band.shorter.push_back(say(language, kNumberDoes, phase, doing.full));
    if (!doing.between.empty()) {
        band.shorter.insert(band.shorter.end(),
                            {doing.full, doing.between, doing.brief, std::to_string(phase)});
        return band;
    }
    if (doing.brief != doing.full) band.shorter.push_back(say(language, kNumberDoes, phase, doing.brief));
    band.shorter.push_back(doing.brief);
    band.shorter.push_back(std::to_string(phase));
    return band;
}

struct Touches {
    bool globalLoad = false, globalStore = false, sharedLoad = false, sharedStore = false;
    bool globalAtomic = false, sharedAtomic = false, shuffles = false;
    bool storesLoaded = false;  // to shared memory, what was loaded from global memory before
    bool worksFirst = false;    // a load from shared memory comes before the first one from global memory

    bool atomic() const { return globalAtomic || sharedAtomic; }
    bool any() const {
        return globalLoad || globalStore || sharedLoad || sharedStore || atomic() || shuffles;
    }
};

Touches touches(const ptx::Module& module, const trace::WarpTrace& warp, u32 first, u32 end, bool& isLoaded) {
    Touches t;
    for (u32 s = first; s < end; ++s) {
        if (const Pc pc = warp.steps[s].pc; pc.value < module.instructions.size())
            t.shuffles |= module.at(pc).name.starts_with("shfl.");
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        const bool shared = access.space == trace::Space::Shared;
        if (!shared && access.space != trace::Space::Global) continue;
        if (trace::isAtomic(access.kind)) {
            (shared ? t.sharedAtomic : t.globalAtomic) = true;
            continue;
        }
        if (access.kind == trace::AccessKind::AsyncCopy) {  // both at once; where nothing exists to be read
                                                            // it only fills shared memory
            t.globalLoad |= !shared, t.sharedStore = true;
            continue;
        }
        if (!trace::writes(access.kind) && shared && !t.globalLoad) t.worksFirst = true;
        if (!shared && !trace::writes(access.kind)) isLoaded = true;
        if (shared && trace::writes(access.kind)) t.storesLoaded |= std::exchange(isLoaded, false);
        (trace::writes(access.kind) ? (shared ? t.sharedStore : t.globalStore)
                                    : (shared ? t.sharedLoad : t.globalLoad)) = true;
    }
    return t;
}

// What the first of the block's warps that touches anything in a barrier interval touches there.
Touches touchesOfAny(const ptx::Module& module, const trace::FocusBlock& block, u32 phase) {
    for (const trace::WarpTrace& warp : block.warps) {
        const IntervalSteps steps = stepsOfInterval(warp, phase);
        bool isLoaded = false;
        if (const Touches t = touches(module, warp, steps.first, steps.end, isLoaded); t.any()) return t;
    }
    return {};
}

// Each kind of access, in the order of the first loads; where a round of sums is known, that in place of
// loads from shared memory and stores to it.
Doing accessesOf(const Touches& t, const IntervalRounds* rounds, bool goesOn, Language language) {
    Doing doing;
    const auto add = [&](const Phrase& phrase) { append(doing, phrase, language); };
    if (t.globalLoad && !t.worksFirst) add(kLoads);
    const bool updates = t.sharedLoad && t.sharedStore;
    if (updates && !rounds) add(kUpdatesShared);
    if (!updates && t.sharedLoad) add(kReadsShared);
    if (t.shuffles) add(kShuffles);
    if (rounds) append(doing, worded(*rounds, language), language);
    if (!updates && t.sharedStore) add(kWritesShared);
    if (t.globalLoad && t.worksFirst) add(kLoads);
    if (t.atomic())
        add(t.sharedAtomic && t.globalAtomic ? kAllAtomics
            : t.globalAtomic                 ? kGlobalAtomics
                                             : kSharedAtomics);
    if (t.globalStore) add(kStores);
    if (doing.full.empty()) add(goesOn ? kAccessesNothingYet : kAccessesNothing);
    return doing;
}

// Barrier intervals in which a warp stores to shared memory: where that is one, its tile is all there is, and
// has no number.
u32 intervalsThatStore(const ptx::Module& module, const trace::WarpTrace& warp) {
    u32 count = 0;
    bool isLoaded = false;
    for (u32 phase = 0; phase <= warp.barrierSteps.size(); ++phase) {
        const IntervalSteps steps = stepsOfInterval(warp, phase);
        count += touches(module, warp, steps.first, steps.end, isLoaded).sharedStore;
    }
    return count;
}

const IntervalRounds* roundsOf(const BandFacts& facts, u32 interval) {
    const auto found = facts.rounds.find(interval);
    return found == facts.rounds.end() ? nullptr : &found->second;
}

// Without that, there is nothing by which bands could be called but single accesses.
bool sharesBetweenBarriers(const trace::FocusBlock& block) {
    return std::ranges::any_of(block.warps, [](const trace::WarpTrace& warp) {
        return !warp.barrierSteps.empty() &&
               std::ranges::find(warp.accesses, trace::Space::Shared, &trace::StoredAccess::space) !=
                   warp.accesses.end();
    });
}

u32 firstAccess(const trace::WarpTrace& warp, u32 end) {
    for (u32 s = 0; s < end; ++s)
        if (warp.steps[s].access != trace::Step::kNone &&
            warp.accesses[warp.steps[s].access].space <= trace::Space::Shared)
            return s;
    return 0;
}

}  // namespace

u32 stepsOfSetUp(const trace::WarpTrace& warp) {
    constexpr u32 kLeast = 5;
    const u32 begin = warp.barrierSteps.empty() ? 0 : firstAccess(warp, warp.barrierSteps[0]);
    return begin < kLeast ? 0 : begin;
}

IntervalSteps stepsOfInterval(const trace::WarpTrace& warp, u32 interval) {
    const auto& barriers = warp.barrierSteps;
    if (interval > barriers.size()) return {};
    return {interval == 0 ? 0 : barriers[interval - 1] + 1,
            interval < barriers.size() ? barriers[interval] + 1 : u32(warp.steps.size())};
}

BandFacts bandFactsOf(const Recorded& run, const Cursor& cursor) {
    return bandFactsOf(run, cursor, LazyFlow(run, cursor));
}

BandFacts bandFactsOf(const Recorded& run, const Cursor& cursor, const LazyFlow& flow) {
    const CursorContext here = lookUp(run, cursor);
    const bool isCut = !run.recording.complete;
    if (!here.block || !sharesBetweenBarriers(*here.block)) return {.isCut = isCut};
    const Shape shape = flow.shape().shape;
    const std::optional<ReductionFacts> sums = shape == Shape::Tree   ? treeFacts(run, cursor, flow)
                                               : shape == Shape::Scan ? scanFacts(run, cursor, flow)
                                                                      : std::nullopt;
    return {.multipliesTiles = shape == Shape::Matmul,
            .rounds = sums ? roundsByInterval(*sums, *here.block) : RoundsByInterval{},
            .isCut = isCut};
}

std::vector<Band> bandsOf(const ptx::Module& module, const Launch& launch, const trace::FocusBlock& block,
                          Warp warpId, const BandFacts& facts, Language language) {
    const bool multipliesTiles = facts.multipliesTiles;
    std::vector<Band> bands;
    if (warpId.value >= block.warps.size()) return bands;
    const trace::WarpTrace& warp = block.warps[warpId.value];
    const u32 steps = u32(warp.steps.size()), barriers = u32(warp.barrierSteps.size());
    if (barriers == 0 && steps > 0) {
        bool isLoadedHere = false;
        const Touches t = touches(module, warp, 0, steps, isLoadedHere);
        const std::string whole = say(language, facts.isCut ? kBandSoFar : kBandWhole),
                          does = accessesOf(t, nullptr, facts.isCut, language).full;
        if (!t.any()) return {{0, steps, whole, {}}};
        return {{0, steps, say(language, kIntervalDoes, whole, does), {does, whole}}};
    }
    const std::vector<std::optional<LoopValue>> values = loopValues(module, launch, warp);
    const bool isNumbered = multipliesTiles && intervalsThatStore(module, warp) > 1;
    u32 first = 0, tiles = 0;
    bool isLoaded = false;  // something from global memory, and not stored to shared memory yet
    if (const u32 begin = stepsOfSetUp(warp); begin > 0) {
        bands.push_back({0, begin, say(language, kBandSetUp), {}, true});
        first = begin;
    }
    for (u32 phase = 0; phase <= barriers; ++phase) {
        const u32 end = phase < barriers ? warp.barrierSteps[phase] + 1 : steps;
        if (end <= first) continue;
        const bool wasLoaded = isLoaded;
        Touches t = touches(module, warp, first, end, isLoaded);
        const bool byOthers = !t.any();
        if (byOthers)
            t = touchesOfAny(module, block, phase);  // where others work, it is what the interval is for
        const bool loadsOnly = t.globalLoad || (t.sharedStore && !t.sharedLoad), works = t.sharedLoad;
        if (multipliesTiles && loadsOnly && !works && t.sharedStore) ++tiles;
        const auto named = [&]() -> const Phrase* {  // by tiles; null: by the accesses
            const bool hasNumber = tiles > 0 && isNumbered;
            if (!multipliesTiles) return nullptr;
            if (t.globalLoad && works && t.worksFirst && hasNumber)
                return wasLoaded && t.sharedStore ? &kMultipliesStoresLoads : &kMultipliesAndLoads;
            if (t.globalLoad && works) return &kLoadsAndMultiplies;
            if (works && !hasNumber) return &kMultiplies;
            if (works) return t.storesLoaded ? &kMultipliesAndStores : &kMultipliesTile;
            if (!loadsOnly || !isNumbered || !t.sharedStore) return nullptr;
            return isLoaded ? &kLoadsTwoTiles : &kLoadsTile;
        };
        Doing doing;
        if (const Phrase* phrase = named()) {
            doing = worded(*phrase, tiles, language);
            if (t.globalStore) append(doing, kStores, language);
        } else
            doing = accessesOf(t, roundsOf(facts, phase), facts.isCut && phase == barriers, language);
        const bool onlyStores =
            t.globalStore && !t.globalLoad && !t.sharedLoad && !t.sharedStore && !t.atomic();
        bands.push_back(onlyStores && !byOthers
                            ? Band{first, end, doing.full, {}}
                            : bandOf(first, end, phase, values[phase], doing, byOthers && t.any(), language));
        // What it stores is multiplied behind it, if it was loaded: through registers that may have been an
        // interval earlier, and behind the last tile a pipeline stores what nobody multiplies.
        if (multipliesTiles && t.sharedStore && works && (t.globalLoad || t.storesLoaded)) ++tiles;
        first = end;
    }
    return bands;
}

std::string shortestInWords(const Band& band) {
    return band.shorter.size() < 2 ? band.name : band.shorter[band.shorter.size() - 2];
}

std::vector<Band> withoutNarrowSetUp(std::vector<Band> bands,
                                     const std::function<bool(const Band&)>& hasRoom) {
    if (bands.size() < 2 || bands[0].end != bands[1].first || !bands[0].isSetUp ||
        (hasRoom(bands[0]) && hasRoom(bands[1])))
        return bands;
    bands[1].first = bands[0].first;
    bands.erase(bands.begin());
    return bands;
}

}  // namespace lockstep::explain
