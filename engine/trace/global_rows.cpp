// The usual accesses to global memory, a warp at a time: neighbouring lanes at neighbouring granules.
#include "trace/global_block_state.h"

namespace lockstep::trace {

using State = GlobalBlockShadow::State;

// Neighbouring lanes at neighbouring granules of one page.
State::Row State::rowOf(const Call& call) {
    const WarpAccess& access = call.access;
    Buffer& buffer = call.buffer;
    const u32 width = access.widthBytes;
    if (access.active != LaneMask::all() || width != 1u << buffer.shift) return {};
    const u64 first = access.addresses[0], offset = first - buffer.spec.base;
    u64 difference = offset & (width - 1);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        difference |= access.addresses[lane] - (first + (u64{lane} << buffer.shift));
    const u64 granule = offset >> buffer.shift, at = granule % Page::kGranules;
    if (difference || offset > buffer.spec.sizeBytes || offset + kWarpSize * width > buffer.spec.sizeBytes)
        return {};
    if (at + kWarpSize > Page::kGranules) return {};
    return {&buffer.page(granule / Page::kGranules), u32(at)};
}

// Harmless: left by one instruction of this block, in an earlier phase or each by the lane that is there now.
State::Found State::lookAtRow(Call& call, const Tag* tags) const {
    const u32 first = tags[0].load(std::memory_order_acquire);
    u32 any = 0, inEpoch = 0, inThread = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 tag = tags[lane].load(std::memory_order_acquire);
        any |= tag;
        inEpoch |= (tag ^ first) >> kThreadBits;
        inThread |= tag ^ (first + lane);
    }
    if (!any) return Found::Nobody;
    if (!first || inEpoch) return Found::Others;
    const GlobalEpoch& old = lookUp(call, first);
    if (old.block != block || old.isStrong != call.epoch.isStrong) return Found::Others;
    const bool isOwn = !inThread && threadOf(first) == call.warp * kWarpSize;
    return old.phase < phase || isOwn ? Found::Harmless : Found::Others;
}

void State::leaveRow(const Call& call, Tag* tags) {
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        tags[lane].store(call.tagOf(0) + lane, std::memory_order_release);
}

bool State::loadRow(Call& call) {
    const Row row = rowOf(call);
    if (!row.page) return false;
    Tag* readers = &row.page->readers[row.at];
    if (lookAtRow(call, &row.page->stores[row.at]) == Found::Others ||
        lookAtRow(call, readers + Page::kGranules) != Found::Nobody)
        return false;
    const Found found = lookAtRow(call, readers);
    if (found == Found::Others || (found == Found::Harmless && lookUp(call, readers[0]).writes()))
        return false;
    leaveRow(call, readers);
    if (found == Found::Nobody) row.page->readClaims.fetch_add(kWarpSize, std::memory_order_relaxed);
    return true;
}

bool State::storeRow(Call& call) {
    const Row row = rowOf(call);
    if (!row.page) return false;
    if (const Tag* readers = row.page->readers.get() ? &row.page->readers[row.at] : nullptr)
        if (lookAtRow(call, readers) == Found::Others ||
            lookAtRow(call, readers + Page::kGranules) != Found::Nobody)
            return false;
    const Found found = lookAtRow(call, &row.page->stores[row.at]);
    if (found == Found::Others) return false;
    leaveRow(call, &row.page->stores[row.at]);
    if (found == Found::Nobody) row.page->storeClaims.fetch_add(kWarpSize, std::memory_order_relaxed);
    return true;
}

}  // namespace lockstep::trace
