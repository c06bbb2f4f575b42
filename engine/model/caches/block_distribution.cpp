#include "model/caches/block_distribution.h"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace lockstep::model {
namespace {

// n blocks over the group's SMs: one for the first SM of each pair before the second ones get theirs.
void dealToGroup(const SmGroup& group, u64 n, std::vector<u32>& dealt) {
    const u64 pairs = (group.sms.size() + 1) / 2, doubled = n > pairs ? n - pairs : 0;
    for (u64 pair = 0; pair < std::min(pairs, n); ++pair) {
        dealt.push_back(group.sms[2 * pair]);
        if (pair < doubled) dealt.push_back(group.sms[2 * pair + 1]);
    }
}

// Splits so many blocks evenly; `most` holds each one's capacity on entry and its share on return.
void shareOut(u64 blocks, std::vector<u64>& most) {
    std::vector<std::size_t> bySize(most.size());
    std::iota(bySize.begin(), bySize.end(), 0);
    std::ranges::stable_sort(bySize, {}, [&](std::size_t at) { return most[at]; });
    for (std::size_t i = 0; i < bySize.size(); ++i) {
        const u64 sharers = bySize.size() - i;
        u64& share = most[bySize[i]];
        share = std::min(share, blocks / sharers);
        blocks -= share;
    }
}

}  // namespace

// Measured on an H200 (tests/data/caches/README.md): a group's turn gives one block to each of its SMs. All
// groups get the same number of turns; until then the small group's come a little more often. The remaining
// blocks are then distributed evenly.
std::vector<u32> dealBlocks(u64 blocks, u32 sms, u32 blocksPerSm, const std::vector<SmGroup>& groups) {
    blocks = std::min<u64>(blocks, u64{sms} * blocksPerSm);
    std::vector<u32> dealt;
    dealt.reserve(blocks);
    if (groups.empty()) {
        for (u64 block = 0; block < blocks; ++block)
            dealt.push_back(u32(block % sms));
        return dealt;
    }
    struct Dealt {
        const SmGroup* group;
        u64 next = 0, turns = 0;
    };
    std::vector<Dealt> open;
    for (const SmGroup& group : groups)
        open.push_back({&group, 2 * open.size()});
    const u64 turnsOfEach = blocks / sms;
    while (turnsOfEach > 0 && !open.empty()) {
        Dealt& next = *std::ranges::min_element(open, {}, &Dealt::next);
        dealToGroup(*next.group, next.group->sms.size(), dealt);
        next.next += next.group->turns;
        if (++next.turns == turnsOfEach) open.erase(open.begin() + (&next - open.data()));
    }
    const u64 left = blocks - dealt.size();
    if (left == 0) return dealt;
    std::vector<u64> rest;
    for (const SmGroup& group : groups | std::views::drop(1))
        rest.push_back(group.sms.size());
    const u64 first = std::min<u64>(left, groups[0].sms.size());
    shareOut(left - first, rest);
    dealToGroup(groups[0], first, dealt);
    for (std::size_t i = 0; i < rest.size(); ++i)
        dealToGroup(groups[i + 1], rest[i], dealt);
    return dealt;
}

// Measured on an H200 with launch__shared_mem_config_size, 156 blocks of different size
// (tests/data/caches/README.md).
u64 sharedSplit(u64 sharedBytes, bool usesShared, u32 threads, u32 warpsAllow, u32 fit, u32 mostBlocks,
                const CacheFigures& figures) {
    const auto roundUp = [&](u64 bytes) {
        const auto split = std::ranges::lower_bound(figures.sharedSplits, bytes);
        return split == figures.sharedSplits.end() ? figures.sharedSplits.back() : *split;
    };
    const u64 needed = roundUp(sharedBytes * fit);
    const bool widest = threads > 512;
    const u64 blocks = std::min<u64>(mostBlocks, u64{warpsAllow} * (widest && usesShared ? 1
                                                                    : usesShared         ? 2
                                                                                         : 4));
    return std::max(needed, std::min(roundUp(sharedBytes * blocks), std::max(needed, figures.headroomBytes)));
}

}  // namespace lockstep::model
