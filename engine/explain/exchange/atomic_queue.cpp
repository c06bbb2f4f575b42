#include "explain/exchange/atomic_queue.h"

#include <algorithm>
#include <map>

namespace lockstep::explain {
namespace {

// Each lane found what the one before it left. Of several that found the same, those that left it unchanged
// come first. Other warps may come in between: then there is no such order.
std::optional<std::vector<Lane>> orderByValues(const std::vector<Lane>& lanes, const AtomicOperands& facts) {
    struct Change {
        Lane lane;
        std::vector<std::byte> before, after;
    };
    std::vector<Change> left;
    for (const Lane lane : lanes) {
        const AtomicOperands::Bytes &before = facts.oldValue(lane), after = facts.newValue(lane);
        if (!before || !after) return std::nullopt;
        left.push_back({lane, *before, *after});
    }
    // The first one found what none of the others left.
    const auto isLeftByAnother = [&](const Change& change) {
        return std::ranges::any_of(left, [&](const Change& other) {
            return other.lane != change.lane && other.before != other.after && other.after == change.before;
        });
    };
    const auto first = std::ranges::find_if_not(left, isLeftByAnother);
    if (first == left.end()) return std::nullopt;
    std::vector<std::byte> value = first->before;
    std::vector<Lane> order;
    while (!left.empty()) {
        const auto isNext = [&](bool changes) {
            return std::ranges::find_if(left, [&](const Change& change) {
                return change.before == value && (change.before != change.after) == changes;
            });
        };
        auto next = isNext(false);
        if (next == left.end()) next = isNext(true);
        if (next == left.end()) return std::nullopt;
        value = next->after;
        order.push_back(next->lane);
        left.erase(next);
    }
    return order;
}

}  // namespace

std::vector<AtomicQueue> atomicQueues(const trace::WarpTrace& warp, const trace::StoredAccess& access,
                                      const AtomicOperands& facts) {
    std::map<u64, std::vector<Lane>> byAddress;
    for (const Lane lane : access.active)
        byAddress[warp.address(access, lane)].push_back(lane);
    std::vector<AtomicQueue> queues;
    for (auto& [address, lanes] : byAddress) {
        std::optional<std::vector<Lane>> order = orderByValues(lanes, facts);
        const bool isOrdered = order.has_value();
        queues.push_back({address, isOrdered ? std::move(*order) : std::move(lanes), isOrdered});
    }
    std::ranges::stable_sort(queues, std::ranges::greater{},
                             [](const AtomicQueue& queue) { return queue.lanes.size(); });
    return queues;
}

}  // namespace lockstep::explain
