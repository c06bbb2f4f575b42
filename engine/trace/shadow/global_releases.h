// Synchronization between blocks through memory: a clock per block, and one per released word. Used in
// sequential mode only, by one thread.
#pragma once

#include "trace/shadow/global_epochs.h"

#include <algorithm>
#include <unordered_map>

namespace lockstep::trace {

// By block, and by warp of a block: the time (GlobalEpoch::time()) up to which it is ordered before. A clock
// beyond kMostEntries entries is taken to have acquired every release so far: that may hide a race, never
// invent one.
class GlobalClock {
public:
    static constexpr std::size_t kMostEntries = 256;
    static constexpr u32 kWholeBlock = 32;  // as a warp: covers all warps' accesses before a barrier

    static u64 keyOf(u32 block, u32 warp) { return u64{block} << 6 | warp; }

    void learn(u64 key, u64 before);
    void join(const GlobalClock& other);
    u64 knownOf(u64 key) const {
        const auto entry = before_.find(key);
        return entry == before_.end() ? 0 : entry->second;
    }
    bool knowsAll() const { return knowsAll_; }
    bool empty() const { return !knowsAll_ && before_.empty(); }
    void clear() { before_.clear(), knowsAll_ = false; }

private:
    std::unordered_map<u64, u64> before_;
    bool knowsAll_ = false;
};

// Of a thread: in its block, after so many barriers.
struct GlobalObserver {
    u32 block = 0, thread = 0, phase = 0;
};

class GlobalReleases {
public:
    static constexpr std::size_t kMostObserved = 1 << 16;

    // The word at `address` now publishes `released`. A plain store clears what it published before.
    void publish(u64 address, const GlobalClock& released, bool replaces);
    // Null: nothing was released there.
    const GlobalClock* at(u64 address) const {
        const auto flag = flags_.find(address);
        return flag == flags_.end() ? nullptr : &flag->second;
    }
    // Every release is also recorded here, for clocks that cover all.
    void note(u64 key, u64 before) {
        u64& known = all_[key];
        known = std::max(known, before);
    }
    bool any() const { return !flags_.empty(); }

    // A strong access of this thread reads the word, and so is behind all strong stores to it; what the
    // thread does to the word afterwards is behind them, too (PTX ISA, Observation Order). The last one is
    // kept, of the first words of a launch: tickets, flags and locks are few.
    void observe(u64 address, const GlobalObserver& by) {
        if (observers_.size() < kMostObserved || observers_.contains(address)) observers_[address] = by;
    }
    void storedBy(u64 address, u32 block) {
        const auto found = observers_.find(address);
        if (found != observers_.end() && found->second.block != block) observers_.erase(found);
    }
    // Is an access of this thread now behind every strong store of other blocks to the word?
    bool hasObserved(u64 address, const GlobalObserver& by) const {
        const auto found = observers_.find(address);
        return found != observers_.end() && found->second.block == by.block &&
               (found->second.thread == by.thread || found->second.phase < by.phase);
    }

    u64 knownOf(const GlobalClock& clock, u64 key) const {
        if (!clock.knowsAll()) return clock.knownOf(key);
        const auto entry = all_.find(key);
        return entry == all_.end() ? 0 : entry->second;
    }
    // Is the access of `tag`, in `epoch`, ordered before by this clock?
    bool covers(const GlobalClock& clock, const GlobalEpoch& epoch, u32 tag) const {
        if (clock.empty()) return false;
        return epoch.time() <
               std::max(knownOf(clock, GlobalClock::keyOf(epoch.block, GlobalClock::kWholeBlock)),
                        knownOf(clock, GlobalClock::keyOf(epoch.block, warpOf(tag))));
    }

private:
    std::unordered_map<u64, GlobalClock> flags_;  // by address of the granule
    std::unordered_map<u64, u64> all_;
    std::unordered_map<u64, GlobalObserver> observers_;  // by address of the granule
};

}  // namespace lockstep::trace
