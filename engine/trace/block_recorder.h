// Records what one focus block does, step by step, as a FocusBlock. Cost: 16 bytes per step, 32 bytes per
// access plus its values (lanes that read the same address share one), and 288 bytes per lane layout that is
// new to the warp.
#pragma once

#include "trace/block_digest.h"
#include "trace/trace.h"

#include <unordered_map>

namespace lockstep::trace {

// Estimated size of one warp's record: reserved up front, so that it need not be reallocated.
struct RecorderRoom {
    std::size_t steps = 256, accesses = 128, valueBytes = 0;
};

class BlockRecorder {
public:
    static constexpr std::size_t kMostBytes = 256u << 20;

    BlockRecorder(LaunchId launch, Dim3 block, u32 threads, std::size_t mostBytes = kMostBytes,
                  RecorderRoom room = {});
    // Digests the block, too, or (keepsEvents: false) instead of recording it. digest: outlives this.
    void digest(BlockDigester& digest, bool keepsEvents) {
        digest_ = &digest;
        keepsEvents_ = keepsEvents;
    }

    // An issued warp instruction, in the order in which the block's warps issue them. active: lanes whose
    // guard is true (may be none).
    void step(Warp warp, Pc pc, LaneMask active) {
        const u32 order = order_++;
        if (digest_) [[unlikely]] {
            digest_->step(warp, pc, active);
            if (!keepsEvents_) return;
        }
        if (full()) return;
        block_.warps[warp.value].steps.push_back(
            {.pc = pc, .active = active, .access = Step::kNone, .order = order});
        bytes_ += sizeof(Step);
    }
    // The memory access of that warp's latest step; call once the values are known. values: lane n's at n *
    // widthBytes, inactive lanes' are ignored. If a step has a second access (cp.async's store to shared
    // memory), the step refers to the first, and the second follows it.
    void access(Warp warp, const WarpAccess& access, const std::byte* values);
    // The same for a caller that knows the lane layout and numbers it: the 32 distances are read only if the
    // number is new. access.addresses is not read. Lanes that read the same address must have read the same
    // value.
    struct Lying {
        u32 shape = 0;                   // small; never reused for other distances
        u64 lowest = 0;                  // address of the lowest active lane
        const LaneAddresses& distances;  // from it; of inactive lanes 0
    };
    void access(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* values);
    // The same for a load whose values are still in memory where they were read. lowest: address of the
    // lowest lane's value.
    void load(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* lowest);
    // The warp's latest step was a block-wide barrier (or takes part in one): a phase ends for this warp.
    void barrier(Warp warp);

    // Beyond mostBytes nothing is recorded: the record is then the block's beginning.
    bool full() const { return bytes_ >= mostBytes_; }
    u64 bytes() const { return bytes_; }

    FocusBlock finish() &&;

private:
    static constexpr u32 kNoLayout = ~0u;
    static constexpr std::size_t kLeastRoom = 8 << 10;
    static constexpr std::size_t kWorthShrinking = 2
                                                   << 20;  // for smaller blocks, trimming is not worth a copy

    // The first lane of each value of a layout.
    struct Sharing {
        u32 count = 0;
        u32 strideBytes = 0;  // stride of the values in memory, if uniform and it fits
        std::array<u8, kWarpSize> lanes{};
    };
    struct Layouts {
        std::unordered_multimap<u64, u32> byHash;
        std::vector<u32> byShape, byPc;  // of shapes; the instruction's last one
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
    // Allocates space for the values of a new access.
    std::byte* add(Warp warp, const WarpAccess& access, u32 layout, u64 base, u32 values);
    void keep(Warp warp, const WarpAccess& access, u32 layout, u64 base, u32 values,
              const std::byte* laneValues);

    BlockDigester* digest_ = nullptr;
    bool keepsEvents_ = true;
    std::vector<std::byte> scratch_;  // for values that are not kept
    FocusBlock block_;
    std::vector<Layouts> layouts_;  // by warp
    u32 order_ = 0;
    std::size_t bytes_ = 0, mostBytes_;
};

}  // namespace lockstep::trace
