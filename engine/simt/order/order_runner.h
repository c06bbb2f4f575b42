// Runs blocks of one launch in a given order, access by access, on the plain interpreter.
#pragma once

#include "simt/block_runner.h"
#include "simt/order/order.h"

#include <memory>
#include <span>
#include <vector>

namespace lockstep::simt {

// By pc: may turns change before this access?
using Stops = std::vector<u8>;
// Every access to memory that threads share.
Stops allStops(const Program& program);

struct OrderedBlocks {
    std::span<const u64> blocks;  // linear, ascending
    std::span<const u8> racing, every;
    bool lanesPart = false;   // else lanes of a warp that diverge take no turns with each other
    u64 expectedSteps = 0;    // about: changes of priority are drawn from these
    u64 mostSteps = ~u64{0};  // then it is taken for one that never ends
    Snapshot* snapshot = nullptr;
    AccessListener* listener = nullptr;
};

class OrderRunner {
public:
    // All of them outlive this. The program is a plain one.
    OrderRunner(const Program& program, const DeviceMemory& device, const GridShape& shape, Stop& stop);

    enum class End : u8 { Done, Hangs /* all that is left waits */, Stopped };
    struct Outcome {
        End end = End::Done;
        u64 steps = 0;
    };
    Outcome run(const Order& order, const OrderedBlocks& of);

private:
    struct Resident {
        std::unique_ptr<BlockRunner> runner;
        u64 block = 0;
        std::vector<u64> priorities;  // by thread
    };
    struct Choice {
        Resident* resident = nullptr;  // none: nothing can run
        u32 warp = 0;
        std::size_t path = 0;
        u64 priority = 0;
    };
    void begin(Resident& resident, u64 block);
    bool beginNext();  // false: all blocks have begun
    u64 firstPriority(u64 block, u32 warp, u32 lane) const;
    void partLanes(Resident& resident, u32 warp, std::size_t path);
    bool isDelayed(const Path& path) const;
    Choice choose();
    void consider(Resident& resident, u32 warp, std::size_t path, Choice& best);
    bool goesOn(const Choice& choice, u32 mask) const;
    void lower(Resident& resident, u32 warp, u32 mask);
    void takeTurns(Resident& resident, u32 warp, u32 mask);
    void drawChanges();

    const Program& program_;
    const DeviceMemory& device_;
    const GridShape shape_;
    Stop& stop_;
    Tally tally_;
    std::vector<std::unique_ptr<Resident>> idle_, resident_;
    // Of the run under way.
    Order order_;
    OrderedBlocks of_;
    std::span<const u8> stops_;
    std::vector<u64> blocks_;  // in the order in which they begin
    std::size_t begun_ = 0;
    u64 low_ = 0, drawn_ = 0, steps_ = 0;
    u32 ready_ = 0;               // paths that can run
    std::vector<u64> changesAt_;  // steps, ascending
};

}  // namespace lockstep::simt
