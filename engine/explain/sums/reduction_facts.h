// The sums that a block's threads make in shared memory, round by round: who adds which place to which. A
// round is what threads add between two barriers; where a thread adds to what it has made itself between
// them, another begins.
#pragma once

#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/lazy_flow.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

namespace lockstep::explain {

struct Addend {
    u64 place = 0;
    f64 value = 0;
    u32 order = 0;  // of the load
    bool operator==(const Addend& o) const { return place == o.place && value == o.value; }
};

struct Addition {
    Warp warp;
    Lane lane;
    u32 step = 0, order = 0;   // of the store
    std::vector<Addend> from;  // what is added
    u64 to = 0;
    f64 sum = 0;
    std::optional<Addend> own{};  // what stood there before, to which it is added; none: it is replaced
    std::size_t touch = 0;        // of the store among the array's loads and stores
    bool isMove = false;  // nothing is added: the thread takes over what another left in shared memory
    bool isUsed = true;   // false: no thread whose own sum is used ever reads it, as that of the lanes beyond
                          // half of a last warp's round
};

struct Loaded {
    Warp warp;
    Lane lane;
    u32 step = 0, order = 0;
    u64 place = 0;
    f64 value = 0;
};

// One of the elements that a thread puts together by itself, before it takes anything of others.
struct OwnElement {
    u32 buffer = 0;
    s64 element = 0;
    u32 step = 0, order = 0;  // in which it is taken into the thread's sum
    f64 sum = 0;              // which is that after it
};
struct OwnSum {
    Warp warp;
    Lane lane;
    std::vector<OwnElement> elements;  // in the order in which they are taken
};

// Elements side by side that threads of one warp put together by themselves.
struct OwnRun {
    u32 buffer = 0;
    Warp warp;
    s64 first = 0, end = 0;
};

struct ReductionFacts {
    SharedArray array;
    // Places are threads, warp * 32 + lane, where their sums stay in registers (explain/sums/thread_tree.h).
    bool isByThread = false;
    bool isSum = true;              // else of differences, products, minima, maxima or bits
    std::vector<OwnRun> ownRuns{};  // of all threads, by buffer, warp and place
    std::vector<OwnSum> own{};      // by thread; none: a thread puts only one element into the array
    u64 places = 0;                 // of the array, up to the last one that is used
    bool isFloat = false;           // what the last store keeps there: reals, or whole numbers
    std::vector<Loaded> start;      // what is put there before anything is added
    std::vector<std::vector<Addition>> rounds;  // none is empty
    bool isPadded =
        false;  // places lie between those that are used, so that places and the source's indices differ
    u32 roundsInRegisters =
        0;  // those after them whose own addend, or both, are in registers: by stores of it, and by shuffles
    u32 shuffles = 0;

    // Of a scan all places have a value that counts in each round, not only those that are added to.
    bool isScan = false;
    std::vector<std::vector<Loaded>>
        kept{};  // of each round: what threads copy into the row that takes its turn
    std::vector<u64>
        turns{};  // where two rows take turns: the place at which the start's, then each round's begins
    // As rounds are counted: one that only sets places, as Blelloch's scan does between going up and down, is
    // none.
    bool adds(u32 round) const {
        return std::ranges::any_of(rounds[round],
                                   [](const Addition& a) { return !a.from.empty() && !a.isMove; });
    }
    u32 numberOf(u32 round) const {
        return u32(std::ranges::count_if(std::views::iota(0u, round + 1), [&](u32 r) { return adds(r); }));
    }
    u32 count() const { return rounds.empty() ? 0 : numberOf(u32(rounds.size()) - 1); }
    u64 placeIn(u32 row, u64 column) const {
        return column + (row < turns.size() ? turns[row] : 0);
    }  // row 0: the start
};

// "x[3]"; by thread "thread 3". row 0: the start.
std::string placeNameOf(const ReductionFacts& facts, u32 row, u64 place, Language language);
// "x[3] = x[3] + x[1]: 6 = 4 + 2", of one of a round's.
std::string formulaOf(const ReductionFacts& facts, u32 round, const Addition& addition,
                      Language language = Language::English);
// "rows[16] = rows[0] = 6", of what a thread copies in a round into the row that takes its turn.
std::string formulaOf(const ReductionFacts& facts, u32 round, const Loaded& kept, Language language);

// Of a thread; none: it puts nothing together.
const OwnSum* ownSumOf(const ReductionFacts& facts, Warp warp, Lane lane);

// None where no thread adds one place of a shared array to another, or the block cannot be followed. Of
// several arrays in which threads do, the first is meant, else the one that is named.
std::optional<ReductionFacts> reductionFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);
std::optional<ReductionFacts> reductionFacts(const Recorded& run, const Cursor& cursor);
std::optional<ReductionFacts> reductionFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& flow,
                                             const SharedArray& array);

}  // namespace lockstep::explain
