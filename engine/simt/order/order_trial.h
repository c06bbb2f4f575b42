// An experiment run in one order after another, on buffers of its own.
#pragma once

#include "simt/emulator.h"
#include "simt/order/access_log.h"
#include "simt/order/order_runner.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::simt {

// Which launches are run in an order, and what of them.
struct OrderPlan {
    struct Part {
        bool isOrdered = false;   // else it is run as ever
        std::vector<u64> blocks;  // linear, ascending; empty: all. Only some of blocks that are independent
        std::vector<Pc> racing;   // where turns change; empty: at every access
    };
    std::vector<Part> launches;
    bool lanesPart = false;
    bool cooperative = false;
};

class OrderTrial {
public:
    // All outlive this. Runs what comes before the first ordered launch.
    static Expected<std::unique_ptr<OrderTrial>> make(const ptx::Module& module,
                                                      std::span<const Launch> launches,
                                                      std::span<const Buffer> initial, const OrderPlan& plan,
                                                      Stop& stop);
    OrderTrial(const OrderTrial&) = delete;
    OrderTrial& operator=(const OrderTrial&) = delete;

    struct Outcome {
        OrderRunner::End end = OrderRunner::End::Done;
        u64 steps = 0;
        u64 state = 0;  // what the ordered launches have changed: equal numbers, equal memory
    };
    // log: may be null.
    Outcome run(const Order& order, AccessLog* log = nullptr);
    // The buffers at the end of the launches, those after the ordered ones included. Until the next run.
    std::span<const Buffer> finish();

private:
    OrderTrial(const ptx::Module& module, std::span<const Launch> launches, std::span<const Buffer> initial,
               const OrderPlan& plan, Stop& stop);
    struct Prepared {
        Program program;
        std::optional<Program> fast;  // made when it is first run as a whole
        std::vector<std::byte> parameters;
        GridShape shape;
        Stops racing, every;
        std::vector<u64> blocks;
        std::unique_ptr<OrderRunner> runner;
        u64 steps = 0, stepsAtEvery = 0;  // of the recorded order
    };
    Expected<void> prepare(u32 launch);
    void measureRecorded();
    OrderedBlocks of(u32 launch) const;
    void runWhole(u32 launch);
    void restore();  // as it was before the ordered launches
    u64 stateNumber() const;
    using Contents = std::vector<std::vector<std::byte>>;  // by allocation
    Contents contents() const;
    void put(const Contents& contents);
    void putTogether(const Contents& now);

    const ptx::Module& module_;
    std::span<const Launch> launches_;
    const OrderPlan& plan_;
    Stop& stop_;
    std::vector<Buffer> buffers_;
    DeviceMemory memory_;
    std::vector<std::unique_ptr<Prepared>> prepared_;
    u32 firstOrdered_ = 0, endOrdered_ = 0;
    std::unique_ptr<Snapshot> before_;  // the ordered launches
    std::optional<KernelHeap> heapBefore_;
    std::vector<Buffer> finished_;
    Contents whole_, some_;  // after all blocks, and after some of them, in the recorded order
};

}  // namespace lockstep::simt
