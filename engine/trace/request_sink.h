// Who wants to know what a launch asks of global and local memory, and how it is told: a block at a time
// (trace/request_stream.h).
#pragma once

#include "base/indices.h"
#include "trace/access.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::trace {

// A memory instruction whose requests may be in a stream.
struct RequestSite {
    Pc pc;
    AccessKind kind = AccessKind::Load;
    u8 widthBytes = 4;
    bool local = false;
};

// How the lanes of a request lie to each other.
struct RequestShape {
    u32 number = 0;  // of the sink's; different shapes have different ones
    LaneMask active;
    LaneAddresses distances{};  // from the address of the lowest active lane, modulo 2^64
};

// The requests of one block. Words are read by RequestReader.
struct BlockRequests {
    std::vector<u64> words;  // where each warp's words end; then those of the first, the second ...
    u32 warps = 0;
    std::shared_ptr<const void> shapes;  // keeps what the words point to
    u64 requests = 0;

    std::span<const u64> ofWarp(u32 warp) const {
        const u64 from = warp == 0 ? warps : words[warp - 1];
        return {words.data() + from, words[warp] - from};
    }
};

// Whoever wants a launch's requests. Called by several threads at once.
class RequestSink {
public:
    virtual ~RequestSink() = default;
    // A block has ended.
    virtual void blockDone(u64 linear, BlockRequests&& requests) = 0;
    // All blocks have; not called where the run was stopped or has to be made again.
    virtual void launchDone() = 0;
    // It has had enough: no more blocks need to be kept.
    virtual bool isFull() const = 0;

    // The run is being stopped, so that what is told is in vain: asked during long work. Set by whoever runs
    // the launch, before its first block.
    std::function<bool()> isRunStopped = [] { return false; };

    u32 numberShape() { return shapes_.fetch_add(1, std::memory_order_relaxed); }

private:
    std::atomic<u32> shapes_{0};
};

// Makes the sink of a launch, whose sites are numbered as in the requests; null: nobody wants them.
using RequestSinkMaker = std::function<std::unique_ptr<RequestSink>(LaunchId, std::span<const RequestSite>)>;

}  // namespace lockstep::trace
