// The registers of a recorded warp at any of its steps, by replaying that warp alone. Results of loads and
// atomics come from the record, never from memory, so other warps, blocks and races do not matter, and a
// GPU's record works as well as the emulator's. Cost: some ten nanoseconds a step.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "ptx/module.h"
#include "simt/replay_observer.h"
#include "trace/trace.h"

#include <memory>
#include <span>
#include <vector>

namespace lockstep::simt {

// One register of a warp. If 16 bytes wide: the low eight.
struct LaneValues {
    LaneMask written;                   // lanes that have written it
    LaneMask known;                     // of these, those whose value the record determines
    std::array<u64, kWarpSize> bits{};  // zero-extended; a predicate is 0 or 1
    bool operator==(const LaneValues&) const = default;
};

class WarpReplay {
public:
    // For one warp of a recorded block; block and module must outlive this. buffers: their number in the run.
    // A Fault names the first unsupported instruction.
    static Expected<WarpReplay> of(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                                   const trace::FocusBlock& block, Warp warp);
    // For all warps of the block, in order; the kernel is decoded only once. Results of unsupported
    // instructions are unknown.
    static Expected<std::vector<WarpReplay>> ofBlock(const ptx::Module& module, const Launch& launch,
                                                     std::size_t buffers, const trace::FocusBlock& block);
    // The same, where of all registers of the kernel only these are asked for: instructions that they do not
    // depend on are not computed, if the kernel calls no functions. All of them are reported all the same.
    static Expected<std::vector<WarpReplay>> ofBlock(const ptx::Module& module, const Launch& launch,
                                                     std::size_t buffers, const trace::FocusBlock& block,
                                                     std::span<const ptx::RegisterId> askedFor);
    WarpReplay(WarpReplay&&) noexcept;
    WarpReplay& operator=(WarpReplay&&) noexcept;
    ~WarpReplay();

    // To just after the warp's first `steps` instructions, clamped to its count. Forward continues from the
    // current step; backward restarts.
    void seek(u32 steps);
    // Registers of the kernel itself.
    LaneValues valuesOf(ptx::RegisterId id) const;
    // Of a function, in the lanes that are in it now, each in its innermost call: before and after a call
    // there are no registers.
    LaneValues valuesOf(ptx::FunctionId function, ptx::RegisterId id) const;
    LaneMask lanesIn(ptx::FunctionId function) const;
    // Of one call, in the lanes that are in it.
    LaneValues valuesIn(RegisterFrame frame, ptx::RegisterId id) const;

    // Called for every step that seek() replays from now on; may be null; must outlive this.
    void observe(ReplayObserver* observer);

private:
    class Inside;
    explicit WarpReplay(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace lockstep::simt
