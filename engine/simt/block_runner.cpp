#include "simt/block_runner.h"

#include <algorithm>

namespace lockstep::simt {

BlockRunner::BlockRunner(const Program& program, const DeviceMemory& device, const GridShape& shape,
                         Tally& tally, Stop& stop, bool concurrent)
    : program_(program),
      shape_(shape),
      tally_(tally),
      stop_(stop),
      memory_(program, device, LaunchId{shape.launch}, shape.block, concurrent),
      threads_(u32(shape.block.count())) {
    const u32 warps = (threads_ + kWarpSize - 1) / kWarpSize;
    warps_.reserve(warps);
    for (u32 warp = 0; warp < warps; ++warp)
        warps_.emplace_back(program, shape, warp);
}

void BlockRunner::begin(Block block, const Observers& observers, const BlockWatch* watch) {
    watch_ = watch;
    linear_ = block;
    at_ = coordinatesOf(block.value, shape_.grid);
    observers_ = observers;
    issued_ = nextCheck_ = told_ = 0;
    alive_ = threads_;
    restingThreads_ = 0;
    if (!output_.isEmpty()) output_ = {};
    barriers_.beginBlock();
    memory_.beginBlock(at_, observers);
    if (observers.globalShadow) observers.globalShadow->beginBlock(block);
    ++serial_;
    script_ = findScript();
    if (script_) return;
    memory_.clearShared();
    for (WarpState& warp : warps_)
        warp.beginBlock(at_, serial_);
    if (observers.sharedShadow)
        observers.sharedShadow->beginBlock(at_, program_.sharedBytes, memory_.shared(), *observers.findings);
    if (observers.sharedShadow && program_.reservedSharedAt)  // the system's, which sets it to 0
        observers.sharedShadow->markWritten(program_.reservedSharedAt, kReservedSharedBytes);
    if (mayWriteScript()) beginScript();
    ++interpreted_;
}

BlockRunner::Outcome BlockRunner::run() {
    if (script_) {
        follow(*script_);
        tellSteps();
        return Outcome::Done;
    }
    const Outcome outcome = runUntilItWaits();
    tellSteps();
    if (outcome != Outcome::Waits) memory_.endBlock();
    if (writer_) endScript(outcome == Outcome::Done);
    return outcome;
}

void BlockRunner::tellSteps() {
    if (!observers_.progress) return;
    observers_.progress->steps.fetch_add(issued_ - told_, std::memory_order_relaxed);
    told_ = issued_;
}

BlockRunner::Outcome BlockRunner::runUntilItWaits() {
    for (;;) {
        bool anyReady = false, anyMoved = false;
        for (WarpState& warp : warps_) {
            if (!warp.hasReady()) continue;
            anyReady = true;
            const u32 before = warp.paths.alive();
            const WarpOutcome outcome = observers_.recorder ? runWarp<Mode::Recording>(warp)
                                        : writer_           ? runWarp<Mode::WritingScript>(warp)
                                                            : runWarp<Mode::Plain>(warp);
            if (warp.paths.alive() != before) alive_ -= u32(std::popcount(before & ~warp.paths.alive()));
            if (outcome == WarpOutcome::Stopped) return Outcome::Stopped;
            anyMoved |= outcome == WarpOutcome::Waits;
            if (restingThreads_ && restingThreads_ == alive_) wakeRested();
            if (barriers_.inUse()) {
                letRestedWait();
                settleBarriers();
            }
        }
        if (!anyReady) {
            if (!alive_) return Outcome::Done;
            if (restingThreads_) {
                letRestedWait();
                settleBarriers();
                continue;
            }
            resolveDeadlock();
        } else if (!anyMoved) {
            if (stop_.requested()) {
                limitReachedWaiting();
                return Outcome::Stopped;
            }
            return Outcome::Waits;
        }
    }
}

u64 BlockRunner::bytes() const {
    return warps_.size() * u64{program_.functions[0].frameBytes} + program_.sharedBytes;
}

}  // namespace lockstep::simt
