#include "trace/pattern_counter.h"

#include "base/check.h"
#include "trace/pattern_code.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <tuple>

namespace lockstep::trace {

namespace {

constexpr u32 kUnknown = 0xffffffff;

// Bytes of a shape and a pattern in the table's maps besides the shape's code; an estimate that decides when
// a site overflows.
constexpr std::size_t kShapeBytes = 96, kPatternBytes = 48;
constexpr std::size_t kLeastSiteBudgetBytes = 32u << 10;

// Rules ignore multiples of 256; a high base keeps negative distances above zero.
constexpr u64 kFarAway = u64{1} << 60;

constexpr u64 siteKey(Pc pc, Space space) { return u64{pc.value} << 8 | u64(space); }

struct Overflow {
    u64 executions = 0, activeLanes = 0;
    AccessCost cost;

    void add(const AccessCost& one, u64 lanes, u64 times) {
        executions += times;
        activeLanes += lanes * times;
        cost.sectors += one.sectors * times;
        cost.wavefronts += one.wavefronts * times;
        cost.idealWavefronts += one.idealWavefronts * times;
    }
    void addTo(SiteCounts& counts) const {
        counts.overflowExecutions += executions;
        counts.overflowActiveLanes += activeLanes;
        counts.overflowSectors += cost.sectors;
        counts.overflowWavefronts += cost.wavefronts;
        counts.overflowIdealWavefronts += cost.idealWavefronts;
    }
};

}  // namespace

// Numbers the shapes and patterns of one instruction, shared by all threads.
struct PatternTable::Site {
    WarpAccess kind;  // pc, space, kind and width; the rest is unused
    std::size_t budgetBytes;

    std::mutex mutex;  // guards what follows
    std::unordered_map<std::string, u32> shapes;
    std::vector<const std::string*> codes;  // by shape
    std::unordered_map<u64, u32> patterns;  // by shape << 8 | base modulo 256
    std::vector<u64> patternKeys;           // by pattern
    std::size_t bytes = 0;
    bool overflowed = false;  // nothing more is added

    // kUnknown if the site has overflowed.
    u32 shape(const LaneShape& lanes) {
        const std::string code = encode(lanes);
        const std::scoped_lock lock(mutex);
        if (const auto known = shapes.find(code); known != shapes.end()) return known->second;
        if (overflowed) return kUnknown;
        const auto added = shapes.emplace(code, u32(codes.size())).first;
        codes.push_back(&added->first);
        charge(kShapeBytes + code.size());
        return added->second;
    }
    u32 pattern(u32 shape, u32 baseMod256) {
        const u64 key = u64{shape} << 8 | baseMod256;
        const std::scoped_lock lock(mutex);
        if (const auto known = patterns.find(key); known != patterns.end()) return known->second;
        if (overflowed) return kUnknown;
        const u32 number = u32(patternKeys.size());
        patterns.emplace(key, number);
        patternKeys.push_back(key);
        charge(kPatternBytes);
        return number;
    }
    // Depends on the set of patterns, not on their order, so overflow is the same for every number of
    // threads.
    void charge(std::size_t added) {
        bytes += added;
        overflowed = overflowed || bytes > budgetBytes || patternKeys.size() > SiteCounts::kMostPatterns;
    }

    WarpAccess access(const LaneShape& shape, u32 baseMod256) const {
        WarpAccess result = kind;
        result.active = shape.active;
        for (Lane lane : shape.active)
            result.addresses[lane.value] = kFarAway + baseMod256 + shape.deltas[lane.value];
        return result;
    }
};

struct PatternCounter::Shape {
    LocalSite* site = nullptr;
    LaneShape lanes;
    LaneAddresses care{};  // all ones for active lanes
    u32 number = kUnknown;
    u32 lowest = 0, highest = 0;
    std::array<u32, 256> patterns;  // by base modulo 256; kUnknown: not seen since this shape was looked up

    void set(const LaneShape& shape) {
        lanes = shape;
        lowest = shape.active.lowest().value;
        highest = 31 - std::countl_zero(shape.active.bits);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            care[lane] = shape.active.has(Lane{lane}) ? ~u64{0} : 0;
        patterns.fill(kUnknown);
    }
    bool matches(const WarpAccess& access) const {
        if (access.active != lanes.active) return false;
        const u64 origin = access.addresses[lowest];
        u64 difference = 0;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            difference |= ((access.addresses[lane] - origin) ^ lanes.deltas[lane]) & care[lane];
        return difference == 0;
    }
};

// One thread's counts of one instruction.
struct PatternCounter::LocalSite {
    struct Count {
        u64 times = 0;
        Block firstBlock{0};
        u32 order = 0;  // among this thread's patterns of the site
    };
    struct AffineSlot {
        LaneMask active;
        s64 strideBytes = 0;
        std::unique_ptr<Shape> shape;
    };
    static constexpr int kSlotBits = 3;

    PatternTable::Site* table = nullptr;
    Space space = Space::Global;
    std::array<std::unique_ptr<Shape>, 1 << kSlotBits> recent;
    std::array<AffineSlot, 1 << kSlotBits> affine;
    std::vector<std::unique_ptr<Shape>> asked;  // for shapeOf()'s callers
    std::vector<Count> counts;                  // by pattern
    u32 met = 0;
    Overflow overflow;
    std::unique_ptr<LocalSite> next;  // the same pc in another space

    static u32 slotOf(LaneMask active, u64 distance) {
        return u32((distance ^ u64{active.bits} << 20) * 0x9e3779b97f4a7c15u >>
                   (64 - kSlotBits));  // 2^64 / golden ratio
    }
};

PatternTable::PatternTable(u32 sites, CostFunction cost, std::size_t budgetBytes)
    : cost_(std::move(cost)),
      siteBudgetBytes_(std::max(budgetBytes / std::max(sites, 1u), kLeastSiteBudgetBytes)) {}
PatternTable::~PatternTable() = default;

PatternTable::Site& PatternTable::siteOf(const WarpAccess& access) {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<Site>& site = sites_[siteKey(access.pc, access.space)];
    if (!site) {
        site = std::make_unique<Site>();
        site->kind = access;
        site->kind.addresses = {};
        site->budgetBytes = siteBudgetBytes_;
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

PatternCounter::Shape* PatternCounter::recall(LocalSite& site, const WarpAccess& access) {
    const u32 highest =
        u32(31 - std::countl_zero(access.active.bits)) % kWarpSize;  // never empty, unknown to compilers
    const u64 distance =
        access.addresses[highest] - access.addresses[access.active.lowest().value % kWarpSize];
    std::unique_ptr<Shape>& slot = site.recent[LocalSite::slotOf(access.active, distance)];
    if (slot && slot->matches(access)) [[likely]]
        return slot.get();
    if (!slot) {
        slot = std::make_unique<Shape>();
        slot->site = &site;
    }
    slot->set(shapeFrom(access));
    slot->number = site.table->shape(slot->lanes);
    return slot.get();
}

void PatternCounter::count(const WarpAccess& access) {
    if (access.active.empty()) return;
    LocalSite* site = access.pc.value < sites_.size() ? sites_[access.pc.value].get() : nullptr;
    if (!site || site->space != access.space) [[unlikely]]
        site = &siteOf(access);
    Shape* shape = recall(*site, access);
    count(shape, access.addresses[shape->lowest]);
}

void PatternCounter::count(Shape* shape, u64 lowestActiveAddress, u64 times) {
    const u32 base = lowestActiveAddress & 255;
    const u32 pattern = shape->patterns[base];
    if (pattern != kUnknown) [[likely]]
        shape->site->counts[pattern].times += times;
    else
        countNew(*shape, base, times);
}

void PatternCounter::countAffine(const AffineAccess& access) {
    if (access.active.empty()) return;
    LocalSite* site = access.pc.value < sites_.size() ? sites_[access.pc.value].get() : nullptr;
    const u32 lowest = access.active.lowest().value;
    if (site && site->space == access.space) [[likely]] {
        LocalSite::AffineSlot& slot = site->affine[LocalSite::slotOf(access.active, u64(access.strideBytes))];
        if (slot.shape && slot.active == access.active && slot.strideBytes == access.strideBytes) [[likely]]
            return count(slot.shape.get(), access.base + u64(access.strideBytes) * lowest);
    }

    WarpAccess whole{access.pc, access.active, access.space, access.kind, access.widthBytes, {}};
    for (Lane lane : access.active)
        whole.addresses[lane.value] = access.base + u64(access.strideBytes) * lane.value;
    LocalSite& known = siteOf(whole);
    LocalSite::AffineSlot& slot = known.affine[LocalSite::slotOf(access.active, u64(access.strideBytes))];
    slot.active = access.active;
    slot.strideBytes = access.strideBytes;
    if (!slot.shape) slot.shape = std::make_unique<Shape>();
    slot.shape->site = &known;
    slot.shape->set(shapeFrom(whole));
    slot.shape->number = known.table->shape(slot.shape->lanes);
    count(slot.shape.get(), whole.addresses[lowest]);
}

PatternCounter::Shape* PatternCounter::shapeOf(const WarpAccess& example) {
    CHECK(!example.active.empty(), "a shape has lanes");
    LocalSite& site = siteOf(example);
    for (const std::unique_ptr<Shape>& known : site.asked)
        if (known->matches(example)) return known.get();
    Shape& shape = *site.asked.emplace_back(std::make_unique<Shape>());
    shape.site = &site;
    shape.set(shapeFrom(example));
    shape.number = site.table->shape(shape.lanes);
    return &shape;
}

void PatternCounter::countNew(Shape& shape, u32 baseMod256, u64 times) {
    LocalSite& site = *shape.site;
    const u32 pattern = shape.number == kUnknown ? kUnknown : site.table->pattern(shape.number, baseMod256);
    if (pattern == kUnknown) {
        const AccessCost cost = table_->cost_(site.table->access(shape.lanes, baseMod256));
        site.overflow.add(cost, u64(shape.lanes.active.count()), times);
        return;
    }
    if (pattern >= site.counts.size()) site.counts.resize(pattern + 1);
    LocalSite::Count& count = site.counts[pattern];
    if (count.times == 0) {
        count.firstBlock = block_;
        count.order = site.met++;
    }
    count.times += times;
    shape.patterns[baseMod256] = pattern;
}

std::vector<SiteCounts> mergePatterns(const PatternTable& table, std::span<PatternCounter* const> counters) {
    std::map<u64, SiteCounts> result;  // by pc and space
    for (const auto& [key, site] : table.sites_) {
        struct Total {
            u64 times = 0;
            std::tuple<Block, u32> first{
                Block{kUnknown}, kUnknown};  // order: comparable within one thread, and so within a block
        };
        std::vector<Total> totals(site->patternKeys.size());
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
            const u64 patternKey = site->patternKeys[i];
            const LaneShape shape = decode(*site->codes[patternKey >> 8]);
            const u32 base = patternKey & 255;
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
