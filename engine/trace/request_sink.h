// Interface that receives a launch's requests to global and local memory, one block at a time
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

// The distances between a request's lanes.
struct RequestShape {
    u32 number = 0;  // index of the sink's; unique per shape
    LaneMask active;
    LaneAddresses distances{};  // from the address of the lowest active lane, modulo 2^64
};

// The requests of one block. Words are read by RequestReader.
struct BlockRequests {
    std::vector<u64> words;  // where each warp's words end; then those of the first, the second ...
    u32 warps = 0;
    std::shared_ptr<const void> shapes;  // owns what the words point to
    u64 requests = 0;

    std::span<const u64> ofWarp(u32 warp) const {
        const u64 from = warp == 0 ? warps : words[warp - 1];
        return {words.data() + from, words[warp] - from};
    }
};

// Receives a launch's requests. Thread-safe.
class RequestSink {
public:
    virtual ~RequestSink() = default;
    // A block has ended.
    virtual void blockDone(u64 linear, BlockRequests&& requests) = 0;
    // All blocks have ended; not called if the run was stopped or has to restart.
    virtual void launchDone() = 0;
    // True: needs no more blocks.
    virtual bool isFull() const = 0;

    // Polled during long work: true once the run is being stopped and its requests are no longer needed. Set
    // by the runner of the launch, before its first block.
    std::function<bool()> isRunStopped = [] { return false; };

    u32 numberShape() { return shapes_.fetch_add(1, std::memory_order_relaxed); }

private:
    std::atomic<u32> shapes_{0};
};

// Makes the sink of a launch, whose sites are numbered as in the requests; null: not needed.
using RequestSinkMaker = std::function<std::unique_ptr<RequestSink>(LaunchId, std::span<const RequestSite>)>;

}  // namespace lockstep::trace
