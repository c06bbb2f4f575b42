// One order in which the blocks, warps and lanes of a launch take turns: a few numbers from which it can be
// repeated exactly.
//
// All orders keep the accesses of a thread in the order of its program and wait at barriers: they are
// sequentially consistent, and leave out what weak memory adds. From compute capability 7.0 on the lanes of a
// warp may part anywhere between instructions that they execute together.
#pragma once

#include "base/indices.h"

#include <span>
#include <vector>

namespace lockstep::simt {

struct Order {
    enum class Turns : u8 {
        UntilItWaits,     // each goes on until it waits for others
        AfterEachAccess,  // one access each, in turn
        Drawn,            // who makes the next access is drawn
        Priorities,       // the highest goes on; after `changes` accesses, drawn too, it becomes the lowest
    } turns = Turns::UntilItWaits;
    bool highestFirst = false;  // of blocks, warps and parted lanes: the last one begins
    enum class Parts : u8 { Whole, Halves, OneLane, EachLane, EvenAndOdd, Drawn } parts = Parts::Whole;
    u32 lane = 0;          // of OneLane
    Pc delayed = kNoPc;    // this access only once nothing else can run
    u32 changes = 0;       // of Priorities
    bool atEvery = false;  // turns change at every access, not only at racing ones
    u64 seed = 0;          // of what is drawn
    bool isRecorded() const { return *this == Order{}; }
    bool operator==(const Order&) const = default;
};

// What is known of a launch's races, to look at likely orders first.
struct OrderChoices {
    std::vector<Pc> racing;     // accesses, the most likely first
    std::vector<u32> lanes;     // of the threads that race
    bool lanesPart = false;     // the device may part lanes
    bool withinWarps = false;   // some race is one of a warp's lanes
    bool betweenWarps = false;  // some race is not
};

// Those worth trying first, before any is drawn; the recorded order is not among them.
std::vector<Order> directedOrders(const OrderChoices& choices);
// Order `number` (from 1; 0 is the recorded one) of a search: a directed one, else drawn from seed and
// number.
Order orderOf(const OrderChoices& choices, std::span<const Order> directed, u64 seed, u32 number);

// The lanes that stay with this one where the lanes of a warp part.
u32 lanesWith(const Order& order, u32 lane, u64 block, u32 warp);

// A well mixed number of two: splitmix64's finalizer (Steele, Lea, Flood 2014).
constexpr u64 mixed(u64 a, u64 b) {
    u64 x = a * 0x9e3779b97f4a7c15ull + b + 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

}  // namespace lockstep::simt
