#include "trace/shadow/finding_collector.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockstep::trace {

namespace {

// Keys of unlisted findings are kept to count each once. A block ends before the thread's next one, so old
// blocks' keys may be dropped; if blocks take turns, or one block has more unlisted findings than the limit,
// some are counted twice.
constexpr std::size_t kManyLeftOutKeys = 1u << 14, kMostLeftOutKeys = 1u << 18;
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

constexpr u64 mix(u64 hash, u64 value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
    return hash ^ hash >> 32;
}

}  // namespace

std::size_t FindingCollector::HashKey::operator()(const Key& key) const {
    u64 hash = mix(u64{key.kind} << 32 | key.launch, key.pc);
    for (const Dim3& d : {key.block, key.thread})
        hash = mix(mix(hash, u64{d.x} << 32 | d.y), d.z);
    return hash;
}

FindingCollector::FindingCollector(u32 most)
    : most_(most), share_(most), manyKept_(2 * std::size_t{most} + 64) {}

void FindingCollector::add(const Finding& finding) {
    if (givesPoison(finding) && !hasReadPoison(finding.who.block)) {
        if (poisoned_.size() >= kMostPoisoned) poisoned_.clear();
        poisoned_.insert(packed(finding.who.block));
    }
    const Key key{u32(finding.kind), finding.launch.value, finding.who.pc.value, finding.who.block,
                  finding.who.thread};
    if (const auto known = at_.find(key); known != at_.end()) {
        kept_[known->second].count += finding.count;
        return;
    }
    u32& ofSite = ofSite_[siteOf(key)];
    if (ofSite >= share_) return leaveOut(key);
    ++ofSite;
    ++distinct_;
    at_.emplace(key, kept_.size());
    kept_.push_back(finding);
    if (kept_.size() > manyKept_) dropWhatIsBeyondTheShare();
}

void FindingCollector::leaveOut(const Key& key) {
    const bool blockHasEnded = lastBlock_ != key.block;
    if (leftOut_.size() >= (blockHasEnded ? kManyLeftOutKeys : kMostLeftOutKeys)) leftOut_.clear();
    lastBlock_ = key.block;
    if (leftOut_.insert(key).second) ++distinct_;
}

// Findings of other threads and later blocks only shrink the share. Plus one, from the sites' turns.
void FindingCollector::dropWhatIsBeyondTheShare() {
    std::vector<u32> sizes;
    for (const auto& [site, size] : ofSite_)
        sizes.push_back(size);
    share_ = std::min(share_, fairShare(std::move(sizes), most_) + 1);

    std::vector<Finding> all = std::exchange(kept_, {});
    std::vector<Key> keys(all.size());
    for (const auto& [key, at] : at_)
        keys[at] = key;
    at_.clear();
    ofSite_.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        u32& ofSite = ofSite_[siteOf(keys[i])];
        if (ofSite >= share_) {
            leftOut_.insert(keys[i]);  // it may recur, and is counted already
            continue;
        }
        ++ofSite;
        at_.emplace(keys[i], kept_.size());
        kept_.push_back(std::move(all[i]));
    }
    manyKept_ = kept_.size() + 2 * std::size_t{most_} + 64;
}

void FindingCollector::clear() { *this = FindingCollector(most_); }

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
