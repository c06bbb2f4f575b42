// Lanes that update one word, and what an atomic of a warp costs.
#include "explain/arrays/shared_arrays.h"
#include "explain/exchange/atomic_queue.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/lane_lists.h"
#include "lessons/quantity_rows.h"
#include "lessons/site_clues.h"
#include "model/access/access_cost.h"

#include <algorithm>
#include <bit>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;

// The longest first.
std::vector<explain::AtomicQueue> queuesOf(P place) {
    if (!place.access || !trace::isAtomic(place.access->kind)) return {};
    const explain::AtomicOperands facts(*place.run->module, place.run->recording.launches.front(),
                                        place.run->recording.initial.size(), *place.here.block,
                                        place.cursor.warp, place.cursor.step);
    return explain::atomicQueues(place.warp(), *place.here.access, facts);
}

LaneMask maskOf(const explain::AtomicQueue& queue) {
    LaneMask lanes;
    for (const Lane lane : queue.lanes)
        lanes = lanes | LaneMask::of(lane);
    return lanes;
}

// Two lanes that update the same word; or that no two do.
Message queueClue(P place) {
    const std::vector<explain::AtomicQueue> queues = queuesOf(place);
    if (queues.empty()) return {};
    const LaneMask lanes = maskOf(queues.front());
    const Lane first = lanes.lowest();
    if (lanes.count() < 2) return english("Every lane updates a word of its own.");
    return Message(english("Lanes {0} and {1} update the same word."), first.value,
                   u32(std::bit_width(lanes.bits)) - 1);
}

std::string nameOfWord(P place, Lane lane) {
    return explain::nameOfAddress(*place.access, lane, *place.run->module, place.run->recording,
                                  explain::arrayShapes(*place.run, place.cursor.launch));
}

// A word that fewer lanes update than the one with most, and its lanes; empty: all have as many, or one.
Message shorterQueueClue(P place) {
    const std::vector<explain::AtomicQueue> queues = queuesOf(place);
    for (const explain::AtomicQueue& queue : queues) {
        const LaneMask lanes = maskOf(queue);
        if (lanes.count() < 2 || lanes.count() == maskOf(queues.front()).count()) continue;
        const Message named =
            Text{explain::lanesText(lanes, Language::English), explain::lanesText(lanes, Language::Chinese)};
        return Message(
            english("{0} is updated by lanes {1}, and takes {2} turns. Another word is updated by more."),
            nameOfWord(place, lanes.lowest()), named, lanes.count());
    }
    return {};
}

// Two lanes whose updates need not take turns; empty: all update one word.
Message differentWordsClue(P place) {
    const std::vector<explain::AtomicQueue> queues = queuesOf(place);
    if (queues.size() < 2) return {};
    const u32 a = maskOf(queues[0]).lowest().value, b = maskOf(queues[1]).lowest().value;
    return Message(english("Lanes {0} and {1} update different words."), std::min(a, b), std::max(a, b));
}

Message wordOfLane(P place, Lane lane) {
    if (!place.access || !place.access->active.has(lane)) return activityOfLane(place, lane);
    return Message(english("Lane {0} updates {1}."), lane.value, nameOfWord(place, lane));
}

Message myWordClue(P place) { return wordOfLane(place, place.cursor.lane); }

template <trace::Space Space> Number updatesIn(P place) {
    s64 updates = 0;
    for (const model::SiteReport& site : place.run->report.sites)
        if (site.space == Space && trace::isAtomic(site.kind)) updates += s64(site.activeLanes);
    return updates;
}

template <auto Member> Number costOf(P place) {
    if (!place.access || !trace::isAtomic(place.access->kind)) return {};
    return s64(model::AccessCosting(*place.run->module, place.run->profile).cost(*place.access).*Member);
}

}  // namespace

std::vector<Quantity> atomicRows() {
    return {
        {"updated_words", english("different words that this atomic updates"), NumberOf([](P p) -> Number {
             const auto queues = queuesOf(p);
             return queues.empty() ? Number() : Number(s64(queues.size()));
         }),
         Clues(queueClue, differentWordsClue)},
        {.name = "queue_lanes",
         .meaning = english("lanes that update the word with the most of them in this atomic"),
         .of = LanesOf([](P p) -> std::optional<LaneMask> {
             const auto queues = queuesOf(p);
             return queues.empty() ? std::nullopt : std::optional(maskOf(queues.front()));
         }),
         .clue = Clues(shorterQueueClue, queueClue),
         .ofLane = wordOfLane,
         .notMore = differentWordsClue},
        {"my_queue_lanes", english("lanes that update the word of the cursor's lane in this atomic"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             for (const explain::AtomicQueue& queue : queuesOf(p))
                 if (const LaneMask lanes = maskOf(queue); lanes.has(p.cursor.lane)) return lanes;
             return {};
         }),
         myWordClue, wordOfLane},
        {"global_updates", english("atomic updates of words of global memory, all threads"),
         NumberOf(updatesIn<trace::Space::Global>), globalUpdatesClue},
        {"shared_updates", english("atomic updates of words of shared memory, all threads"),
         NumberOf(updatesIn<trace::Space::Shared>), sharedUpdatesClue},
        {.name = "atomic_wavefronts",
         .meaning = english("wavefronts of this atomic to shared memory, as the machine runs it"),
         .of = NumberOf(costOf<&trace::AccessCost::wavefronts>),
         .clue = queueClue,
         .notMore = differentWordsClue},
    };
}

}  // namespace lockstep::lessons
