// Collects findings while a launch runs: one per (kind, launch, block, thread, pc), counted when it recurs,
// truncated at a limit that the sites share, so that one noisy line does not hide another. One collector per
// host thread; merge() gives the same list for any distribution of blocks over threads.
#pragma once

#include "trace/finding.h"

#include <compare>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockstep::trace {

class FindingCollector {
public:
    // Keeps the first findings of each site (kind, launch and pc), up to its share of `most`. Each thread
    // must run its blocks in ascending order (as an atomic block counter ensures), so that the first findings
    // overall are among those kept. blockExtents: of the launch.
    explicit FindingCollector(u32 most = 1000, Dim3 blockExtents = {1024, 1, 1});
    FindingCollector(FindingCollector&&) = default;
    FindingCollector& operator=(FindingCollector&&) = default;

    // What tells a finding from others; thread: linear.
    struct Spot {
        FindingKind kind = FindingKind::Race;
        LaunchId launch;
        Pc pc;
        Dim3 block{0, 0, 0};
        u32 thread = 0;
    };
    // finding.count is added if the spot is known already; else it becomes an entry. A finding beyond its
    // site's share is only counted.
    void add(const Finding& finding);
    // The same of several lanes of a warp, whose first thread the spot has: make(lane) is called for those
    // that are to be kept. Most are not where a barrier is missing, so this has to be quick: a few
    // nanoseconds. If it gives poison: notePoison(), too.
    template <class Make> void add(const Spot& first, LaneMask lanes, Make make, u64 times = 1) {
        if (areKnownAndLeftOut(first, lanes)) return;
        const New found = newOf(first, lanes, times);
        for (Lane lane : found.lanes) {
            if (*found.keptOfSite >= share_) return;
            keep(make(lane.value));
        }
    }

    // Findings of a block that has no others at these sites. False: some would be kept, so they must be added
    // one by one.
    struct Place {
        FindingKind kind = FindingKind::Race;
        Pc pc;
        bool operator==(const Place&) const = default;
    };
    bool addUnlisted(LaunchId launch, std::span<const Place> sites, u64 distinct);

    // Did a thread of this block read out of bounds or uninitialized data? It got poison, and values computed
    // from poison are meaningless. Known for the latest blocks.
    void notePoison(Dim3 block);
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
    struct SiteKey {
        FindingKind kind;
        u32 launch, pc;
        auto operator<=>(const SiteKey&) const = default;
    };
    // What one block has found at one site.
    struct OfSite {
        SiteKey key;
        u32* keptOfAll = nullptr;  // findings of this site that are kept, of all blocks
        std::vector<u64> seen;     // bits by linear thread
        std::vector<u32> kept;     // by linear thread: its entry in kept_, plus 1; 0: none
    };
    struct OfBlock {
        std::vector<OfSite> sites;
        std::size_t last = 0;  // found: the lanes of an access come one after the other
    };

    // y and z are below 2^16, x below 2^32: the device's limits.
    static constexpr u64 packed(Dim3 block) { return u64{block.z} << 48 | u64{block.y} << 32 | block.x; }
    // Of the site that was found last: what comes most often. Inlined: a spot that passes through memory in
    // pieces and is read as a whole costs more than all the rest.
    bool areKnownAndLeftOut(const Spot& first, LaneMask lanes) const {
        if (!last_ || lastBlock_ != first.block || last_->last >= last_->sites.size()) return false;
        const OfSite& site = last_->sites[last_->last];
        if (site.key.pc != first.pc.value || site.key.kind != first.kind ||
            site.key.launch != first.launch.value || !site.kept.empty() ||
            first.thread / 64 >= site.seen.size())
            return false;
        const u64 bits = u64{lanes.bits} << first.thread % 64;
        return (site.seen[first.thread / 64] & bits) == bits;
    }
    // Marks the lanes' threads as seen. Those that were not; the others' `count` goes to their entries, if
    // there are any.
    struct New {
        LaneMask lanes;
        const u32* keptOfSite = nullptr;
    };
    New newOf(const Spot& first, LaneMask lanes, u64 count = 1);
    void keep(Finding finding);
    OfBlock& blockAt(Dim3 block);
    OfSite& siteAt(OfBlock& block, const SiteKey& key);
    static u64& seenWord(OfSite& site, u32 thread);
    static void noteKept(OfSite& site, u32 thread, std::size_t kept);
    void forgetBlocks();
    void dropWhatIsBeyondTheShare();
    void remember(std::size_t kept);
    static SiteKey keyOf(const Finding& finding) {
        return {finding.kind, finding.launch.value, finding.who.pc.value};
    }
    u32 threadOf(const Finding& finding) const { return u32(linearOf(finding.who.thread, extents_)); }

    u32 most_;
    Dim3 extents_;
    u32 share_;             // no site needs more of this collector's findings
    std::size_t manyKept_;  // time to check whether the share has become smaller
    u64 distinct_ = 0;
    std::vector<Finding> kept_;
    std::map<SiteKey, u32> keptOfSite_;
    std::unordered_map<u64, OfBlock> blocks_;  // the latest
    std::size_t siteCount_ = 0;                // of all these
    OfBlock* last_ = nullptr;                  // of lastBlock_
    Dim3 lastBlock_{0, 0, 0};
    std::unordered_set<u64> forgotten_;  // blocks that have entries, and are not among the latest
    std::unordered_set<u64> poisoned_;   // blocks
};

}  // namespace lockstep::trace
