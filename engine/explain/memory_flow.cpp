#include "explain/memory_flow.h"

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>

namespace lockstep::explain {
namespace {

using trace::AccessKind, trace::Space, trace::StoredAccess, trace::WarpTrace;

// Local memory is each thread's own: addresses with the thread above them.
u64 keyOf(Space space, u64 address, u32 warp, Lane lane) {
    constexpr u64 kLocal = u64{1} << 63;
    return space == Space::Local
               ? kLocal | u64{warp * kWarpSize + lane.value} << 48 | (address & ((u64{1} << 48) - 1))
               : address;
}

bool isLoad(AccessKind kind) { return kind == AccessKind::Load || kind == AccessKind::Atomic; }
bool isWritten(const StoredAccess& access) {
    return access.kind == AccessKind::AsyncCopy ? access.space == Space::Shared : trace::writes(access.kind);
}

// Pages of memory outside of shared memory from which the block loads: where it only stores, no one asks who
// did.
class LoadedPages {
public:
    void add(u64 key) {
        if (key >> kShift != last_) last_ = key >> kShift, pages_.insert(last_);
    }
    bool has(u64 key) const { return !pages_.empty() && pages_.contains(key >> kShift); }

private:
    static constexpr u32 kShift = 12;
    std::unordered_set<u64> pages_;
    u64 last_ = ~u64{0};
};

}  // namespace

// Who wrote each byte last.
class Shadow {
public:
    void write(Space space, u64 key, u32 bytes, u32 store) {
        for (u32 i = 0; i < bytes; ++i) {
            u32& byte = at(space, key + i);
            // The lanes of one instruction write at once: which of them stays is not told.
            const u32 step = store / kWarpSize;
            const bool together = byte != MemoryFlow::kNoStore && (byte & ~kTogether) / kWarpSize == step;
            byte = together ? kTogether | step * kWarpSize : store;
        }
    }
    u32 read(Space space, u64 key, u32 bytes) {
        const u32 found = byteAt(space, key);
        for (u32 i = 1; i < bytes; ++i)
            if (byteAt(space, key + i) != found) return MemoryFlow::kSeveral;
        return found != MemoryFlow::kNoStore && (found & kTogether) ? MemoryFlow::kSeveral : found;
    }
    bool isEmpty(Space space) const { return space == Space::Shared ? shared_.empty() : pages_.empty(); }

private:
    static constexpr u32 kTogether = 1u << 31;  // several lanes of this step
    static constexpr u32 kPage = 32;
    static constexpr u64 kMostShared = 1 << 20;  // more than any device has: beyond, an address is wrong
    using Page = std::array<u32, kPage>;

    u32& at(Space space, u64 key) {
        if (space == Space::Shared) {
            if (key >= kMostShared) return nowhere_;
            if (key >= shared_.size()) shared_.resize(std::bit_ceil(key + 1), MemoryFlow::kNoStore);
            return shared_[key];
        }
        if (key / kPage != lastKey_) {
            const auto [found, isNew] = pages_.try_emplace(key / kPage);
            if (isNew) found->second.fill(MemoryFlow::kNoStore);
            lastKey_ = key / kPage, last_ = &found->second;
        }
        return (*last_)[key % kPage];
    }
    u32 byteAt(Space space, u64 key) {
        if (space == Space::Shared) return key < shared_.size() ? shared_[key] : MemoryFlow::kNoStore;
        if (key / kPage != lastKey_) {
            const auto found = pages_.find(key / kPage);
            if (found == pages_.end()) return MemoryFlow::kNoStore;
            lastKey_ = key / kPage, last_ = &found->second;
        }
        return (*last_)[key % kPage];
    }

    std::vector<u32> shared_;
    std::unordered_map<u64, Page> pages_;
    u64 lastKey_ = ~u64{0};
    Page* last_ = nullptr;
    u32 nowhere_ = 0;
};

namespace {

// The block's steps with accesses, in its order.
std::vector<StoreStep> stepsInOrder(const trace::FocusBlock& block) {
    u32 most = 0;
    for (const WarpTrace& warp : block.warps)
        if (!warp.steps.empty()) most = std::max(most, warp.steps.back().order + 1);
    constexpr u32 kNothing = ~0u;
    std::vector<StoreStep> byOrder(most, StoreStep{Warp{0}, kNothing});
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s)
            if (const trace::Step& step = block.warps[w].steps[s];
                step.access != trace::Step::kNone && step.order < most)
                byOrder[step.order] = {Warp{w}, s};
    std::erase_if(byOrder, [](const StoreStep& at) { return at.step == kNothing; });
    return byOrder;
}

template <class Visit>
void forEachKey(const WarpTrace& warp, u32 w, const StoredAccess& access, Visit&& visit) {
    for (const Lane lane : access.active)
        visit(lane, keyOf(access.space, warp.address(access, lane), w, lane));
}

LoadedPages loadedPages(const trace::FocusBlock& block) {
    LoadedPages pages;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (const StoredAccess& access : block.warps[w].accesses)
            if (isLoad(access.kind) && (access.space == Space::Global || access.space == Space::Local))
                forEachKey(block.warps[w], w, access, [&](Lane, u64 key) {
                    pages.add(key);
                    pages.add(key + access.widthBytes - 1);
                });
    return pages;
}

}  // namespace

AccessRange accessesOf(const WarpTrace& warp, u32 step) {
    const u32 first = warp.steps[step].access;
    if (first == trace::Step::kNone) return {};
    u32 end = first + 1;
    while (end < warp.accesses.size() && warp.accesses[end].pc == warp.accesses[first].pc) {
        // The same instruction again in its next step.
        const auto isNext = [&](const trace::Step& next) { return next.access == end; };
        u32 s = step + 1;
        while (s < warp.steps.size() && warp.steps[s].access == trace::Step::kNone)
            ++s;
        if (s < warp.steps.size() && isNext(warp.steps[s])) break;
        ++end;
    }
    return {first, end};
}

MemoryFlow::MemoryFlow(const InstructionFlows& flows, const trace::FocusBlock& block,
                       std::vector<RegisterFlow>& warps) {
    const LoadedPages loaded = loadedPages(block);
    Shadow shadow;
    for (const StoreStep& at : stepsInOrder(block)) {
        const WarpTrace& warp = block.warps[at.warp.value];
        RegisterFlow& registers = warps[at.warp.value];
        const u32 first = registers.first[at.step];
        if (first == kNone) continue;
        const InstructionFlow& flow = flows.known(warp.steps[at.step].pc);
        const AccessRange range = accessesOf(warp, at.step);
        if (flow.effect == Effect::Load)
            for (u32 e = 0; e < flow.elements; ++e) {
                RegisterFlow::Lanes stores{};
                LaneMask lanes;
                for (u32 a = range.first; a < range.end; ++a) {
                    const StoredAccess& access = warp.accesses[a];
                    if (access.space == Space::Constant || access.space == Space::Param ||
                        shadow.isEmpty(access.space))
                        continue;
                    lanes = lanes | access.active;
                    u64 last = ~u64{0};  // neighbors often read the same
                    u32 store = kNoStore;
                    forEachKey(warp, at.warp.value, access, [&](Lane lane, u64 key) {
                        if (std::exchange(last, key) != key)
                            store = shadow.read(access.space, key + u64{e} * flow.elementBytes,
                                                flow.elementBytes);
                        stores[lane.value] = store;
                    });
                }
                registers.numbers[first + flow.reads.size() + e] = codeOf(stores, lanes);
            }
        for (u32 a = range.first; a < range.end; ++a) {
            const StoredAccess& access = warp.accesses[a];
            if (!isWritten(access)) continue;
            const u32 store = u32(steps_.size()) * kWarpSize;
            bool isKept = false;
            forEachKey(warp, at.warp.value, access, [&](Lane lane, u64 key) {
                if (access.space != Space::Shared && !loaded.has(key) &&
                    !loaded.has(key + access.widthBytes - 1))
                    return;
                shadow.write(access.space, key, access.widthBytes, store + lane.value);
                isKept = true;
            });
            if (isKept) steps_.push_back(at);
        }
    }
}

Code MemoryFlow::codeOf(const RegisterFlow::Lanes& stores, LaneMask lanes) {
    if (lanes.empty()) return kNoStore;
    const u32 one = stores[lanes.lowest().value];
    bool isSame = true, isOwn = one < kSeveral;
    for (const Lane lane : lanes) {
        const u32 store = stores[lane.value];
        isSame = isSame && store == one;
        isOwn = isOwn && store < kSeveral && store / kWarpSize == one / kWarpSize &&
                store % kWarpSize == lane.value;
    }
    if (isSame) return one;
    if (isOwn) return kOfOwnLane | one;
    // How far apart the stores are is mostly the same in each round of a loop, and for several warps.
    RegisterFlow::Lanes apart{};
    for (const Lane lane : lanes)
        apart[lane.value] = stores[lane.value] - one;
    u64 hash = 0;
    for (const u32 distance : apart)
        hash = (hash ^ distance) * 0x9e3779b97f4a7c15u;
    u32& known = known_[hash >> (64 - kKnownBits)];
    if (known >= apart_.size() || apart_[known] != apart) {
        known = u32(apart_.size());
        apart_.push_back(apart);
    }
    byLane_.push_back({one, known});
    return kByLane | u32(byLane_.size() - 1);
}

u32 MemoryFlow::storeOf(Code code, Lane lane) const {
    if (code >= kSeveral) return code;
    const u32 number = code & ~kKind;
    switch (code & kKind) {
        case kOfOwnLane: return number / kWarpSize * kWarpSize + lane.value;
        case kByLane: return byLane_[number].first + apart_[byLane_[number].apart][lane.value];
        default: return number;
    }
}

}  // namespace lockstep::explain
