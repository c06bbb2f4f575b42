// One multiprocessor at work in the simulation of caches: the warps that are resident, whose requests come next, and its L1.
#pragma once

#include "model/l1_cache.h"
#include "trace/request_stream.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace lockstep::model {

// Who stores. stretch: of the code; what lies in one is a few instructions apart, none of them slow.
struct Storer {
    u64 block = ~u64{0};
    u32 warp = 0, site = 0, stretch = 0;
    // Soon enough behind the other to find its store waiting. A warp that comes again with the same instruction has gone round a loop.
    bool follows(const Storer& other) const {
        if (block != other.block) return false;
        return warp != other.warp || (stretch == other.stretch && site != other.site);
    }
};

// Stores that wait to be sent to L2: a later one of a sector that waits goes with it.
class StoreBuffer {
public:
    // Returns the sectors that are sent because of this store.
    u32 add(u64 line, u32 sectors, const Storer& who, u64 now) {
        const auto found = std::ranges::find(lines_, line);
        const std::size_t at = found == lines_.end() ? next_++ % kLines : std::size_t(found - lines_.begin());
        const bool waits = found != lines_.end() && now - waiting_[at].since <= kWait && who.follows(waiting_[at].who);
        const u32 sent = waits ? sectors & ~waiting_[at].sectors : sectors;
        waiting_[at] = {waits ? waiting_[at].sectors | sectors : sectors, now, who};
        lines_[at] = line;
        return sent;
    }

private:
    // In lookups of L1. Measured on an H200 (tests/data/caches/README.md): warps in turn that come back to their sectors after 20 lines of
    // other warps find them waiting, after 32 they do not.
    static constexpr u64 kWait = 24;
    static constexpr std::size_t kLines = 32;  // more than can come in that time
    struct Waiting {
        u32 sectors = 0;
        u64 since = 0;
        Storer who;
    };
    std::array<u64, kLines> lines_{};
    std::array<Waiting, kLines> waiting_{};
    std::size_t next_ = 0;
};

// A warp under way.
struct ResidentWarp {
    trace::RequestReader reader;
    u64 localLine = 0;   // where its local memory begins
    u32 slot = 0, number = 0;  // of its block, in its block
    bool waits = false;  // at a barrier
};

struct ResidentBlock {
    std::shared_ptr<const void> shapes;
    std::vector<ResidentWarp> warps;
    u64 linear = 0;
    u32 running = 0, waiting = 0;
};

struct SmSimulation {
    explicit SmSimulation(u32 blocks) : blocks(blocks) {}

    std::optional<L1Cache> l1;                 // from its first block on
    StoreBuffer stores;
    std::vector<ResidentBlock> blocks;         // by slot
    std::vector<ResidentWarp*> ready;          // those that may go on
    u64 clock = 0;                             // looked up lines
    u64 random = 1;
    u32 cluster = 0;
};

}  // namespace lockstep::model
