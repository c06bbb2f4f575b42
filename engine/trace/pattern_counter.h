// Counts, per memory instruction, the distinct lane patterns (grid_counts.h) while a launch runs. One
// PatternTable a launch, shared; one PatternCounter per host thread. What comes out does not depend on how
// the blocks were dealt to the threads.
//
// Cost of an access whose pattern repeats: count() about 10 ns (it compares 32 addresses), countAffine()
// about 5 ns, count(shape, address) about 1 ns. A pattern that this thread has not met lately takes 0.3-0.8
// us and a lock of its site.
#pragma once

#include "trace/grid_counts.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace lockstep::trace {

// What one access costs on the profile of the run; trace may not use model, so the machine hands the function
// in. Pure, and called from several threads at once. Addresses are moved by a multiple of 256, which no rule
// sees.
struct AccessCost {
    u64 sectors = 0, wavefronts = 0, idealWavefronts = 0;
};
using CostFunction = std::function<AccessCost(const WarpAccess&)>;

// Memory for the patterns of a launch, of all sites and threads together; each of n sites may use an n-th of
// it.
inline constexpr std::size_t kPatternBudgetBytes = 24u << 20;

class PatternCounter;

class PatternTable {
public:
    // sites: memory instructions of the kernel. They share the budget evenly and ahead of time, so that
    // whether one of them overflows depends on its own patterns only, not on who came first.
    PatternTable(u32 sites, CostFunction cost, std::size_t budgetBytes = kPatternBudgetBytes);
    ~PatternTable();
    PatternTable(const PatternTable&) = delete;
    PatternTable& operator=(const PatternTable&) = delete;

private:
    friend class PatternCounter;
    friend std::vector<SiteCounts> mergePatterns(const PatternTable&, std::span<PatternCounter* const>);
    struct Site;

    // A site is a pc in one space: a generic load that reaches two spaces is two sites.
    Site& siteOf(const WarpAccess& access);

    CostFunction cost_;
    std::size_t siteBudgetBytes_;
    std::mutex mutex_;  // guards the growth of sites_
    std::unordered_map<u64, std::unique_ptr<Site>> sites_;
};

class PatternCounter {
public:
    explicit PatternCounter(PatternTable& table);
    ~PatternCounter();
    PatternCounter(PatternCounter&&) noexcept;

    // The linear index of the block whose accesses follow. Costs nothing; call it again when a waiting block
    // goes on.
    void beginBlock(Block block) { block_ = block; }

    // Accesses without an active lane are ignored.
    void count(const WarpAccess& access);

    // The same pattern as count() finds for addresses base + strideBytes * lane, without touching 32 of them.
    struct AffineAccess {
        Pc pc;
        LaneMask active;
        Space space = Space::Global;
        AccessKind kind = AccessKind::Load;
        u8 widthBytes = 4;
        u64 base = 0;  // address of lane 0, whether it is active or not
        s64 strideBytes = 0;
    };
    void countAffine(const AffineAccess& access);

    // For a caller that knows the lanes' distances ahead (base + a*tid.x + b*tid.y of a warp in its block):
    // ask once per site, mask and distances with any access of that shape, then only count. Valid as long as
    // the counter; 1.3 KiB each.
    struct Shape;
    Shape* shapeOf(const WarpAccess& example);
    void count(Shape* shape, u64 lowestActiveAddress, u64 times = 1);

private:
    friend std::vector<SiteCounts> mergePatterns(const PatternTable&, std::span<PatternCounter* const>);
    struct LocalSite;

    LocalSite& siteOf(const WarpAccess& access);
    Shape* recall(LocalSite& site, const WarpAccess& access);
    void countNew(Shape& shape, u32 baseMod256, u64 times);

    PatternTable* table_;
    Block block_{0};
    std::vector<std::unique_ptr<LocalSite>> sites_;  // by pc; a second space of the same pc is chained
};

// All counters of a table together: sites by ascending pc, then space; patterns in the order first met by
// ascending block. A site with too many patterns (SiteCounts) is folded into its overflow sums as a whole.
std::vector<SiteCounts> mergePatterns(const PatternTable& table, std::span<PatternCounter* const> counters);

}  // namespace lockstep::trace
