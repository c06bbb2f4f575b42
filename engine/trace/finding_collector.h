// Gathers findings while a launch runs: one per (kind, launch, block, thread, pc), counted when met again,
// cut off at a number. One collector per host thread; merge() gives the same list however the blocks were
// dealt to the threads.
#pragma once

#include "trace/finding.h"

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockstep::trace {

class FindingCollector {
public:
    // Keeps the first `most` findings. Each thread must meet its blocks in ascending order (which an atomic
    // counter of blocks gives), so that the first ones of all threads together are among those kept.
    explicit FindingCollector(u32 most = 1000) : most_(most) {}

    // Cost: a hash look-up. finding.count is added if (kind, launch, block, thread, pc) is known already;
    // else it becomes an entry. A finding beyond `most` is only counted.
    void add(const Finding& finding);

    // Distinct findings met, kept or not.
    u64 distinct() const { return distinct_; }
    bool empty() const { return distinct_ == 0; }
    void clear();

    // Kept findings, the first `most` by ascending launch and linear block, and within a block as met; then
    // sorted by launch, block, thread, pc, kind. Behind them one Truncated (its `count`: how many more there
    // were) if any were left out.
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

    u32 most_;
    u64 distinct_ = 0;
    std::vector<Finding> kept_;
    std::unordered_map<Key, std::size_t, HashKey> at_;  // into kept_
    std::unordered_set<Key, HashKey> leftOut_;          // beyond `most`, of the latest blocks
    Dim3 lastBlock_{0, 0, 0};
};

}  // namespace lockstep::trace
