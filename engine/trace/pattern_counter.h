// Counts, per memory instruction, the distinct lane patterns (grid_counts.h) while a launch runs. One
// PatternTable a launch, shared; one PatternCounter per host thread. The result does not depend on how blocks
// are distributed over threads.
//
// Cost of an access: count(shape, address) about 2 ns; count(access) 35 ns if its pattern was seen recently,
// 50 ns and a lock of its site if it is known, more if it has to be kept, and the CostFunction's time once
// the site has too many patterns (bench/trace_bench.cpp).
#pragma once

#include "trace/grid_counts.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace lockstep::trace {

// Cost of one access on the profile of the run; trace may not depend on model, so the caller passes the
// function. Pure, called from several threads concurrently. Addresses are shifted by a multiple of 256, which
// rules ignore.
using CostFunction = std::function<AccessCost(const WarpAccess&)>;

// Memory for the patterns of a launch, all sites and threads together; each of n sites may use 1/n of it.
inline constexpr std::size_t kPatternBudgetBytes = 24u << 20;
// And as many patterns, but at least kEnoughPatterns a site: a kernel whose loops are unrolled has hundreds
// of sites, and to keep a thousand of each takes longer than the launch.
inline constexpr std::size_t kMostPatternsOfLaunch = 8192, kEnoughPatterns = 256;

class PatternCounter;

class PatternTable {
public:
    // sites: memory instructions of the kernel. The budget is split evenly in advance, so whether a site
    // overflows depends on its own patterns only, not on order.
    PatternTable(u32 sites, CostFunction cost, std::size_t budgetBytes = kPatternBudgetBytes,
                 std::size_t mostPatterns = kMostPatternsOfLaunch);
    ~PatternTable();
    PatternTable(const PatternTable&) = delete;
    PatternTable& operator=(const PatternTable&) = delete;

private:
    friend class PatternCounter;
    friend std::vector<SiteCounts> mergePatterns(const PatternTable&, std::span<PatternCounter* const>);
    struct Site;

    // A site is a pc in one space: a generic load that accesses two spaces is two sites.
    Site& siteOf(const WarpAccess& access);

    CostFunction cost_;
    std::size_t siteBudgetBytes_, mostPatterns_;
    std::mutex mutex_;  // guards the growth of sites_
    std::unordered_map<u64, std::unique_ptr<Site>> sites_;
};

class PatternCounter {
public:
    explicit PatternCounter(PatternTable& table);
    ~PatternCounter();
    PatternCounter(PatternCounter&&) noexcept;

    // Linear index of the block whose accesses follow. Free; call again when a waiting block resumes.
    void beginBlock(Block block) { block_ = block; }

    // Accesses without an active lane are ignored.
    void count(const WarpAccess& access, u64 times = 1);

    // For a caller whose accesses mostly have the same distances between lanes: call once per site, mask and
    // distances with any access of that shape, then only count. Valid as long as the counter; 1.3 KiB each.
    // nullptr: the site has too many of them; use count(access).
    struct Shape;
    Shape* shapeOf(const WarpAccess& example);
    void count(Shape* shape, u64 lowestActiveAddress, u64 times = 1);

private:
    friend std::vector<SiteCounts> mergePatterns(const PatternTable&, std::span<PatternCounter* const>);
    struct LocalSite;

    LocalSite& siteOf(const WarpAccess& access);
    void add(LocalSite& site, u32 pattern, u64 times);

    PatternTable* table_;
    Block block_{0};
    std::vector<std::unique_ptr<LocalSite>> sites_;  // by pc; a second space of the same pc is chained
};

// All counters of a table together: sites by ascending pc, then space; patterns in order of first occurrence
// by ascending block. A site with too many patterns (SiteCounts) is folded into its overflow sums as a whole.
std::vector<SiteCounts> mergePatterns(const PatternTable& table, std::span<PatternCounter* const> counters);

}  // namespace lockstep::trace
