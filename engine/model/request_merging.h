// Requests of several multiprocessors for the same sectors on their common way to L2: those that come while the first is under way
// are answered with it.
#pragma once

#include "base/integers.h"

#include <algorithm>
#include <vector>

namespace lockstep::model {

class RequestMerging {
public:
    // most: requests that go as one; 1: nothing is merged.
    RequestMerging(u32 clusters, u32 most) : most_(most), pending_(u64{clusters} * kSlots) {}

    // True: it goes with one that is under way. Else it is under way from now on.
    bool joins(u32 cluster, u64 line, u32 sectors, u64 now) {
        Pending& pending = pending_[cluster * kSlots + ((line << 4 | sectors) * 0x9e3779b97f4a7c15u >> 52)];  // 2^64 / golden ratio
        const u32 since = u32(now) - pending.since, before = pending.since - u32(now);
        if (pending.line == line && pending.sectors == sectors && pending.requests < most_ && std::min(since, before) <= kUnderWay) {
            ++pending.requests;
            return true;
        }
        pending = {line, u32(now), u8(sectors), u8(1)};
        return false;
    }

private:
    // In lookups of an SM's L1, which the simulation counts time in. A choice: on an H200 requests meet that come up to 60 cycles behind
    // the first, and not after 100, where L2 has the sectors (tests/data/caches/README.md).
    static constexpr u32 kUnderWay = 12;
    static constexpr u64 kSlots = 4096;
    struct Pending {
        u64 line = ~u64{0};
        u32 since = 0;  // modulo 2^32
        u8 sectors = 0, requests = 0;
    };

    u32 most_;
    std::vector<Pending> pending_;
};

}  // namespace lockstep::model
