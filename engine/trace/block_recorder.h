// Keeps what one focus block does, step by step, as a FocusBlock. Cost: a step is a push of 16 bytes, an
// access its values (32 x width bytes) and, where the addresses are neither affine nor those of the last time,
// 256 bytes more.
#pragma once

#include "trace/trace.h"

namespace lockstep::trace {

// base and stride if every active lane's address is base + stride * lane; one active lane: stride 0.
struct AffineAddresses {
    u64 base;
    s64 strideBytes;
};
std::optional<AffineAddresses> affineOf(const WarpAccess& access);

class BlockRecorder {
public:
    static constexpr std::size_t kMostBytes = 256u << 20;

    BlockRecorder(LaunchId launch, Dim3 block, u32 threads, std::size_t mostBytes = kMostBytes);

    // An issued warp instruction, in the order in which the block's warps issue them. active: lanes whose
    // guard is true (may be none).
    void step(Warp warp, Pc pc, LaneMask active);
    // The memory access of that warp's latest step; call it once the values are known. values: lane n's at n
    // * widthBytes, inactive lanes' are not looked at. Of a second access of one step (cp.async's store to
    // shared memory) the step names the first; it follows that one.
    void access(Warp warp, const WarpAccess& access, const std::byte* values);
    // The same for a caller that knows how the lanes lie to each other, and calls that by a number: the 32 addresses are only
    // looked at where they are new. access.addresses is not.
    struct Lying {
        u32 shape = 0;                       // never twice for different distances
        u64 lowest = 0;                      // address of the lowest active lane
        const LaneAddresses& distances;      // from it; of inactive lanes 0
        std::optional<AffineAddresses> affine;
    };
    void access(Warp warp, const WarpAccess& access, const Lying& lying, const std::byte* values);
    // The warp's latest step was a block-wide barrier (or it takes part in one): a phase ends for this warp.
    void barrier(Warp warp);

    // Beyond mostBytes nothing more is kept: the block's record is its beginning.
    bool full() const { return bytes_ >= mostBytes_; }
    u64 bytes() const { return bytes_; }

    FocusBlock finish() &&;

private:
    static constexpr u64 kNowhere = ~u64{0};
    static constexpr std::size_t kLeastRoom = 8 << 10;
    static constexpr std::size_t kWorthShrinking = 2 << 20;  // of a smaller block the room left over is not worth a copy

    // Addresses in the pool, where an instruction last put some.
    struct Last {
        u64 at = kNowhere;
        u64 lowest = 0;
        u32 shape = kNoShape;
    };
    static constexpr u32 kNoShape = ~0u;
    Last& lastOf(Warp warp, Pc pc);
    u64 keepAddresses(Warp warp, const WarpAccess& access);
    u64 keepAddresses(Warp warp, const WarpAccess& access, const Lying& lying);
    void keep(Warp warp, const WarpAccess& access, std::optional<AffineAddresses> affine, u64 addressesAt,
              const std::byte* values);

    FocusBlock block_;
    std::vector<std::vector<Last>> last_;  // by warp, pc
    u32 order_ = 0;
    std::size_t bytes_ = 0, mostBytes_;
};

}  // namespace lockstep::trace
