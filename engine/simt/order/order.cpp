#include "simt/order/order.h"

#include "base/lane_mask.h"

#include <algorithm>

namespace lockstep::simt {
namespace {

using Turns = Order::Turns;
using Parts = Order::Parts;

constexpr std::size_t kMostDelayed = 12, kMostLanes = 4;

// A small stream of drawn numbers.
class Draws {
public:
    explicit Draws(u64 seed) : seed_(seed) {}
    u64 next() { return mixed(seed_, ++count_); }
    u32 below(u32 bound) { return u32(next() % bound); }

private:
    u64 seed_, count_ = 0;
};

std::vector<Order> partings(const OrderChoices& choices) {
    std::vector<Order> all;
    if (choices.betweenWarps || !choices.withinWarps) all.push_back({});
    if (choices.lanesPart && choices.withinWarps) {
        all.push_back({.parts = Parts::EachLane});
        all.push_back({.parts = Parts::Halves});
        for (std::size_t i = 0; i < std::min(choices.lanes.size(), kMostLanes); ++i)
            all.push_back({.parts = Parts::OneLane, .lane = choices.lanes[i]});
        all.push_back({.parts = Parts::EvenAndOdd});
    }
    return all;
}

}  // namespace

std::vector<Order> directedOrders(const OrderChoices& choices) {
    std::vector<Order> orders;
    for (const Order& parting : partings(choices)) {
        const auto add = [&](auto change) {
            Order order = parting;
            change(order);
            if (!order.isRecorded()) orders.push_back(order);
        };
        for (bool highest : {true, false})
            add([&](Order& o) { o.highestFirst = highest; });
        for (bool highest : {false, true})
            add([&](Order& o) { o.turns = Turns::AfterEachAccess, o.highestFirst = highest; });
        for (std::size_t i = 0; i < std::min(choices.racing.size(), kMostDelayed); ++i)
            for (bool highest : {false, true})
                add([&](Order& o) { o.delayed = choices.racing[i], o.highestFirst = highest; });
    }
    return orders;
}

Order orderOf(const OrderChoices& choices, std::span<const Order> directed, u64 seed, u32 number) {
    if (number == 0) return {};
    if (number <= directed.size()) return directed[number - 1];
    Order order{.seed = mixed(seed, number)};
    Draws draws(order.seed);
    // Few changes find most bugs: Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of
    // Finding Bugs" (ASPLOS 2010).
    constexpr u32 kMostChanges = 4;
    order.turns = draws.below(4) ? Turns::Priorities : Turns::Drawn;
    if (order.turns == Turns::Priorities) order.changes = draws.below(kMostChanges + 1);
    order.atEvery = choices.racing.empty() || draws.below(4) == 0;
    // A race between warps needs no parted lanes, and these take long.
    const bool mayPart = choices.lanesPart && (choices.withinWarps || choices.racing.empty());
    if (mayPart && draws.below(4) < 3) {
        constexpr Parts kParts[] = {Parts::Halves, Parts::OneLane, Parts::EachLane, Parts::EvenAndOdd,
                                    Parts::Drawn};
        order.parts = kParts[draws.below(u32(std::size(kParts)))];
        order.lane = draws.below(kWarpSize);
    }
    if (!choices.racing.empty() && draws.below(4) == 0)
        order.delayed = choices.racing[draws.below(u32(choices.racing.size()))];
    return order;
}

u32 lanesWith(const Order& order, u32 lane, u64 block, u32 warp) {
    constexpr u32 kLow = 0x0000ffff, kEven = 0x55555555;
    const auto sideOf = [&](u32 mask) { return mask >> lane & 1 ? mask : ~mask; };
    switch (order.parts) {
        case Parts::Whole: break;
        case Parts::Halves: return sideOf(kLow);
        case Parts::OneLane: return sideOf(1u << order.lane);
        case Parts::EachLane: return 1u << lane;
        case Parts::EvenAndOdd: return sideOf(kEven);
        case Parts::Drawn: return sideOf(u32(mixed(order.seed ^ block, warp)));
    }
    return LaneMask::all().bits;
}

}  // namespace lockstep::simt
