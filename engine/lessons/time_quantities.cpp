// Times of the cycle model: how long a launch takes, what its warps wait for, and what it would take with one
// thing changed. A lesson says beside them that they are modeled, and how far off.
#include "lessons/quantity_rows.h"
#include "run/machine/changed_times.h"
#include "run/machine/timed_run.h"

#include <cmath>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;
using time::Change;
using time::Stall;

constexpr s64 kPercent = 100;

const run::TimedRun* timeOf(P place) { return place.facts ? place.facts->time() : nullptr; }

// Of the first launch, which is what changes are compared with.
Number cyclesOf(P place) {
    const run::TimedRun* const timed = timeOf(place);
    return timed ? Number(s64(timed->launches.front().elapsedCycles)) : Number();
}

bool isWait(std::size_t reason) {
    return Stall(reason) != Stall::Selected && Stall(reason) != Stall::NotSelected;
}

struct Waiting {
    time::StallCycles byReason{};
    u64 all = 0, exposed = 0;
};
std::optional<Waiting> waitingOf(P place) {
    const run::TimedRun* const timed = timeOf(place);
    if (!timed) return {};
    Waiting waiting;
    for (const run::TimedLine& line : timed->lines)
        for (std::size_t i = 0; i < time::kStalls; ++i) {
            if (!isWait(i)) continue;
            waiting.byReason[i] += line.stalls[i];
            waiting.all += line.stalls[i];
            waiting.exposed += line.exposed[i];
        }
    return waiting.all ? std::optional(waiting) : std::nullopt;
}

s64 percentOf(u64 part, u64 whole) { return std::llround(f64(kPercent) * f64(part) / f64(whole)); }

template <Stall Reason> Number shareOf(P place) {
    const std::optional<Waiting> waiting = waitingOf(place);
    return waiting ? Number(percentOf(waiting->byReason[std::size_t(Reason)], waiting->all)) : Number();
}

template <Change What> Number cyclesWith(P place) {
    const run::ChangedTimes* const times = place.facts ? place.facts->with(What) : nullptr;
    if (!times || times->changes.empty() || times->changes.front().why) return {};
    // Of large launches a smaller part is timed for it: the same share of the whole is saved.
    const f64 share = 1 - times->saved(times->changes.front());
    return Number(std::llround(share * f64(*cyclesOf(place))));
}

}  // namespace

std::vector<Quantity> timeRows() {
    return {
        {"modeled_cycles", english("cycles of the first launch by the cycle model"), NumberOf(cyclesOf)},
        {"modeled_error", english("hundredths by which the cycle model is off on average, for such launches"),
         NumberOf([](P p) -> Number {
             const run::TimedRun* const timed = timeOf(p);
             if (!timed || !timed->errorPercent) return {};
             return Number(std::llround(*timed->errorPercent));
         })},
        {"hidden_percent",
         english("hundredths of the warps' waiting in which another warp of the sub-core issues"),
         NumberOf([](P p) -> Number {
             const std::optional<Waiting> waiting = waitingOf(p);
             return waiting ? Number(percentOf(waiting->all - waiting->exposed, waiting->all)) : Number();
         })},
        {"long_scoreboard_percent", english("hundredths of the waiting that is for global or local memory"),
         NumberOf(shareOf<Stall::LongScoreboard>)},
        {"short_scoreboard_percent",
         english("hundredths of the waiting that is for shared memory or another slow result"),
         NumberOf(shareOf<Stall::ShortScoreboard>)},
        {"barrier_percent", english("hundredths of the waiting that is for other warps at a barrier"),
         NumberOf(shareOf<Stall::Barrier>)},
        {"cycles_without_conflicts", english("cycles if no access to shared memory had a bank conflict"),
         NumberOf(cyclesWith<Change::NoBankConflicts>)},
        {"cycles_coalesced", english("cycles if every access to global memory were perfectly coalesced"),
         NumberOf(cyclesWith<Change::Coalesced>)},
        {"cycles_all_hits", english("cycles if every load of global memory hit L1"),
         NumberOf(cyclesWith<Change::AllHits>)},
        {"cycles_without_barriers", english("cycles if no warp waited at a barrier"),
         NumberOf(cyclesWith<Change::NoBarriers>)},
        {"cycles_twice_bandwidth", english("cycles with twice the bandwidth of L2 and device memory"),
         NumberOf(cyclesWith<Change::TwiceTheBandwidth>)},
        {"cycles_one_block", english("cycles if an SM kept one block at a time"),
         NumberOf(cyclesWith<Change::OneBlock>)},
    };
}

}  // namespace lockstep::lessons
