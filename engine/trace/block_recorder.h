// Keeps what one focus block does, step by step, as a FocusBlock. Cost: a step is a push of 16 bytes, an
// access its values (32 x width bytes) and, where the addresses are neither affine nor those of the last time,
// 256 bytes more.
#pragma once

#include "trace/trace.h"

namespace lockstep::trace {

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
    // The warp's latest step was a block-wide barrier (or it takes part in one): a phase ends for this warp.
    void barrier(Warp warp);

    // Beyond mostBytes nothing more is kept: the block's record is its beginning.
    bool full() const { return bytes_ >= mostBytes_; }
    u64 bytes() const { return bytes_; }

    FocusBlock finish() &&;

private:
    static constexpr u64 kNowhere = ~u64{0};
    static constexpr std::size_t kLeastRoom = 8 << 10;

    u64 keepAddresses(Warp warp, const WarpAccess& access);

    FocusBlock block_;
    std::vector<std::vector<u64>> lastAddresses_;  // by warp, pc: into the pool
    u32 order_ = 0;
    std::size_t bytes_ = 0, mostBytes_;
};

// base and stride if every active lane's address is base + stride * lane; one active lane: stride 0.
struct AffineAddresses {
    u64 base;
    s64 strideBytes;
};
std::optional<AffineAddresses> affineOf(const WarpAccess& access);

}  // namespace lockstep::trace
