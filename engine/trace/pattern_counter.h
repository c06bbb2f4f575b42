// Counts, per memory instruction, the distinct lane patterns (grid_counts.h) while a launch runs. One PatternTable a launch, shared;
// one PatternCounter per host thread. What comes out does not depend on how the blocks were dealt to the threads.
//
// Cost of one access, when its pattern repeats: count() about 6-10 ns (it compares 32 addresses), countAffine() 2-3 ns,
// count(shape, base) about 1 ns. A pattern that is new to this thread takes 0.2-0.5 us and a lock of its site.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/grid_counts.h"

namespace lockstep::trace {

// What one access costs on the profile of the run; trace may not use model, so the machine hands the function in. Pure, and called
// from several threads at once. The addresses are those of the lowest active lane modulo 256 plus the lanes' distances.
struct AccessCost {
    u64 sectors = 0, wavefronts = 0, idealWavefronts = 0;
};
using CostFunction = std::function<AccessCost(const WarpAccess&)>;

// Memory for patterns over all sites and threads; each of a launch's n sites may use an n-th of it.
inline constexpr std::size_t kPatternBudgetBytes = 24u << 20;

class PatternCounter;

class PatternTable {
public:
    // `pcs`: instructions of the module. `sites`: memory instructions of the kernel, among which the budget is shared evenly, so that
    // whether a site overflows depends on its own patterns only.
    PatternTable(u32 pcs, u32 sites, CostFunction cost, std::size_t budgetBytes = kPatternBudgetBytes);
    ~PatternTable();
    PatternTable(const PatternTable&) = delete;
    PatternTable& operator=(const PatternTable&) = delete;

private:
    friend class PatternCounter;
    friend std::vector<SiteCounts> mergePatterns(std::span<PatternCounter* const> counters);
    struct Site;

    // A site is a pc in one space: a generic load that reaches two spaces is two sites.
    Site& siteOf(Pc pc, Space space, AccessKind kind, u8 widthBytes);

    CostFunction cost_;
    std::size_t siteBudgetBytes_;
    std::mutex mutex_;                                   // guards sites_'s growth
    std::unordered_map<u64, std::unique_ptr<Site>> sites_;  // by pc and space
};

class PatternCounter {
public:
    explicit PatternCounter(PatternTable& table);
    ~PatternCounter();
    PatternCounter(PatternCounter&&) noexcept;

    // The linear index of the block whose accesses follow. Cheap; call it again when a waiting block goes on.
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
        u64 base = 0;          // address of lane 0, whether it is active or not
        s64 strideBytes = 0;
    };
    void countAffine(const AffineAccess& access);

    // For a caller that knows the lanes' distances ahead (base + a*tid.x + b*tid.y of a warp in its block): ask once per site,
    // mask and distances, then only count. A Shape stays valid as long as the counter. `example`: any access of that shape.
    class Shape;
    Shape* shapeOf(const WarpAccess& example);
    // lowestAddress: that of the lowest active lane.
    void count(Shape* shape, u64 lowestAddress, u64 times = 1);

private:
    friend std::vector<SiteCounts> mergePatterns(std::span<PatternCounter* const> counters);
    struct LocalSite;

    LocalSite& localSite(Pc pc, Space space, AccessKind kind, u8 widthBytes);
    LocalSite& makeLocalSite(Pc pc, Space space, AccessKind kind, u8 widthBytes);
    u32 findPattern(LocalSite& site, const Shape& shape, u32 baseMod256);
    void addOverflow(LocalSite& site, const Shape& shape, u32 baseMod256, u64 times);

    PatternTable* table_;
    Block block_{0};
    std::vector<std::unique_ptr<LocalSite>> sites_;  // by pc; others of the same pc chained
};

// All counters of one table together: sites by ascending pc (then space), patterns in the order first met by ascending block. Sites with more than
// SiteCounts::kMostPatterns patterns, or beyond their share of the budget, are folded into the overflow sums as a whole.
std::vector<SiteCounts> mergePatterns(std::span<PatternCounter* const> counters);

}  // namespace lockstep::trace
