// Merges requests of several SMs for the same sectors on their shared path to L2: those that come while the
// first is in flight are answered with it. Per line one request is in flight: one for other sectors replaces
// it. As with L2Cache, several threads may use this concurrently, each for the lines of its own slices.
#pragma once

#include "model/caches/l2_slices.h"

#include <algorithm>
#include <vector>

namespace lockstep::model {

class RequestMerging {
    struct Pending {
        u64 line = ~u64{0};
        u32 since = 0;  // modulo 2^32
        u16 lasts = 0;
        u8 sectors = 0, requests = 0;
    };

public:
    // most: requests merged into one, at most; 1: no merging.
    RequestMerging(u32 clusters, u32 most) : most_(most), pending_(u64{clusters} * kSlots) {}

    // A request to L2 that is in flight.
    class Sent {
    public:
        // L2 has the line, or gets it `comesIn` lookups from now.
        void answered(u32 comesIn) { pending_->lasts = u16(std::max(kUnderWay, comesIn)); }
        explicit operator bool() const { return pending_; }

    private:
        friend class RequestMerging;
        Pending* pending_ = nullptr;
    };
    // None: merged with one in flight.
    Sent send(u32 cluster, u64 line, u32 sectors, u64 now) {
        Pending& pending = pending_[cluster * kSlots + placeOfLine(line, kSlots)];
        Sent sent;
        const u32 since = u32(now) - pending.since;
        if (pending.line == line && pending.sectors == sectors && pending.requests < most_ &&
            since <= pending.lasts) {
            ++pending.requests;
            return sent;
        }
        pending = {line, u32(now), u16(0), u8(sectors), u8(1)};
        sent.pending_ = &pending;
        return sent;
    }

private:
    // In L1 lookups of an SM, the simulation's unit of time. A choice: on an H200 requests are merged up to
    // 60 cycles after the first, and not after 100, if L2 has the sectors (tests/data/caches/README.md).
    static constexpr u32 kUnderWay = 26;
    // Lines per path whose requests are remembered. A choice, with the kernels of docs/internals/caches.md:
    // with 256, multiplies from registers read 10 % too much; with 4,096, those from tiles 10 % too little.
    static constexpr u64 kSlots = 1024;

    u32 most_;
    std::vector<Pending> pending_;
};

// Lines in flight from device memory to L2.
class LinesUnderWay {
public:
    // Call when L2 misses on the line.
    void begin(u64 line, u64 now) { lines_[placeOfLine(line, kSlots)] = {line, now + kFetched}; }
    // L1 lookups until it arrives; 0: it has arrived.
    u32 comesIn(u64 line, u64 now) const {
        const Fetched& fetched = lines_[placeOfLine(line, kSlots)];
        return fetched.line == line && fetched.comes > now ? u32(fetched.comes - now) : 0;
    }

private:
    // Lookups. A choice: requests are merged up to some 600 cycles after the first if the line comes from
    // device memory (as above).
    static constexpr u32 kFetched = 256;
    static constexpr u64 kSlots = 16384;
    struct Fetched {
        u64 line = ~u64{0}, comes = 0;
    };
    std::vector<Fetched> lines_ = std::vector<Fetched>(kSlots);
};

}  // namespace lockstep::model
