#include "trace/block_recorder.h"

#include "base/check.h"

#include <algorithm>
#include <cstring>

namespace lockstep::trace {
namespace {

constexpr u64 kMostStrideBytes = 16;  // of the widest access

// Stride of the values' positions, in order of their numbers; 0: no useful stride.
u32 strideOf(const std::array<u8, kWarpSize>& lanes, u32 count, const LaneAddresses& distances) {
    if (count < 2 || distances[lanes[0]] != 0) return 0;
    const u64 stride = distances[lanes[1]];
    for (u32 value = 2; value < count; ++value)
        if (distances[lanes[value]] != value * stride) return 0;
    return stride <= kMostStrideBytes ? u32(stride) : 0;
}

template <std::size_t width>
void gather(std::byte* kept, const std::byte* laneValues, const u8* lanes, u32 count) {
    for (u32 value = 0; value < count; ++value)
        std::memcpy(kept + value * width, laneValues + lanes[value] * width, width);
}

}  // namespace

BlockRecorder::BlockRecorder(LaunchId launch, Dim3 block, u32 threads, std::size_t mostBytes,
                             RecorderRoom room)
    : mostBytes_(mostBytes) {
    block_.launch = launch;
    block_.block = block;
    block_.threads = threads;
    block_.warps.resize((threads + kWarpSize - 1) / kWarpSize);
    layouts_.resize(block_.warps.size());
    for (WarpTrace& trace : block_.warps) {
        trace.steps.reserve(room.steps);
        trace.accesses.reserve(room.accesses);
        trace.valuePool.reserve(room.valueBytes);
    }
}

void BlockRecorder::access(Warp warp, const WarpAccess& access, const std::byte* values) {
    if (full()) return;
    LaneLayout layout;
    const u64 base = access.active.empty() ? 0 : access.addresses[access.active.lowest().value];
    for (Lane lane : access.active)
        layout.distances[lane.value] = access.addresses[lane.value] - base;

    Layouts& known = layouts_[warp.value];
    if (access.pc.value >= known.byPc.size()) known.byPc.resize(std::size_t{access.pc.value} + 1, kNoLayout);
    u32& last = known.byPc[access.pc.value];
    if (last == kNoLayout || block_.warps[warp.value].layouts[last].distances != layout.distances)
        last = layoutOf(warp, layout);

    // That lanes with one address read the same value is not guaranteed on every machine: it is checked.
    const LaneLayout& kept = block_.warps[warp.value].layouts[last];
    const Sharing& sharing = known.sharing[last];
    const std::size_t width = access.widthBytes;
    const auto readTheSame = [&](u32 lane) {
        return std::memcmp(values + lane * width, values + sharing.lanes[kept.values[lane]] * width, width) ==
               0;
    };
    bool shared =
        access.kind == AccessKind::Load && access.active == LaneMask::all() && sharing.count < kWarpSize;
    for (u32 lane = 0; shared && lane < kWarpSize; ++lane)
        shared = readTheSame(lane);
    keep(warp, access, last, base, shared ? sharing.count : kWarpSize, values);
}

void BlockRecorder::access(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* values) {
    if (full()) return;
    const u32 layout = layoutOf(warp, lying);
    const bool shared = access.kind == AccessKind::Load && access.active == LaneMask::all();
    keep(warp, access, layout, lying.lowest, shared ? layouts_[warp.value].sharing[layout].count : kWarpSize,
         values);
}

void BlockRecorder::load(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* lowest) {
    if (full()) return;
    const u32 layout = layoutOf(warp, lying);
    const Sharing& sharing = layouts_[warp.value].sharing[layout];
    const std::size_t width = access.widthBytes;
    if (access.active != LaneMask::all()) {
        std::byte* const kept = add(warp, access, layout, lying.lowest, kWarpSize);
        for (Lane lane : access.active)
            std::memcpy(kept + lane.value * width, lowest + lying.distances[lane.value], width);
        return;
    }
    std::byte* const kept = add(warp, access, layout, lying.lowest, sharing.count);
    if (sharing.strideBytes == width) {
        std::memcpy(kept, lowest, sharing.count * width);
        return;
    }
    for (u32 value = 0; value < sharing.count; ++value)
        std::memcpy(kept + value * width, lowest + lying.distances[sharing.lanes[value]], width);
}

std::byte* BlockRecorder::add(Warp warp, const WarpAccess& access, u32 layout, u64 base, u32 values) {
    WarpTrace& trace = block_.warps[warp.value];
    if (digest_) {
        digest_->access(warp, access, base, trace.layouts[layout].distances);
        if (!keepsEvents_) {
            scratch_.resize(values * std::size_t{access.widthBytes});
            return scratch_.data();
        }
    }
    CHECK(!trace.steps.empty(), "an access belongs to a step");
    if (trace.steps.back().access == Step::kNone) trace.steps.back().access = u32(trace.accesses.size());
    const std::size_t size = values * std::size_t{access.widthBytes}, at = trace.valuePool.size();
    trace.accesses.push_back({.pc = access.pc,
                              .active = access.active,
                              .space = access.space,
                              .kind = access.kind,
                              .widthBytes = access.widthBytes,
                              .values = u8(values),
                              .layout = layout,
                              .base = base,
                              .valuesAt = at});
    if (at + size >
        trace.valuePool.capacity())  // grows fast at first: most blocks have some hundred accesses
        trace.valuePool.reserve(std::max<std::size_t>(2 * at, kLeastRoom) + size);
    bytes_ += sizeof(StoredAccess) + size;
    trace.valuePool.resize(at + size);
    return trace.valuePool.data() + at;
}

void BlockRecorder::keep(Warp warp, const WarpAccess& access, u32 layout, u64 base, u32 values,
                         const std::byte* laneValues) {
    std::byte* const kept = add(warp, access, layout, base, values);
    const std::size_t width = access.widthBytes;
    if (values == kWarpSize && access.active == LaneMask::all()) {
        std::memcpy(kept, laneValues, values * width);
    } else if (values ==
               kWarpSize) {  // inactive lanes' values are zero, so that equal runs give equal records
        for (Lane lane : access.active)
            std::memcpy(kept + lane.value * width, laneValues + lane.value * width, width);
    } else {
        const u8* lanes = layouts_[warp.value].sharing[layout].lanes.data();
        switch (width) {
            case 4: return gather<4>(kept, laneValues, lanes, values);
            case 8: return gather<8>(kept, laneValues, lanes, values);
            case 16: return gather<16>(kept, laneValues, lanes, values);
            default:
                for (u32 value = 0; value < values; ++value)
                    std::memcpy(kept + value * width, laneValues + lanes[value] * width, width);
        }
    }
}

u32 BlockRecorder::addLayout(Warp warp, const Lying& lying) {
    std::vector<u32>& byShape = layouts_[warp.value].byShape;
    if (lying.shape >= byShape.size()) byShape.resize(std::size_t{lying.shape} + 1, kNoLayout);
    return byShape[lying.shape] = layoutOf(warp, LaneLayout{.distances = lying.distances, .values = {}});
}

// Index of the layout among the warp's; a new layout is added.
u32 BlockRecorder::layoutOf(Warp warp, const LaneLayout& layout) {
    std::vector<LaneLayout>& kept = block_.warps[warp.value].layouts;
    Layouts& known = layouts_[warp.value];
    u64 hash = 0;
    for (u64 distance : layout.distances)
        hash = (hash ^ distance) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    const auto [first, end] = known.byHash.equal_range(hash);
    for (auto found = first; found != end; ++found)
        if (kept[found->second].distances == layout.distances) return found->second;

    const u32 index = u32(kept.size());
    kept.push_back(layout);
    Sharing sharing{.count = numberValues(kept.back()), .strideBytes = 0, .lanes = {}};
    for (u32 lane = kWarpSize; lane-- > 0;)
        sharing.lanes[kept.back().values[lane]] = u8(lane);
    sharing.strideBytes = strideOf(sharing.lanes, sharing.count, layout.distances);
    known.sharing.push_back(sharing);
    known.byHash.emplace(hash, index);
    bytes_ += sizeof(LaneLayout);
    return index;
}

void BlockRecorder::barrier(Warp warp) {
    WarpTrace& trace = block_.warps[warp.value];
    if (full() || trace.steps.empty()) return;
    trace.barrierSteps.push_back(u32(trace.steps.size() - 1));
}

FocusBlock BlockRecorder::finish() && {
    block_.truncated = full();
    if (bytes_ > kWorthShrinking)
        for (WarpTrace& trace : block_.warps) {
            trace.steps.shrink_to_fit();
            trace.accesses.shrink_to_fit();
            trace.layouts.shrink_to_fit();
            trace.valuePool.shrink_to_fit();
        }
    return std::move(block_);
}

}  // namespace lockstep::trace
