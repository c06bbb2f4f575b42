#include "trace/block_recorder.h"

#include "base/check.h"

#include <algorithm>
#include <cstring>

namespace lockstep::trace {

std::optional<AffineAddresses> affineOf(const WarpAccess& access) {
    const LaneMask active = access.active;
    if (active.empty()) return AffineAddresses{0, 0};
    if (active == LaneMask::all()) {
        const u64 stride = access.addresses[1] - access.addresses[0];
        u64 difference = 0;
        for (u32 lane = 0; lane + 1 < kWarpSize; ++lane)
            difference |= (access.addresses[lane + 1] - access.addresses[lane]) ^ stride;
        if (difference) return std::nullopt;
        return AffineAddresses{access.addresses[0], s64(stride)};
    }
    const Lane first = active.lowest();
    const u64 origin = access.addresses[first.value];
    const LaneMask rest{active.bits & (active.bits - 1)};
    if (rest.empty()) return AffineAddresses{origin, 0};

    const Lane second = rest.lowest();
    const s64 distance = s64(access.addresses[second.value] - origin), lanes = second.value - first.value;
    if (distance % lanes) return std::nullopt;
    const u64 stride = u64(distance / lanes), base = origin - stride * first.value;
    for (Lane lane : rest)
        if (access.addresses[lane.value] != base + stride * lane.value) return std::nullopt;
    return AffineAddresses{base, s64(stride)};
}

BlockRecorder::BlockRecorder(LaunchId launch, Dim3 block, u32 threads, std::size_t mostBytes)
    : mostBytes_(mostBytes) {
    block_.launch = launch;
    block_.block = block;
    block_.threads = threads;
    block_.warps.resize((threads + kWarpSize - 1) / kWarpSize);
    last_.resize(block_.warps.size());
}

void BlockRecorder::step(Warp warp, Pc pc, LaneMask active) {
    CHECK(warp.value < block_.warps.size(), "the block has this warp");
    const u32 order = order_++;
    if (full()) return;
    block_.warps[warp.value].steps.push_back(
        {.pc = pc, .active = active, .access = Step::kNone, .order = order});
    bytes_ += sizeof(Step);
}

void BlockRecorder::access(Warp warp, const WarpAccess& access, const std::byte* values) {
    if (full()) return;
    const std::optional<AffineAddresses> affine = affineOf(access);
    keep(warp, access, affine, affine ? 0 : keepAddresses(warp, access), values);
}

void BlockRecorder::access(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* values) {
    if (full()) return;
    keep(warp, access, lying.affine, lying.affine ? 0 : keepAddresses(warp, access, lying), values);
}

void BlockRecorder::keep(Warp warp, const WarpAccess& access, std::optional<AffineAddresses> affine, u64 addressesAt,
                         const std::byte* values) {
    WarpTrace& trace = block_.warps[warp.value];
    CHECK(!trace.steps.empty(), "an access belongs to a step");
    if (trace.steps.back().access == Step::kNone) trace.steps.back().access = u32(trace.accesses.size());
    trace.accesses.push_back({.pc = access.pc,
                              .active = access.active,
                              .space = access.space,
                              .kind = access.kind,
                              .widthBytes = access.widthBytes,
                              .affine = affine.has_value(),
                              .base = affine ? affine->base : 0,
                              .stride = affine ? affine->strideBytes : 0,
                              .addressesAt = addressesAt,
                              .valuesAt = trace.valuePool.size()});
    bytes_ += sizeof(StoredAccess);

    // Inactive lanes' values are zero, so that equal runs give equal records.
    const std::size_t width = access.widthBytes, size = kWarpSize * width, at = trace.valuePool.size();
    if (at + size > trace.valuePool.capacity())  // grows fast at first: most blocks do a few hundred accesses
        trace.valuePool.reserve(std::max<std::size_t>(2 * at, kLeastRoom) + size);
    if (access.active == LaneMask::all()) {
        trace.valuePool.insert(trace.valuePool.end(), values, values + size);
    } else {
        trace.valuePool.resize(at + size);
        for (Lane lane : access.active)
            std::memcpy(&trace.valuePool[at + lane.value * width], values + lane.value * width, width);
    }
    bytes_ += size;
}

BlockRecorder::Last& BlockRecorder::lastOf(Warp warp, Pc pc) {
    std::vector<Last>& lastByPc = last_[warp.value];
    if (pc.value >= lastByPc.size()) lastByPc.resize(std::size_t{pc.value} + 1);
    return lastByPc[pc.value];
}

// Where the addresses stand in the pool; inactive lanes' are 0. A loop often comes back to the same ones.
u64 BlockRecorder::keepAddresses(Warp warp, const WarpAccess& access) {
    std::vector<u64>& pool = block_.warps[warp.value].addressPool;
    LaneAddresses addresses;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        addresses[lane] = access.active.has(Lane{lane}) ? access.addresses[lane] : 0;
    Last& last = lastOf(warp, access.pc);
    if (last.at != kNowhere && std::equal(addresses.begin(), addresses.end(), pool.begin() + std::ptrdiff_t(last.at))) return last.at;
    last = {.at = pool.size(), .lowest = 0, .shape = kNoShape};
    pool.insert(pool.end(), addresses.begin(), addresses.end());
    bytes_ += sizeof addresses;
    return last.at;
}

u64 BlockRecorder::keepAddresses(Warp warp, const WarpAccess& access, const Lying& lying) {
    std::vector<u64>& pool = block_.warps[warp.value].addressPool;
    Last& last = lastOf(warp, access.pc);
    if (last.at != kNowhere && last.shape == lying.shape && last.lowest == lying.lowest) return last.at;
    last = {.at = pool.size(), .lowest = lying.lowest, .shape = lying.shape};
    pool.resize(last.at + kWarpSize);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        pool[last.at + lane] = access.active.has(Lane{lane}) ? lying.lowest + lying.distances[lane] : 0;
    bytes_ += sizeof(LaneAddresses);
    return last.at;
}

void BlockRecorder::barrier(Warp warp) {
    WarpTrace& trace = block_.warps[warp.value];
    if (full() || trace.steps.empty()) return;
    trace.barrierSteps.push_back(u32(trace.steps.size() - 1));
}

FocusBlock BlockRecorder::finish() && {
    if (bytes_ > kWorthShrinking)
        for (WarpTrace& trace : block_.warps) {
            trace.steps.shrink_to_fit();
            trace.accesses.shrink_to_fit();
            trace.addressPool.shrink_to_fit();
            trace.valuePool.shrink_to_fit();
        }
    return std::move(block_);
}

}  // namespace lockstep::trace
