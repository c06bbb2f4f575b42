#include "trace/shadow/finding_collector.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockstep::trace {

namespace {

// What blocks have found is kept to count each thread once. A block ends before its host thread's next one,
// so old blocks may be forgotten; if blocks take turns, some of their unlisted findings are counted twice.
constexpr std::size_t kMostSites = 1u << 12;
// More blocks than can run at once.
constexpr std::size_t kMostPoisoned = 1u << 14;

// z before y before x: the order of linear indices whatever the extents.
auto orderOf(Dim3 d) { return std::tuple(d.z, d.y, d.x); }
auto blockOrder(const Finding& f) { return std::tuple(f.launch, orderOf(f.who.block)); }
auto listOrder(const Finding& f) {
    return std::tuple(blockOrder(f), orderOf(f.who.thread), f.who.pc, f.kind);
}

auto siteOrder(const Finding& f) { return std::tuple(f.kind, f.launch, f.who.pc); }

bool givesPoison(const Finding& f) {
    switch (f.kind) {
        case FindingKind::UninitializedRead: return true;
        case FindingKind::OutOfBounds: return reads(f.who.kind) && !f.strayed();
        case FindingKind::InvalidAddress:
        case FindingKind::InvalidTexture:
        case FindingKind::Misaligned: return reads(f.who.kind);
        default: return false;
    }
}

// Equal shares of `most`, less for those that need less: the highest level with sum(min(size, level)) <=
// most.
u32 fairShare(std::vector<u32> sizes, u32 most) {
    std::ranges::sort(sizes);
    u64 left = most;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const u64 takers = sizes.size() - i;
        if (u64{sizes[i]} * takers > left) return u32(left / takers);
        left -= sizes[i];
    }
    return most;
}

// One site's findings, in order of occurrence.
using Sites = std::map<decltype(siteOrder(Finding{})), std::vector<Finding>>;

// Sites in the order in which they get one more finding when not all can: each kind's first, faults before
// remarks; then each kind's second.
std::vector<const std::vector<Finding>*> inTurn(const Sites& sites) {
    std::map<std::tuple<std::size_t, bool, FindingKind>, const std::vector<Finding>*> order;
    std::map<FindingKind, std::size_t> ofKind;
    for (const auto& [site, findings] : sites) {
        const FindingKind kind = findings.front().kind;
        order.emplace(std::tuple(ofKind[kind]++, isRemark(kind), kind), &findings);
    }
    std::vector<const std::vector<Finding>*> result;
    for (const auto& [place, findings] : order)
        result.push_back(findings);
    return result;
}

}  // namespace

FindingCollector::FindingCollector(u32 most, Dim3 blockExtents)
    : most_(most), extents_(blockExtents), share_(most), manyKept_(2 * std::size_t{most} + 64) {}

void FindingCollector::add(const Finding& finding) {
    if (givesPoison(finding)) notePoison(finding.who.block);
    const u32 thread = threadOf(finding);
    const Lane lane{thread % kWarpSize};
    const Spot first{finding.kind, finding.launch, finding.who.pc, finding.who.block, thread - lane.value};
    const New found = newOf(first, LaneMask::of(lane), finding.count);
    if (!found.lanes.empty() && *found.keptOfSite < share_) keep(finding);
}

void FindingCollector::notePoison(Dim3 block) {
    if (hasReadPoison(block)) return;
    if (poisoned_.size() >= kMostPoisoned) poisoned_.clear();
    poisoned_.insert(packed(block));
}

bool FindingCollector::addUnlisted(LaunchId launch, std::span<const Place> sites, u64 distinct) {
    const auto isFull = [&](const Place& site) {
        const auto known = keptOfSite_.find({site.kind, launch.value, site.pc.value});
        return known != keptOfSite_.end() && known->second >= share_;
    };
    if (!std::ranges::all_of(sites, isFull)) return false;
    distinct_ += distinct;
    return true;
}

FindingCollector::New FindingCollector::newOf(const Spot& first, LaneMask lanes, u64 count) {
    if (!last_ || lastBlock_ != first.block) [[unlikely]]
        last_ = &blockAt(first.block), lastBlock_ = first.block;
    OfSite& site = siteAt(*last_, {first.kind, first.launch.value, first.pc.value});
    u64& seen = seenWord(site, first.thread);
    const u32 shift = first.thread % 64, known = lanes.bits & u32(seen >> shift);
    if (!site.kept.empty())
        for (Lane lane : LaneMask{known})
            if (const u32 kept = site.kept[first.thread + lane.value]) kept_[kept - 1].count += count;
    seen |= u64{lanes.bits} << shift;
    const LaneMask isNew{lanes.bits & ~known};
    distinct_ += u64(isNew.count());
    return {isNew, site.keptOfAll};
}

void FindingCollector::keep(Finding finding) {
    kept_.push_back(std::move(finding));
    remember(kept_.size() - 1);
    if (kept_.size() > manyKept_) dropWhatIsBeyondTheShare();
}

// The entry with this index, at its block and site.
void FindingCollector::remember(std::size_t kept) {
    const Finding& finding = kept_[kept];
    ++keptOfSite_[keyOf(finding)];
    const auto block = blocks_.find(packed(finding.who.block));
    if (block == blocks_.end()) return;
    noteKept(siteAt(block->second, keyOf(finding)), threadOf(finding), kept);
}

void FindingCollector::noteKept(OfSite& site, u32 thread, std::size_t kept) {
    seenWord(site, thread) |= u64{1} << thread % 64;
    if (thread >= site.kept.size()) site.kept.resize(64 * site.seen.size());
    site.kept[thread] = u32(kept + 1);
}

u64& FindingCollector::seenWord(OfSite& site, u32 thread) {
    if (thread / 64 >= site.seen.size()) {
        site.seen.resize(thread / 64 + 1);
        if (!site.kept.empty()) site.kept.resize(64 * site.seen.size());
    }
    return site.seen[thread / 64];
}

FindingCollector::OfSite& FindingCollector::siteAt(OfBlock& block, const SiteKey& key) {
    if (block.last < block.sites.size() && block.sites[block.last].key == key) return block.sites[block.last];
    const auto known = std::ranges::find(block.sites, key, &OfSite::key);
    block.last = std::size_t(known - block.sites.begin());
    if (known != block.sites.end()) return *known;
    ++siteCount_;
    return block.sites.emplace_back(key, &keptOfSite_[key], std::vector<u64>{}, std::vector<u32>{});
}

FindingCollector::OfBlock& FindingCollector::blockAt(Dim3 block) {
    if (const auto known = blocks_.find(packed(block)); known != blocks_.end()) return known->second;
    if (siteCount_ > kMostSites) forgetBlocks();
    OfBlock& made = blocks_[packed(block)];
    if (forgotten_.erase(packed(block)))
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            if (kept_[i].who.block != block) continue;
            noteKept(siteAt(made, keyOf(kept_[i])), threadOf(kept_[i]), i);
        }
    return made;
}

void FindingCollector::forgetBlocks() {
    for (const Finding& finding : kept_)
        forgotten_.insert(packed(finding.who.block));
    blocks_.clear();
    siteCount_ = 0;
    last_ = nullptr;
}

// Findings of other threads and later blocks only shrink the share. Plus one, from the sites' turns.
void FindingCollector::dropWhatIsBeyondTheShare() {
    std::vector<u32> sizes;
    for (auto& [site, size] : keptOfSite_) {
        sizes.push_back(size);
        size = 0;  // what blocks found points to it
    }
    share_ = std::min(share_, fairShare(std::move(sizes), most_) + 1);
    for (auto& [number, block] : blocks_)
        for (OfSite& site : block.sites)
            site.kept.clear();  // what is dropped stays seen
    for (Finding& finding : std::exchange(kept_, {})) {
        if (keptOfSite_[keyOf(finding)] >= share_) continue;
        kept_.push_back(std::move(finding));
        remember(kept_.size() - 1);
    }
    manyKept_ = kept_.size() + 2 * std::size_t{most_} + 64;
}

void FindingCollector::clear() { *this = FindingCollector(most_, extents_); }

std::vector<Finding> FindingCollector::merge(std::span<const FindingCollector* const> collectors, u32 most) {
    std::vector<Finding> all;
    u64 distinct = 0;
    for (const FindingCollector* collector : collectors) {
        all.insert(all.end(), collector->kept_.begin(), collector->kept_.end());
        distinct += collector->distinct_;
    }
    std::ranges::stable_sort(all, {}, blockOrder);
    Sites sites;
    for (Finding& finding : all)
        sites[siteOrder(finding)].push_back(std::move(finding));

    std::vector<u32> sizes;
    for (const auto& [site, findings] : sites)
        sizes.push_back(u32(findings.size()));
    const u32 share = fairShare(sizes, most);
    std::vector<Finding> result;
    for (const auto& [site, findings] : sites)
        result.insert(result.end(), findings.begin(),
                      findings.begin() + std::min<std::ptrdiff_t>(share, std::ssize(findings)));
    for (const std::vector<Finding>* findings : inTurn(sites))
        if (findings->size() > share && result.size() < most) result.push_back((*findings)[share]);

    std::ranges::stable_sort(result, {}, listOrder);
    if (distinct > result.size()) {
        Finding truncated;
        truncated.kind = FindingKind::Truncated;
        truncated.count = distinct - result.size();
        result.push_back(truncated);
    }
    return result;
}

}  // namespace lockstep::trace
