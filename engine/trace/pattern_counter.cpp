#include "trace/pattern_counter.h"

#include "base/check.h"
#include "trace/pattern_code.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <string>
#include <tuple>

namespace lockstep::trace {

namespace {

constexpr u32 kUnknown = 0xffffffff;

// Bytes of a pattern in the table besides its code; an estimate that decides when a site overflows.
constexpr std::size_t kPatternBytes = 48;
constexpr std::size_t kLeastSiteBudgetBytes = 32u << 10;

// Rules ignore multiples of 256; a high base keeps negative distances above zero.
constexpr u64 kFarAway = u64{1} << 60;

constexpr std::size_t hashOf(const PatternKey& key) {
    return (key.first ^ key.second << 17) * 0x9e3779b97f4a7c15u >> 20;  // 2^64 / golden ratio
}

constexpr u64 siteKey(Pc pc, Space space) { return u64{pc.value} << 8 | u64(space); }

struct Overflow {
    u64 executions = 0, activeLanes = 0;
    AccessCost cost;

    void add(const AccessCost& one, u64 lanes, u64 times) {
        executions += times;
        activeLanes += lanes * times;
        cost.add(one, times);
    }
    void addTo(SiteCounts& counts) const {
        counts.overflowExecutions += executions;
        counts.overflowActiveLanes += activeLanes;
        counts.overflow.add(cost, 1);
    }
};

}  // namespace

// Numbers the patterns of one instruction, shared by all threads.
struct PatternTable::Site {
    struct Known {
        PatternKey key;
        std::size_t codeAt = 0;
        u32 baseMod256 = 0;
    };
    WarpAccess kind;  // pc, space, kind and width; the rest is unused
    std::size_t budgetBytes, mostPatterns;
    std::atomic<bool> overflowed = false;  // nothing more is added

    std::mutex mutex;          // guards what follows
    std::vector<Known> known;  // by pattern
    std::vector<u32> byKey;    // open addressing, a power of two; pattern + 1
    std::string codes;

    // shape: called if the pattern is new. kUnknown if the site has overflowed: whatever was counted by
    // pattern is folded into its sums then, too.
    template <class ShapeOf> u32 pattern(const PatternKey& key, u32 baseMod256, ShapeOf shape) {
        if (overflowed.load(std::memory_order_relaxed)) return kUnknown;
        const std::scoped_lock lock(mutex);
        if (known.size() * 2 >= byKey.size()) grow();
        u32& slot = slotOf(key);
        if (slot) return slot - 1;
        if (overflowed.load(std::memory_order_relaxed)) return kUnknown;
        const std::size_t codeAt = codes.size();
        encode(shape(), codes);
        known.push_back({key, codeAt, baseMod256});
        slot = u32(known.size());
        bytes_ += kPatternBytes + codes.size() - codeAt;
        // Depends on the set of patterns, not on their order, so overflow is the same for every number of
        // threads.
        if (bytes_ > budgetBytes || known.size() > mostPatterns)
            overflowed.store(true, std::memory_order_relaxed);
        return slot - 1;
    }

    LaneShape shape(u32 pattern) const { return decode(codes.data() + known[pattern].codeAt); }
    WarpAccess access(const LaneShape& shape, u32 baseMod256) const {
        WarpAccess result = kind;
        result.active = shape.active;
        for (Lane lane : shape.active)
            result.addresses[lane.value] = kFarAway + baseMod256 + shape.deltas[lane.value];
        return result;
    }

private:
    u32& slotOf(const PatternKey& key) {
        std::size_t at = hashOf(key);
        while (byKey[at & (byKey.size() - 1)] && known[byKey[at & (byKey.size() - 1)] - 1].key != key)
            ++at;
        return byKey[at & (byKey.size() - 1)];
    }
    void grow() {
        byKey.assign(std::max<std::size_t>(16, 4 * known.size()), 0);
        byKey.resize(std::bit_ceil(byKey.size()));
        for (u32 pattern = 0; pattern < known.size(); ++pattern)
            slotOf(known[pattern].key) = pattern + 1;
    }

    std::size_t bytes_ = 0;
};

struct PatternCounter::Shape {
    LocalSite* site = nullptr;
    LaneShape lanes;
    std::array<u32, 256> patterns;  // by base modulo 256; kUnknown: not counted yet
};

// One thread's counts of one instruction.
struct PatternCounter::LocalSite {
    struct Count {
        u64 times = 0;
        Block firstBlock{0};
        u32 order = 0;  // among this thread's patterns of the site
    };
    struct Recent {
        PatternKey key;
        u32 pattern = kUnknown;
    };
    static constexpr std::size_t kRecent = 256, kMostShapes = 4096;

    PatternTable::Site* table = nullptr;
    Space space = Space::Global;
    std::vector<Recent> recent;  // by the key's hash modulo kRecent; empty or kRecent of them
    std::unordered_map<u64, std::unique_ptr<Shape>> shapes;  // by shapeHash()
    std::vector<Count> counts;                               // by pattern
    u32 met = 0;
    Overflow overflow;
    std::unique_ptr<LocalSite> next;  // the same pc in another space
};

PatternTable::PatternTable(u32 sites, CostFunction cost, std::size_t budgetBytes, std::size_t mostPatterns)
    : cost_(std::move(cost)),
      siteBudgetBytes_(std::max(budgetBytes / std::max(sites, 1u), kLeastSiteBudgetBytes)),
      mostPatterns_(
          std::clamp(mostPatterns / std::max(sites, 1u), kEnoughPatterns, SiteCounts::kMostPatterns)) {}
PatternTable::~PatternTable() = default;

PatternTable::Site& PatternTable::siteOf(const WarpAccess& access) {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<Site>& site = sites_[siteKey(access.pc, access.space)];
    if (!site) {
        site = std::make_unique<Site>();
        site->kind = access;
        site->kind.addresses = {};
        site->budgetBytes = siteBudgetBytes_;
        site->mostPatterns = mostPatterns_;
    }
    return *site;
}

PatternCounter::PatternCounter(PatternTable& table) : table_(&table) {}
PatternCounter::~PatternCounter() = default;
PatternCounter::PatternCounter(PatternCounter&&) noexcept = default;

PatternCounter::LocalSite& PatternCounter::siteOf(const WarpAccess& access) {
    const std::size_t pc = access.pc.value;
    if (pc >= sites_.size()) sites_.resize(pc + 1);
    std::unique_ptr<LocalSite>* at = &sites_[pc];
    while (*at && (*at)->space != access.space)
        at = &(*at)->next;
    if (!*at) {
        *at = std::make_unique<LocalSite>();
        (*at)->space = access.space;
        (*at)->table = &table_->siteOf(access);
    }
    return **at;
}

void PatternCounter::add(LocalSite& site, u32 pattern, u64 times) {
    if (pattern >= site.counts.size()) site.counts.resize(pattern + 1);
    LocalSite::Count& count = site.counts[pattern];
    if (count.times == 0) {
        count.firstBlock = block_;
        count.order = site.met++;
    }
    count.times += times;
}

void PatternCounter::count(const WarpAccess& access, u64 times) {
    if (access.active.empty()) return;
    LocalSite* site = access.pc.value < sites_.size() ? sites_[access.pc.value].get() : nullptr;
    if (!site || site->space != access.space) [[unlikely]]
        site = &siteOf(access);
    if (site->table->overflowed.load(
            std::memory_order_relaxed)) {  // known ones would be added to the sums in the end
        site->overflow.add(table_->cost_(access), u64(access.active.count()), times);
        return;
    }
    if (site->recent.empty()) site->recent.resize(LocalSite::kRecent);
    const PatternKey key = patternKey(access);
    LocalSite::Recent& recent = site->recent[hashOf(key) % LocalSite::kRecent];
    if (recent.pattern != kUnknown && recent.key == key) {
        site->counts[recent.pattern].times += times;
        return;
    }
    const u32 pattern = site->table->pattern(key, access.addresses[access.active.lowest().value] & 255,
                                             [&] { return shapeFrom(access); });
    if (pattern == kUnknown) {
        site->overflow.add(table_->cost_(access), u64(access.active.count()), times);
        return;
    }
    recent = {key, pattern};
    add(*site, pattern, times);
}

void PatternCounter::count(Shape* shape, u64 lowestActiveAddress, u64 times) {
    const u32 base = lowestActiveAddress & 255;
    u32& pattern = shape->patterns[base];
    LocalSite& site = *shape->site;
    if (pattern == kUnknown) [[unlikely]] {
        pattern = site.table->pattern(patternKey(shape->lanes, base), base, [&] { return shape->lanes; });
        if (pattern == kUnknown) {
            const AccessCost cost = table_->cost_(site.table->access(shape->lanes, base));
            site.overflow.add(cost, u64(shape->lanes.active.count()), times);
            return;
        }
        add(site, pattern, times);
        return;
    }
    site.counts[pattern].times += times;
}

PatternCounter::Shape* PatternCounter::shapeOf(const WarpAccess& example) {
    CHECK(!example.active.empty(), "a shape has lanes");
    LocalSite& site = siteOf(example);
    const LaneShape lanes = shapeFrom(example);
    const u64 key = shapeHash(example);
    if (const auto known = site.shapes.find(key); known != site.shapes.end())
        return known->second->lanes == lanes ? known->second.get() : nullptr;
    if (site.shapes.size() == LocalSite::kMostShapes) return nullptr;
    Shape& shape = *site.shapes.emplace(key, std::make_unique<Shape>()).first->second;
    shape.site = &site;
    shape.lanes = lanes;
    shape.patterns.fill(kUnknown);
    return &shape;
}

std::vector<SiteCounts> mergePatterns(const PatternTable& table, std::span<PatternCounter* const> counters) {
    std::map<u64, SiteCounts> result;  // by pc and space
    for (const auto& [key, site] : table.sites_) {
        struct Total {
            u64 times = 0;
            std::tuple<Block, u32> first{
                Block{kUnknown}, kUnknown};  // order: comparable within one thread, and so within a block
        };
        std::vector<Total> totals(site->known.size());
        SiteCounts& counts = result[key];
        counts.pc = site->kind.pc;
        counts.space = site->kind.space;
        counts.kind = site->kind.kind;
        counts.widthBytes = site->kind.widthBytes;

        for (const PatternCounter* counter : counters) {
            if (counts.pc.value >= counter->sites_.size()) continue;
            const PatternCounter::LocalSite* local = counter->sites_[counts.pc.value].get();
            while (local && local->space != counts.space)
                local = local->next.get();
            if (!local) continue;
            local->overflow.addTo(counts);
            for (std::size_t i = 0; i < local->counts.size(); ++i) {
                const auto& count = local->counts[i];
                if (!count.times) continue;
                totals[i].times += count.times;
                totals[i].first = std::min(totals[i].first, std::tuple(count.firstBlock, count.order));
            }
        }

        std::vector<u32> order;
        for (u32 i = 0; i < totals.size(); ++i)
            if (totals[i].times) order.push_back(i);
        std::ranges::sort(order, {}, [&](u32 i) { return totals[i].first; });
        Overflow overflow;
        for (u32 i : order) {
            const LaneShape shape = site->shape(i);
            const u32 base = site->known[i].baseMod256;
            if (site->overflowed) {
                overflow.add(table.cost_(site->access(shape, base)), u64(shape.active.count()),
                             totals[i].times);
                continue;
            }
            Pattern& pattern = counts.patterns.emplace_back();
            pattern.active = shape.active;
            pattern.baseMod256 = u8(base);
            pattern.times = totals[i].times;
            for (u32 lane = 0; lane < kWarpSize; ++lane)
                pattern.deltaBytes[lane] = s64(shape.deltas[lane]);
        }
        overflow.addTo(counts);
    }

    std::vector<SiteCounts> sites;
    for (auto& [key, counts] : result)
        sites.push_back(std::move(counts));
    return sites;
}

}  // namespace lockstep::trace
