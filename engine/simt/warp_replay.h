// The registers of a recorded warp at any of its steps: its steps are gone through again, alone. What a load
// or an atomic brought is taken from the record, never from memory, so that other warps, blocks and races
// play no part and a GPU's record is as good as the emulator's. Cost: some ten nanoseconds a step.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "ptx/module.h"
#include "simt/replay_observer.h"
#include "trace/trace.h"

#include <memory>
#include <vector>

namespace lockstep::simt {

// One register of a warp. Of 16 bytes: the low eight.
struct LaneValues {
    LaneMask written;                   // lanes that have written it
    LaneMask known;                     // of these, those whose value follows from the record
    std::array<u64, kWarpSize> bits{};  // zero-extended; a predicate is 0 or 1
    bool operator==(const LaneValues&) const = default;
};

class WarpReplay {
public:
    // Of one warp of a recorded block, which stays the caller's, as the module does. buffers: how many the
    // run has. A Fault names the first instruction that the emulator does not have.
    static Expected<WarpReplay> of(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                                   const trace::FocusBlock& block, Warp warp);
    // Of all warps of the block, in their order: the kernel is decoded but once. What an instruction writes
    // that the emulator does not have is not known.
    static Expected<std::vector<WarpReplay>> ofBlock(const ptx::Module& module, const Launch& launch,
                                                     std::size_t buffers, const trace::FocusBlock& block);
    WarpReplay(WarpReplay&&) noexcept;
    WarpReplay& operator=(WarpReplay&&) noexcept;
    ~WarpReplay();

    // To where the warp has issued its first `steps` instructions, no more than it did. Forward it goes on
    // from where it is, back it begins anew.
    void seek(u32 steps);
    // Of the kernel itself.
    LaneValues valuesOf(ptx::RegisterId id) const;
    // Of a function in the lanes that are in it now, each in the innermost of its calls: before a call and
    // behind it there are no registers.
    LaneValues valuesOf(ptx::FunctionId function, ptx::RegisterId id) const;
    LaneMask lanesIn(ptx::FunctionId function) const;
    // Of one call: in the lanes that are in it.
    LaneValues valuesIn(RegisterFrame frame, ptx::RegisterId id) const;

    // Told of every step from now on, as seek() goes through it; null: no one is. It stays the caller's.
    void observe(ReplayObserver* observer);

private:
    class Inside;
    explicit WarpReplay(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace lockstep::simt
