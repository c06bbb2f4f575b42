// Requests of several multiprocessors for the same sectors on their common way to L2: those that come while
// the first is under way are answered with it. Of a line, one request at a time is under way: one for other
// sectors of it takes its place. As with L2Cache, several threads may use this at a time, each for lines of
// other slices.
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
    // most: requests that go as one; 1: nothing is merged.
    RequestMerging(u32 clusters, u32 most) : most_(most), pending_(u64{clusters} * kSlots) {}

    // A request that went on to L2, and is under way.
    class Sent {
    public:
        // L2 has the line, or will have it `comesIn` lookups from now.
        void answered(u32 comesIn) { pending_->lasts = u16(std::max(kUnderWay, comesIn)); }
        explicit operator bool() const { return pending_; }

    private:
        friend class RequestMerging;
        Pending* pending_ = nullptr;
    };
    // None: it goes with one that is under way.
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
    // In lookups of an SM's L1, which the simulation counts time in. A choice: on an H200 requests meet that
    // come up to 60 cycles behind the first, and not after 100, where L2 has the sectors
    // (tests/data/caches/README.md).
    static constexpr u32 kUnderWay = 26;
    // Lines on one way whose requests are remembered. A choice, with the kernels of docs/internals/caches.md:
    // with 256, multiplies from registers read 10 % too much; with 4,096, those from tiles 10 % too little.
    static constexpr u64 kSlots = 1024;

    u32 most_;
    std::vector<Pending> pending_;
};

// Lines that are on their way from device memory to L2.
class LinesUnderWay {
public:
    // L2 had to ask for it.
    void begin(u64 line, u64 now) { lines_[placeOfLine(line, kSlots)] = {line, now + kFetched}; }
    // In how many lookups of an L1 it comes; 0: it has.
    u32 comesIn(u64 line, u64 now) const {
        const Fetched& fetched = lines_[placeOfLine(line, kSlots)];
        return fetched.line == line && fetched.comes > now ? u32(fetched.comes - now) : 0;
    }

private:
    // Lookups. A choice: requests meet up to some 600 cycles behind the first where the line comes from
    // device memory (as above).
    static constexpr u32 kFetched = 256;
    static constexpr u64 kSlots = 16384;
    struct Fetched {
        u64 line = ~u64{0}, comes = 0;
    };
    std::vector<Fetched> lines_ = std::vector<Fetched>(kSlots);
};

}  // namespace lockstep::model
