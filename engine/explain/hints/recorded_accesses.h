// What the recorded blocks did in memory, added up: how often the same data were loaded again, by whom, and
// whether any thread used what another one wrote.
#pragma once

#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace lockstep::explain {

class RecordedAccesses {
public:
    // Accesses of one instruction in the recorded blocks of a launch.
    struct Site {
        trace::Space space = trace::Space::Global;
        trace::AccessKind kind = trace::AccessKind::Load;
        u8 widthBytes = 4;
        std::optional<u32> buffer;    // of its first access, in global memory
        u64 first = 0;                // address of that access's lowest active lane
        u64 addressBits = 0;          // of any lane of any access, for their alignment
        u64 requests = 0, lanes = 0;  // executions, and their active lanes
        u64 sectors = 0;              // of global memory
        // Pairs of a lane's successive accesses in which it moves on by 1 to 64 bytes, and all such pairs.
        u64 walking = 0, pairs = 0;
        u64 again = 0;    // lanes that access the address of their last time
        u64 regular = 0;  // requests with one distance between neighboring lanes, or one address

        // Each thread moves along elements of its own.
        bool walks() const { return pairs > 0 && walking * 10 >= pairs * 9; }
    };
    // Loads of a buffer by one block, added over the recorded blocks of a launch. Words: of 4 bytes.
    struct Loads {
        u64 laneWords = 0;     // by lanes
        u64 requestWords = 0;  // by requests: what several lanes of a warp share counts once
        u64 words = 0;         // distinct, per block
        // Sectors, of uncoalesced requests those that they would need in order; distinct ones, per block.
        u64 sectors = 0, distinctSectors = 0;
        u64 blocks = 0;
        u64 irregular = 0, requests = 0;  // requests whose lanes follow no pattern, and all
        Pc most = kNoPc;                  // of the instruction with the most sectors
    };
    // Stores to a buffer by one block, added over the recorded blocks.
    struct Stores {
        u64 laneWords = 0;           // by lanes
        u64 words = 0, sectors = 0;  // distinct, per block
    };
    // Atomics of one instruction.
    struct Atomics {
        u64 updates = 0;    // by lanes
        u64 addresses = 0;  // distinct, per block
        u64 requests = 0;
    };
    struct Barriers {
        u64 all = 0;                // of warps
        std::map<Pc, u64> byPc{};   // of those, by instruction
        std::map<Pc, u64> empty{};  // by instruction whose every execution follows no access since the last
                                    // barrier: executions by warps
        bool exchanges = false;     // a thread accesses what another one wrote, or the reverse
    };
    struct Key {
        LaunchId launch;
        Pc pc;
        auto operator<=>(const Key&) const = default;
    };

    RecordedAccesses(const ptx::Module& module, const trace::Recording& recording,
                     const model::Profile& profile);

    // False: a block was cut off, there is none, or they did too much: then all below is empty.
    bool isWhole() const { return isWhole_; }
    const Site* site(LaunchId launch, Pc pc) const;
    const std::map<Key, Site>& sites() const { return sites_; }
    const std::map<std::pair<LaunchId, u32>, Loads>& loads() const { return loads_; }
    const std::map<std::pair<LaunchId, u32>, Stores>& stores() const { return stores_; }
    const std::map<Key, Atomics>& atomics() const { return atomics_; }
    const std::map<LaunchId, Barriers>& barriers() const { return barriers_; }
    // Bytes of shared memory that the block that touched the most of it touched.
    u64 sharedBytesTouched(LaunchId launch) const;
    u64 globalSectors() const { return globalSectors_; }  // of all accesses

private:
    class OfBlock;

    bool isWhole_ = false;
    std::map<Key, Site> sites_;
    std::map<std::pair<LaunchId, u32>, Loads> loads_;
    std::map<std::pair<LaunchId, u32>, Stores> stores_;
    std::map<Key, Atomics> atomics_;
    std::map<LaunchId, Barriers> barriers_;
    std::map<LaunchId, u64> sharedTouched_;
    std::map<LaunchId, std::set<Pc>> needed_;  // barriers that some accesses lie before
    u64 globalSectors_ = 0;
};

// The distance from lane to lane that most active lanes of an access have, if at least three quarters of them
// have it; none: they follow no pattern, or there is one lane. Inactive lanes between count.
std::optional<s64> laneDistance(LaneMask active, const trace::LaneAddresses& addresses);
// How many different addresses they are.
u32 distinctAddresses(LaneMask active, const trace::LaneAddresses& addresses);
// At least half of its lanes, and 8, have addresses of their own. Lanes that share one make a broadcast,
// which costs nothing; where few differ, the block's shape decides what it costs.
bool asksForMuch(const trace::WarpAccess& access);

}  // namespace lockstep::explain
