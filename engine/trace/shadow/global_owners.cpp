// Buffers of which each granule is accessed by one thread alone: its owner, by its number in the grid. A line
// of 32 granules that neighbors own one after the other has one tag.
#include "trace/shadow/global_block_state.h"

#include <bit>

namespace lockstep::trace {

using State = GlobalBlockShadow::State;

void State::share(Call& call) {
    call.flags.fetch_or(kShared, std::memory_order_relaxed);
    shadow.doomed_.store(true, std::memory_order_relaxed);
}

bool State::own(Call& call) {
    if (ownLines(call)) return true;
    if (call.isRun) return false;
    const u32 first = firstOwner + call.warp * kWarpSize;
    bool isShared = false;
    forEachTag(call, Claims::OfStores, [&](u32 lane, u64, Page& page, u32 at) -> u32 {
        Tag& tag = page.stores[at];
        const u32 owner = tag.load(std::memory_order_relaxed);
        isShared = isShared || (owner && owner != first + lane);
        if (!owner) tag.store(first + lane, std::memory_order_relaxed);
        return owner == 0;
    });
    if (isShared) share(call);
    return true;
}

// A run of one line that the warp has owned since an earlier access, of a kind that was announced.
bool State::ownsRun(u32 warp, u32 number, const WarpAccess& access, u16 flags) const {
    const u16 wanted = u16(kOwned | (access.kind == AccessKind::Store ? kWritten | kStored : kRead));
    if ((flags & (wanted | kTracksReads | kTooCoarse | kShared)) != wanted) return false;
    const Buffer& buffer = *shadow.buffers_[number];
    const u64 offset = access.addresses[0] - buffer.spec.base, size = buffer.spec.sizeBytes,
              bytes = u64{Page::kLine} << buffer.shift;
    if (access.widthBytes != 1u << buffer.shift || offset % bytes || size < bytes || offset > size - bytes)
        return false;
    const u64 line = (offset >> buffer.shift) / Page::kLine;
    Page* const page = buffer.pages[line / Page::kLines].load(std::memory_order_acquire);
    return page && page->line(Page::Stores, u32(line % Page::kLines)).load(std::memory_order_acquire) ==
                       Page::LineTag{firstOwner + warp * kWarpSize, 0};
}

// Lane n is n elements from the start of a line. False: some page is in pieces, or has to be.
bool State::ownLines(Call& call) {
    constexpr u32 kMostShift = 2;
    const WarpAccess& access = call.access;
    const Buffer& buffer = call.buffer;
    const u32 width = access.widthBytes, perLane = width >> buffer.shift,
              lowest = access.active.lowest().value;
    const u64 address = access.addresses[lowest] - u64{width} * lowest, offset = address - buffer.spec.base,
              bytes = u64{width} * kWarpSize;
    if (perLane > 1u << kMostShift || offset % (u64{Page::kLine} << buffer.shift) != 0 ||
        offset > buffer.spec.sizeBytes || buffer.spec.sizeBytes - offset < bytes)
        return false;
    if (!call.isRun) {
        u64 differs = 0;
        for (Lane lane : access.active)
            differs |= access.addresses[lane.value] ^ (address + u64{lane.value} * width);
        if (differs) return false;
    }
    const u32 shift = u32(std::countr_zero(perLane)), lanes = Page::kLine >> shift,
              all = LaneMask::firstLanes(lanes).bits;
    const u64 firstLine = (offset >> buffer.shift) / Page::kLine;
    for (u32 i = 0; i < perLane; ++i) {
        const u32 firstLane = i * lanes, active = access.active.bits >> firstLane & all;
        if (!active) continue;
        const Page::LineTag mine{firstOwner + call.warp * kWarpSize + firstLane, shift};
        Page& page = call.buffer.pageAsItIs((firstLine + i) / Page::kLines);
        Page::Line& line = page.line(Page::Stores, u32((firstLine + i) % Page::kLines));
        Page::LineTag owner = line.load(std::memory_order_acquire);
        if (owner == mine) continue;
        if (owner.tag || active != all || !line.compare_exchange_strong(owner, mine)) return false;
        call.storeClaims += Page::kLine;
    }
    return true;
}

}  // namespace lockstep::trace
