// Collects findings while a launch runs: one per (kind, launch, block, thread, pc), counted when it recurs,
// truncated at a limit that the sites share, so that one noisy line does not hide another. One collector per
// host thread; merge() gives the same list for any distribution of blocks over threads.
#pragma once

#include "trace/finding.h"

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockstep::trace {

class FindingCollector {
public:
    // Keeps the first findings of each site (kind, launch and pc), up to its share of `most`. Each thread
    // must run its blocks in ascending order (as an atomic block counter ensures), so that the first findings
    // overall are among those kept.
    explicit FindingCollector(u32 most = 1000);

    // Cost: two hash lookups. finding.count is added if (kind, launch, block, thread, pc) is known already;
    // else it becomes an entry. A finding beyond its site's share is only counted.
    void add(const Finding& finding);

    // Did a thread of this block read out of bounds or uninitialized data? It got poison, and values computed
    // from poison are meaningless. Known for the latest blocks.
    bool hasReadPoison(Dim3 block) const { return poisoned_.contains(packed(block)); }

    // Distinct findings, kept or not.
    u64 distinct() const { return distinct_; }
    bool empty() const { return distinct_ == 0; }
    void clear();

    // At most `most`: equally many per site while a site has that many, the first by ascending linear block,
    // within a block in order of occurrence. If there are more sites than `most`: one of each kind, faults
    // before remarks, then a second site of each kind, and so on. Sorted by launch, block, thread, pc, kind.
    // Followed by one Truncated (its `count`: how many more) if any are not listed.
    static std::vector<Finding> merge(std::span<const FindingCollector* const> collectors, u32 most);

private:
    struct Key {
        u32 kind, launch, pc;
        Dim3 block, thread;
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const;
    };
    // y and z are below 2^16, x below 2^32: the device's limits.
    static constexpr u64 packed(Dim3 block) { return u64{block.z} << 48 | u64{block.y} << 32 | block.x; }
    static Key siteOf(const Key& key) { return {key.kind, key.launch, key.pc, {0, 0, 0}, {0, 0, 0}}; }
    void keep(const Key& key, const Finding& finding);
    void leaveOut(const Key& key);
    void dropWhatIsBeyondTheShare();

    u32 most_;
    u32 share_;             // no site needs more of this collector's findings
    std::size_t manyKept_;  // time to check whether the share has become smaller
    u64 distinct_ = 0;
    std::vector<Finding> kept_;
    std::unordered_map<Key, std::size_t, HashKey> at_;  // into kept_
    std::unordered_map<Key, u32, HashKey> ofSite_;      // how many are kept
    std::unordered_set<Key, HashKey> leftOut_;          // of the latest blocks
    std::unordered_set<u64> poisoned_;                  // blocks
    Dim3 lastBlock_{0, 0, 0};
};

}  // namespace lockstep::trace
