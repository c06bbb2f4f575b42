#include "trace/finding_collector.h"

#include <algorithm>
#include <tuple>

namespace lockstep::trace {

namespace {

// Keys of findings that were left out are kept to count each once. A block is done before the thread's next
// one, so old blocks' keys may go; where blocks take turns, or one block leaves out more than the most, some
// are counted twice.
constexpr std::size_t kManyLeftOutKeys = 1u << 14, kMostLeftOutKeys = 1u << 18;

// z before y before x: the order of linear indices whatever the extents.
auto orderOf(Dim3 d) { return std::tuple(d.z, d.y, d.x); }
auto blockOrder(const Finding& f) { return std::tuple(f.launch, orderOf(f.who.block)); }
auto listOrder(const Finding& f) {
    return std::tuple(blockOrder(f), orderOf(f.who.thread), f.who.pc, f.kind);
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

void FindingCollector::add(const Finding& finding) {
    const Key key{u32(finding.kind), finding.launch.value, finding.who.pc.value, finding.who.block,
                  finding.who.thread};
    if (const auto known = at_.find(key); known != at_.end()) {
        kept_[known->second].count += finding.count;
        return;
    }
    if (kept_.size() < most_) {
        at_.emplace(key, kept_.size());
        kept_.push_back(finding);
        ++distinct_;
        return;
    }
    const bool blockHasEnded = lastBlock_ != finding.who.block;
    if (leftOut_.size() >= (blockHasEnded ? kManyLeftOutKeys : kMostLeftOutKeys)) leftOut_.clear();
    lastBlock_ = finding.who.block;
    if (leftOut_.insert(key).second) ++distinct_;
}

void FindingCollector::clear() {
    distinct_ = 0;
    kept_.clear();
    at_.clear();
    leftOut_.clear();
}

std::vector<Finding> FindingCollector::merge(std::span<const FindingCollector* const> collectors, u32 most) {
    std::vector<Finding> result;
    u64 distinct = 0;
    for (const FindingCollector* collector : collectors) {
        result.insert(result.end(), collector->kept_.begin(), collector->kept_.end());
        distinct += collector->distinct_;
    }
    std::ranges::stable_sort(result, {}, blockOrder);
    if (result.size() > most) result.resize(most);
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
