// Lanes that update one word, and what an atomic of a warp costs.
#include "explain/exchange/atomic_queue.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/lane_lists.h"
#include "lessons/quantity_rows.h"
#include "model/access/access_cost.h"

#include <algorithm>

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

Message queueReason(P place) {
    const std::vector<explain::AtomicQueue> queues = queuesOf(place);
    if (queues.empty()) return sentenceOf(place);
    const auto lanes = [&](Language language) {
        return explain::lanesText(maskOf(queues.front()), language);
    };
    return Message(english("{0} {0:word is|words are} updated; the most lanes for one word: {1}."),
                   queues.size(), Message(Text{lanes(Language::English), lanes(Language::Chinese)}));
}

template <trace::Space Space> Number updatesIn(P place) {
    s64 updates = 0;
    for (const model::SiteReport& site : place.run->report.sites)
        if (site.space == Space && trace::isAtomic(site.kind)) updates += s64(site.activeLanes);
    return updates;
}

Message updatesReason(P place) {
    return Message(
        english("All threads together make {0} atomic {0:update|updates} of global memory and {1} of shared "
                "memory."),
        updatesIn<trace::Space::Global>(place).value_or(0),
        updatesIn<trace::Space::Shared>(place).value_or(0));
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
         queueReason},
        {"queue_lanes", english("the most lanes that update the same word in this atomic"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             const auto queues = queuesOf(p);
             return queues.empty() ? std::nullopt : std::optional(maskOf(queues.front()));
         }),
         queueReason},
        {"my_queue_lanes", english("lanes that update the word of the cursor's lane in this atomic"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             for (const explain::AtomicQueue& queue : queuesOf(p))
                 if (const LaneMask lanes = maskOf(queue); lanes.has(p.cursor.lane)) return lanes;
             return {};
         }),
         queueReason},
        {"global_updates", english("atomic updates of words of global memory, all threads"),
         NumberOf(updatesIn<trace::Space::Global>), updatesReason},
        {"shared_updates", english("atomic updates of words of shared memory, all threads"),
         NumberOf(updatesIn<trace::Space::Shared>), updatesReason},
        {"atomic_wavefronts", english("wavefronts of this atomic to shared memory, as the machine runs it"),
         NumberOf(costOf<&trace::AccessCost::wavefronts>), queueReason},
    };
}

}  // namespace lockstep::lessons
