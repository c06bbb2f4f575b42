// The sums that a block makes in shared memory, by rounds: what its threads add between two barriers.
#pragma once

#include "witness/record/facts.h"

#include <set>
#include <vector>

namespace lockstep::witness {

struct Rounds {
    struct Operand {
        u64 place = 0;
        f64 value = 0;
    };
    struct Addition {
        u32 warp = 0, lane = 0, step = 0, order = 0;  // of the store
        u64 to = 0;
        f64 sum = 0;
        std::vector<Operand> of;  // what it is made of, its own place among them
        bool hasOwn = false;
        bool isUsed = true;
        bool isMove = false;  // taken over through shared memory
    };
    struct Own {  // an element that a thread puts together by itself
        u64 address = 0;
        u32 order = 0, step = 0;  // that take it
        f64 sum = 0;              // after it
    };
    const Array* array = nullptr;
    bool isScan = false;
    bool isByThread = false, isSum = true;  // places are threads
    std::map<u64, std::vector<Own>> own{};  // by thread
    std::map<u64, u32> startsOf{};          // the same: order in which its own elements are together
    u32 shuffles = 0;                       // behind the last round, of the warp that has most
    u64 places = 0;
    u64 second = 0;  // of a scan in two rows that take turns: where the second begins
    std::vector<std::vector<Addition>> rounds;
    std::vector<u32> starts;  // orders of what is stored before anything is added
    u32 startPhase = 0;
    std::vector<std::pair<std::pair<u32, u64>, f64>> stores;  // all: order, column; value
    std::set<u64> used;                                       // places that are loaded or stored
    std::vector<std::vector<Addition>>
        copies;           // of a scan, by round: of a value into the row that takes its turn
    u32 inRegisters = 0;  // rounds whose sums a register keeps
    // As they are counted: one that sets places without adding is none.
    bool adds(u32 round) const {
        for (const Addition& a : rounds[round])
            if (!a.isMove && a.of.size() > std::size_t(a.hasOwn)) return true;
        return false;
    }
    u32 count() const {
        u32 all = 0;
        for (u32 r = 0; r < rounds.size(); ++r)
            all += adds(r);
        return all;
    }
    // From nought, of the round that has that number; past the last: there is none.
    u32 numbered(f64 number) const {
        u32 all = 0;
        for (u32 r = 0; r < rounds.size(); ++r)
            if (adds(r) && f64(++all) == number) return r;
        return u32(rounds.size());
    }
    bool isPadded() const {
        std::set<u64> columns;
        for (u64 place : used)
            columns.insert(columnOf(place));
        return columns.size() < places;
    }
    // How far from its place what is added stands, where that is as far for all.
    std::optional<u64> strideOf(u32 round) const {
        std::set<u64> strides;
        for (const Addition& a : rounds[round])
            for (const Operand& operand : a.of) {
                if (isByThread && !a.isUsed) continue;
                const u64 from = columnOf(operand.place), to = columnOf(a.to);
                if (from != to) strides.insert(from > to ? from - to : to - from);
            }
        return strides.size() == 1 ? std::optional(*strides.begin()) : std::nullopt;
    }
    u64 columnOf(u64 place) const { return second > 0 && place >= second ? place - second : place; }
};
// A round is what a thread adds between two barriers; where it adds several times, each time is one. Of a
// scan: where a place is written several times.
// By thread, of a block whose values go through registers (thread_rounds.cpp).
std::optional<Rounds> threadRoundsOf(const BlockFacts& block);
std::optional<Rounds> roundsOf(const BlockFacts& block, const Array& array, bool isScan);

}  // namespace lockstep::witness
