// Fast path for common global accesses, a row of lanes at a time: neighboring lanes at neighboring granules.
#include "trace/shadow/global_block_state.h"

namespace lockstep::trace {

using State = GlobalBlockShadow::State;

namespace {

// Lanes per row if 32 ascending addresses form rows: 32, 16 or 8; 0: they do not.
u32 lanesARow(const LaneAddresses& addresses, u32 width) {
    u32 breaks = 0;  // between a lane and the next
    for (u32 lane = 1; lane < kWarpSize; ++lane)
        breaks |= u32(addresses[lane] != addresses[lane - 1] + width) << lane;
    if (!breaks) return 32;
    if (breaks == 1u << 16) return 16;
    return breaks & ~(1u << 8 | 1u << 16 | 1u << 24) ? 0 : 8;
}

}  // namespace

State::Rows State::rowsOf(const Call& call) {
    const WarpAccess& access = call.access;
    Buffer& buffer = call.buffer;
    const u32 width = access.widthBytes;
    if (access.active != LaneMask::all() || width != 1u << buffer.shift) return {};
    const u32 lanes = lanesARow(access.addresses, width);
    if (!lanes) return {};
    Rows rows{.rows = {}, .count = kWarpSize / lanes, .lanes = lanes};
    std::array<u64, 4> granules{};
    for (u32 i = 0; i < rows.count; ++i) {
        const u64 offset = access.addresses[i * lanes] - buffer.spec.base, bytes = lanes * width;
        if (offset & (width - 1) || offset > buffer.spec.sizeBytes || offset + bytes > buffer.spec.sizeBytes)
            return {};
        granules[i] = offset >> buffer.shift;
        for (u32 before = 0; before < i; ++before)
            if (granules[i] + lanes > granules[before] && granules[before] + lanes > granules[i]) return {};
        const u64 at = granules[i] % Page::kGranules;
        if (at + lanes > Page::kGranules) return {};
        rows.rows[i] = {&buffer.page(granules[i] / Page::kGranules), u32(at), i * lanes};
    }
    return rows;
}

// No conflict: left by one instruction of this block, in an earlier phase or each by the same lane as now.
State::Found State::lookAt(Call& call, const Tag* tags, u32 firstLane, u32 lanes) const {
    const u32 first = tags[0].load(std::memory_order_acquire);
    u32 any = 0, inEpoch = 0, inThread = 0;
    for (u32 lane = 0; lane < lanes; ++lane) {
        const u32 tag = tags[lane].load(std::memory_order_acquire);
        any |= tag;
        inEpoch |= (tag ^ first) >> kThreadBits;
        inThread |= tag ^ (first + lane);
    }
    if (!any) return Found::Nothing;
    if (!first || inEpoch) return Found::Others;
    const GlobalEpoch& old = lookUp(call, first);
    if (old.block != block || old.isStrong != call.epoch.isStrong) return Found::Others;
    const bool isOwn = !inThread && threadOf(first) == call.warp * kWarpSize + firstLane;
    return old.phase < phase || isOwn ? Found::Harmless : Found::Others;
}

void State::leaveTags(const Call& call, Tag* tags, u32 firstLane, u32 lanes) {
    const u32 mine = call.tagOf(0) + firstLane;
    for (u32 lane = 0; lane < lanes; ++lane)
        tags[lane].store(mine + lane, std::memory_order_release);
}

bool State::loadRows(Call& call) {
    const Rows rows = rowsOf(call);
    if (!rows.count) return false;
    std::array<Found, 4> found{};
    for (u32 i = 0; i < rows.count; ++i) {
        const auto [page, at, lane] = rows.rows[i];
        const Tag* readers = &page->readers[at];
        if (lookAt(call, &page->stores[at], lane, rows.lanes) == Found::Others ||
            lookAt(call, readers + Page::kGranules, lane, rows.lanes) != Found::Nothing)
            return false;
        found[i] = lookAt(call, readers, lane, rows.lanes);
        if (found[i] == Found::Others || (found[i] == Found::Harmless && lookUp(call, readers[0]).writes()))
            return false;
    }
    for (u32 i = 0; i < rows.count; ++i) {
        const auto [page, at, lane] = rows.rows[i];
        leaveTags(call, &page->readers[at], lane, rows.lanes);
        if (found[i] == Found::Nothing) page->readClaims.fetch_add(rows.lanes, std::memory_order_relaxed);
    }
    return true;
}

bool State::storeRows(Call& call) {
    const Rows rows = rowsOf(call);
    if (!rows.count) return false;
    std::array<Found, 4> found{};
    for (u32 i = 0; i < rows.count; ++i) {
        const auto [page, at, lane] = rows.rows[i];
        if (const Tag* readers = page->readers.get() ? &page->readers[at] : nullptr)
            if (lookAt(call, readers, lane, rows.lanes) == Found::Others ||
                lookAt(call, readers + Page::kGranules, lane, rows.lanes) != Found::Nothing)
                return false;
        found[i] = lookAt(call, &page->stores[at], lane, rows.lanes);
        if (found[i] == Found::Others) return false;
    }
    for (u32 i = 0; i < rows.count; ++i) {
        const auto [page, at, lane] = rows.rows[i];
        leaveTags(call, &page->stores[at], lane, rows.lanes);
        if (found[i] == Found::Nothing) call.storeClaims += rows.lanes;
    }
    return true;
}

}  // namespace lockstep::trace
