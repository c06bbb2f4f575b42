// One warp of a resident block: its registers, its frames of called functions, and the paths of its lanes.
#pragma once

#include "simt/decode/specials.h"
#include "simt/paths.h"
#include "simt/phase_log.h"

#include <memory>
#include <span>
#include <vector>

namespace lockstep::simt {

class WarpState {
public:
    // Deeper calls end the thread: CUDA's default stack of 1 KiB holds far fewer.
    static constexpr u32 kMostDepth = 512;

    WarpState(const Program& program, const GridShape& shape, u32 index);

    void beginBlock(Dim3 block, u64 serial);
    // Only the special registers, and those that are cleared.
    void enterBlock(Dim3 block, u64 serial);
    // The entry's frame, and its bytes. More may be put behind it.
    std::byte* frame() { return entry_.at; }
    u32 frameBytes() const { return entry_.bytes; }
    void extendFrame(std::span<const std::byte> by);
    // The frame of a function called at that depth; the same for all lanes that are there at that depth.
    std::byte* frameOf(u32 function, u32 depth);

    u32 index() const { return index_; }
    u32 lanes() const { return lanes_; }
    WarpPaths paths;
    SlotStates slots;
    // Where lanes exited, each place once.
    struct End {
        u32 pc, lanes;
    };
    std::vector<End> ends;
    void endedAt(u32 pc, u32 lanes);
    // Waiting at a barrier with all its lanes in the running path (OpKind::WholeSync); it resumes there.
    enum class Rest : u8 { No, Waits, GoesOn } rest = Rest::No;
    bool hasReady() const { return rest == Rest::GoesOn || (rest == Rest::No && paths.hasReady()); }
    u32 spins = 0;   // backward branches of a waiting loop since the last change of path
    u32 yields = 0;  // changes of path for that reason since the warp was given its turn

private:
    struct Frame {
        std::unique_ptr<std::byte[]> room;
        std::byte* at = nullptr;  // on a cache line
        u32 bytes = 0;
        u64 serial = 0;  // of the block that its special registers are of
    };
    static Frame roomFor(u32 bytes);
    Frame makeFrame(const FunctionCode& code, u32 depth) const;
    void enterBlock(Frame& frame, const FunctionCode& code) const;

    const Program* program_;
    GridShape shape_;
    u32 index_, lanes_;
    Dim3 block_{0, 0, 0};
    u64 serial_ = 0;
    Frame entry_;
    std::vector<std::vector<Frame>> called_;  // by depth - 1, function
};

}  // namespace lockstep::simt
