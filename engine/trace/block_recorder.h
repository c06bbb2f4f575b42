// Keeps what one focus block does, step by step, as a FocusBlock. Cost: a step is a push of 16 bytes, an
// access one of 32 and its values, of which lanes that read the same address share one; a way for the lanes
// to lie that is new to the warp takes 288 bytes.
#pragma once

#include "trace/trace.h"

#include <unordered_map>

namespace lockstep::trace {

// What the record of one warp will need, roughly: asked for at once, so that it need not be moved.
struct RecorderRoom {
    std::size_t steps = 256, accesses = 128, valueBytes = 0;
};

class BlockRecorder {
public:
    static constexpr std::size_t kMostBytes = 256u << 20;

    BlockRecorder(LaunchId launch, Dim3 block, u32 threads, std::size_t mostBytes = kMostBytes,
                  RecorderRoom room = {});

    // An issued warp instruction, in the order in which the block's warps issue them. active: lanes whose
    // guard is true (may be none).
    void step(Warp warp, Pc pc, LaneMask active) {
        const u32 order = order_++;
        if (full()) return;
        block_.warps[warp.value].steps.push_back(
            {.pc = pc, .active = active, .access = Step::kNone, .order = order});
        bytes_ += sizeof(Step);
    }
    // The memory access of that warp's latest step; call it once the values are known. values: lane n's at n
    // * widthBytes, inactive lanes' are not looked at. Of a second access of one step (cp.async's store to
    // shared memory) the step names the first; it follows that one.
    void access(Warp warp, const WarpAccess& access, const std::byte* values);
    // The same for a caller that knows how the lanes lie to each other, and calls that by a number: the 32
    // addresses are only looked at where they are new. access.addresses is not. Lanes that read the same
    // address have read the same.
    struct Lying {
        u32 shape = 0;                   // small, and never twice for different distances
        u64 lowest = 0;                  // address of the lowest active lane
        const LaneAddresses& distances;  // from it; of inactive lanes 0
    };
    void access(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* values);
    // The same for a load whose values still stand where they were read. lowest: where the lowest lane's
    // does.
    void load(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* lowest);
    // The warp's latest step was a block-wide barrier (or it takes part in one): a phase ends for this warp.
    void barrier(Warp warp);

    // Beyond mostBytes nothing more is kept: the block's record is its beginning.
    bool full() const { return bytes_ >= mostBytes_; }
    u64 bytes() const { return bytes_; }

    FocusBlock finish() &&;

private:
    static constexpr u32 kNoLayout = ~0u;
    static constexpr std::size_t kLeastRoom = 8 << 10;
    static constexpr std::size_t kWorthShrinking =
        2 << 20;  // of a smaller block the room left over is not worth a copy

    // The first lane of each value of a layout.
    struct Sharing {
        u32 count = 0;
        u32 strideBytes = 0;  // of the values in memory, where it is the same for all and fits
        std::array<u8, kWarpSize> lanes{};
    };
    struct Layouts {
        std::unordered_multimap<u64, u32> byHash;
        std::vector<u32> byShape, byPc;  // of shapes; as the instruction had it last
        std::vector<Sharing> sharing;    // by layout
    };
    u32 layoutOf(Warp warp, const LaneLayout& layout);
    u32 layoutOf(Warp warp, const Lying& lying) {
        const std::vector<u32>& byShape = layouts_[warp.value].byShape;
        if (lying.shape < byShape.size() && byShape[lying.shape] != kNoLayout) [[likely]]
            return byShape[lying.shape];
        return addLayout(warp, lying);
    }
    u32 addLayout(Warp warp, const Lying& lying);
    // Room for the values of an access that is added.
    std::byte* add(Warp warp, const WarpAccess& access, u32 layout, u64 base, u32 values);
    void keep(Warp warp, const WarpAccess& access, u32 layout, u64 base, u32 values,
              const std::byte* laneValues);

    FocusBlock block_;
    std::vector<Layouts> layouts_;  // by warp
    u32 order_ = 0;
    std::size_t bytes_ = 0, mostBytes_;
};

}  // namespace lockstep::trace
