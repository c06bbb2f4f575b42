// Times of the cycle model: how long a launch takes, what its warps wait for, and what it would take with one
// thing changed. A lesson says beside them that they are modeled, and how far off.
#include "lessons/quantity_rows.h"
#include "run/machine/changed_times.h"
#include "run/machine/timed_run.h"

#include <algorithm>
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

// What the warps of the SMs wait for most; and as much as the kernel takes as it is.
Message longestWaitClue(P place) {
    const std::optional<Waiting> waiting = waitingOf(place);
    if (!waiting) return {};
    const auto most = std::ranges::max_element(waiting->byReason);
    return Message(english("The most frequent reason to wait is {0}: {1} % of the waiting."),
                   std::string(time::nameOf(Stall(most - waiting->byReason.begin()))),
                   percentOf(*most, waiting->all));
}
Message asItIsClue(P place) {
    const Number cycles = cyclesOf(place);
    return cycles ? Message(english("As the kernel is, it takes {0} {0:cycle|cycles}."), *cycles) : Message();
}
Message warpsOfSmClue(P place) {
    return Message(english("The kernel has {0} {0:warp|warps}, and this one issues {1} "
                           "{1:instruction|instructions}."),
                   place.run->recording.launches[place.cursor.launch.value].grid.count() *
                       place.here.block->warps.size(),
                   place.warp().steps.size());
}
Message errorClue(P) { return english("It was found by comparing such launches with their times on a GPU."); }

}  // namespace

std::vector<Quantity> timeRows() {
    return {
        {"modeled_cycles", english("cycles of the first launch by the cycle model"), NumberOf(cyclesOf),
         warpsOfSmClue},
        {"modeled_error", english("hundredths by which the cycle model is off on average, for such launches"),
         NumberOf([](P p) -> Number {
             const run::TimedRun* const timed = timeOf(p);
             if (!timed || !timed->errorPercent) return {};
             return Number(std::llround(*timed->errorPercent));
         }),
         errorClue},
        {"hidden_percent",
         english("hundredths of the warps' waiting in which another warp of the sub-core issues"),
         NumberOf([](P p) -> Number {
             const std::optional<Waiting> waiting = waitingOf(p);
             return waiting ? Number(percentOf(waiting->all - waiting->exposed, waiting->all)) : Number();
         }),
         Clues(longestWaitClue, asItIsClue)},
        {"long_scoreboard_percent", english("hundredths of the waiting that is for global or local memory"),
         NumberOf(shareOf<Stall::LongScoreboard>), Clues(longestWaitClue, asItIsClue)},
        {"short_scoreboard_percent",
         english("hundredths of the waiting that is for shared memory or another slow result"),
         NumberOf(shareOf<Stall::ShortScoreboard>), Clues(longestWaitClue, asItIsClue)},
        {"barrier_percent", english("hundredths of the waiting that is for other warps at a barrier"),
         NumberOf(shareOf<Stall::Barrier>), Clues(longestWaitClue, asItIsClue)},
        {"cycles_without_conflicts", english("cycles if no access to shared memory had a bank conflict"),
         NumberOf(cyclesWith<Change::NoBankConflicts>), Clues(asItIsClue, longestWaitClue)},
        {"cycles_coalesced", english("cycles if every access to global memory were perfectly coalesced"),
         NumberOf(cyclesWith<Change::Coalesced>), Clues(asItIsClue, longestWaitClue)},
        {"cycles_all_hits", english("cycles if every load of global memory hit L1"),
         NumberOf(cyclesWith<Change::AllHits>), Clues(asItIsClue, longestWaitClue)},
        {"cycles_without_barriers", english("cycles if no warp waited at a barrier"),
         NumberOf(cyclesWith<Change::NoBarriers>), Clues(asItIsClue, longestWaitClue)},
        {"cycles_twice_bandwidth", english("cycles with twice the bandwidth of L2 and device memory"),
         NumberOf(cyclesWith<Change::TwiceTheBandwidth>), Clues(asItIsClue, longestWaitClue)},
        {"cycles_one_block", english("cycles if an SM kept one block at a time"),
         NumberOf(cyclesWith<Change::OneBlock>), Clues(asItIsClue, longestWaitClue)},
    };
}

}  // namespace lockstep::lessons
