#include "trace/sample.h"

#include "trace/pattern_code.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace lockstep::trace {
namespace {

constexpr std::size_t kMostPatterns = 65536;  // of a site, in a file (lks_check.cpp)

using Offsets = std::array<u64, 256>;  // how many blocks have addresses so many bytes further, modulo 256

bool isSame(const Pattern& a, const Pattern& b) {
    return a.active == b.active && a.baseMod256 == b.baseMod256 && a.deltaBytes == b.deltaBytes;
}

bool isSame(const SiteCounts& a, const SiteCounts& b) {
    return a.pc == b.pc && a.space == b.space && a.kind == b.kind && a.widthBytes == b.widthBytes;
}

u64 hashOf(const Pattern& pattern) {
    LaneShape shape{.active = pattern.active};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        shape.deltas[lane] = u64(pattern.deltaBytes[lane]);
    return patternKey(shape, pattern.baseMod256).first;
}

// Patterns, each kept once.
class PatternList {
public:
    explicit PatternList(std::vector<Pattern>& patterns) : patterns_(patterns) {
        for (std::size_t i = 0; i < patterns.size(); ++i)
            known_.emplace(hashOf(patterns[i]), i);
    }
    void add(const Pattern& pattern, u64 times) {
        if (times == 0) return;
        const auto [first, end] = known_.equal_range(hashOf(pattern));
        const auto found = std::find_if(
            first, end, [&](const auto& entry) { return isSame(patterns_[entry.second], pattern); });
        if (found != end) {
            patterns_[found->second].times += times;
            return;
        }
        known_.emplace(hashOf(pattern), patterns_.size());
        patterns_.push_back(pattern);
        patterns_.back().times = times;
    }

private:
    std::vector<Pattern>& patterns_;
    std::unordered_multimap<u64, std::size_t> known_;
};

SiteCounts& siteIn(GridCounts& counts, const SiteCounts& like) {
    const auto order = [](const SiteCounts& s) { return std::pair(s.pc, s.space); };
    auto at = std::ranges::lower_bound(counts.sites, order(like), {}, order);
    while (at != counts.sites.end() && order(*at) == order(like) && !isSame(*at, like))
        ++at;
    if (at != counts.sites.end() && isSame(*at, like)) return *at;
    SiteCounts empty;
    empty.pc = like.pc;
    empty.space = like.space;
    empty.kind = like.kind;
    empty.widthBytes = like.widthBytes;
    return *counts.sites.insert(at, std::move(empty));
}

void addOverflow(SiteCounts& into, const SiteCounts& site, u64 times) {
    into.overflowExecutions += site.overflowExecutions * times;
    into.overflowActiveLanes += site.overflowActiveLanes * times;
    into.overflow.add(site.overflow, times);
}

void addInstructions(GridCounts& into, const GridCounts& counts, u64 times) {
    into.perPc.resize(std::max(into.perPc.size(), counts.perPc.size()));
    for (std::size_t pc = 0; pc < counts.perPc.size(); ++pc) {
        into.perPc[pc].executions += counts.perPc[pc].executions * times;
        into.perPc[pc].activeLanes += counts.perPc[pc].activeLanes * times;
        into.perPc[pc].divergent += counts.perPc[pc].divergent * times;
    }
    into.warpInstructions += counts.warpInstructions * times;
    into.threadInstructions += counts.threadInstructions * times;
}

// Of `blocks` blocks in a row, each `shift` bytes further than the one before.
Offsets offsetsAlong(u64 blocks, u8 shift) {
    Offsets offsets{};
    for (u64 i = 0; i < 256; ++i)
        offsets[i * shift % 256] += blocks / 256 + (i < blocks % 256);
    return offsets;
}

Offsets offsetsOf(const SampleBox& box, const std::array<u8, 3>& shift) {
    const std::array<u64, 3> blocks{u64{box.last.x - box.first.x} + 1, u64{box.last.y - box.first.y} + 1,
                                    u64{box.last.z - box.first.z} + 1};
    Offsets all{1};
    for (u32 axis = 0; axis < 3; ++axis) {
        const Offsets along = offsetsAlong(blocks[axis], shift[axis]);
        Offsets both{};
        for (u32 a = 0; a < 256; ++a)
            for (u32 b = 0; all[a] && b < 256; ++b)
                both[(a + b) % 256] += all[a] * along[b];
        all = both;
    }
    return all;
}

}  // namespace

u8 SampleBox::shiftOf(u32 pc, Dim3 block) const {
    if (pc >= shifts.size()) return 0;
    const std::array<u8, 3>& shift = shifts[pc];
    return u8(shift[0] * (block.x - first.x) + shift[1] * (block.y - first.y) +
              shift[2] * (block.z - first.z));
}

void addCounts(GridCounts& into, const GridCounts& counts) {
    addInstructions(into, counts, 1);
    for (const SiteCounts& site : counts.sites) {
        SiteCounts& to = siteIn(into, site);
        PatternList patterns(to.patterns);
        for (const Pattern& pattern : site.patterns)
            patterns.add(pattern, pattern.times);
        addOverflow(to, site, 1);
    }
}

bool addBox(GridCounts& into, const SampleBox& box, const GridCounts& ofFirst) {
    addInstructions(into, ofFirst, box.count());
    for (const SiteCounts& site : ofFirst.sites) {
        const bool isShifted = site.space == Space::Global && site.pc.value < box.shifts.size() &&
                               box.shifts[site.pc.value] != std::array<u8, 3>{};
        if (isShifted && site.overflowExecutions) return false;
        const Offsets offsets = isShifted ? offsetsOf(box, box.shifts[site.pc.value]) : Offsets{box.count()};
        SiteCounts& to = siteIn(into, site);
        PatternList patterns(to.patterns);
        for (const Pattern& pattern : site.patterns)
            for (u32 offset = 0; offset < offsets.size(); ++offset) {
                Pattern moved = pattern;
                moved.baseMod256 = u8(pattern.baseMod256 + offset);
                patterns.add(moved, pattern.times * offsets[offset]);
            }
        addOverflow(to, site, box.count());
        if (to.patterns.size() > kMostPatterns) return false;
    }
    return true;
}

}  // namespace lockstep::trace
