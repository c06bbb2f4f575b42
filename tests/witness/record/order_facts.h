// Two orders of a run's threads: what both logs have of the address by which the runs part, and the turns of
// the warps, worked out once more from the logs.
#pragma once

#include "explain/order/turns.h"
#include "run/orders/order_search.h"
#include "witness/record/facts.h"

#include <vector>

namespace lockstep::witness {

// One lane's access to the address.
struct LaneTouch {
    std::size_t at = 0;  // in its log
    Dim3 block{0, 0, 0}, thread{0, 0, 0};
    Pc pc;
    u32 line = 0;
    trace::AccessKind kind = trace::AccessKind::Load;
    std::vector<f64> values;  // one for each element that the access moves
};

// Accesses in a row of one warp.
struct LoggedTurn {
    Dim3 block{0, 0, 0};
    u32 warp = 0;
    std::size_t first = 0, accesses = 0;  // in the log
    u32 firstLine = 0, lastLine = 0;      // the least and the most
    bool isRacing = false;
};

// What a text may say: numbers of threads, blocks and lines, and values, which may be rounded.
struct OrderNumbers {
    std::vector<f64> names, values;
};

class OrderFacts {
public:
    // The search has a bad order, and the place where it parts.
    OrderFacts(const run::BadOrder& bad, const RunFacts& run);

    struct Side {
        const simt::AccessLog* log = nullptr;
        std::vector<LaneTouch> touches;  // in turn
        std::vector<LoggedTurn> turns;   // all, up to the last access that races
    };
    const Side& side(bool isChanged) const { return sides_[isChanged ? 1 : 0]; }
    std::size_t warps() const;  // that have a turn among the latest of either
    // The element of that name lies at the address.
    bool isElement(std::string_view name, const std::vector<s64>& indices) const;

    // Where the runs part, as the words before and behind it say; of all accesses of which it is true.
    enum class Said : u8 { Before, After, OtherWins, LastStore, Plain };
    std::vector<OrderNumbers> partings(Said said) const;
    // "thread 32 reads sdata[0]: 36": of the accesses of one side.
    std::vector<OrderNumbers> accesses(bool isChanged, trace::AccessKind kind) const;

    OrderNumbers numbersOf(const LaneTouch& touch, bool withBlock) const;  // thread, block
    std::vector<f64> coordinates(Dim3 at, Dim3 extents) const;
    const Launch& launch() const { return launch_; }

private:
    void gather(Side& side, const std::vector<explain::LaneAccess>& racing);
    const LaneTouch* counterpart(const LaneTouch& touch, bool ofChanged) const;
    OrderNumbers parted(const LaneTouch& now, const LaneTouch& before) const;
    void addOther(OrderNumbers& to, const LaneTouch& other, const LaneTouch& seenFrom) const;

    const RunFacts& run_;
    const Launch& launch_;
    const simt::LoggedAccess& parting_;
    u64 address_ = 0;
    const Array* array_ = nullptr;
    std::array<Side, 2> sides_;
};

}  // namespace lockstep::witness
