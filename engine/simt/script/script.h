// What the blocks of a launch do in common. Most kernels decide where to go, and which shared memory to
// access, from the thread's coordinates and the arguments alone: the same in every block. One block is
// written down as a script of what depends on the block or on data; others follow it without looking again at
// branches, loop counters, shared addresses and barriers, nor at races in shared memory, which the same
// accesses cannot have.
//
// Lanes of a register hold one of three: what is the same in every block (its value is in the warp's memo,
// behind its frame), what depends on the block's coordinates, or data (what was loaded). A branch on data has
// no script. A branch on coordinates is a decision: all decisions are made before the block begins, and if
// one is another than that of the block written down, this script is not for the block.
#pragma once

#include "simt/decode/program.h"
#include "simt/phase_log.h"
#include "simt/tally.h"

#include <deque>
#include <vector>

namespace lockstep::simt {

struct ScriptStep {
    enum class Kind : u8 {
        Lanes,
        Divide,
        Count,  // only lanes whose guard is true
        Load,
        Store,
        Atomic,
        AccessGlobal,
        LoadIndexed,
        LoadShared,  // the slots are checked
        StoreShared,
        MultiplyAdd,
        Barrier,  // of all warps
        WarpsMet,
        Fence,
        Decision,
    };
    const Op* op = nullptr;
    const SlotState* slots = nullptr;  // of the warp at that time; null: needs none
    u32 mask = 0;
    u32 expected = 0;  // Decision: lanes whose guard was true
    u16 warp = 0;
    Kind kind = Kind::Lanes;
    bool guarded = false;  // the guard is not the same in every block
};

struct Script {
    explicit Script(const Program& program) : counts(program) {}

    std::vector<ScriptStep> decisions;  // Decision, and the Lanes that they depend on
    std::vector<ScriptStep> steps;
    std::deque<Op> ops;  // with operands in the memo
    std::deque<std::vector<SlotState>> slots;
    std::vector<u32> phases;  // of the PhaseLog
    Tally counts;             // of one block, but for steps that are guarded
    u64 issued = 0;           // warp instructions of one block
    u64 repeats = 0;          // blocks that followed, not yet added to the tally
};

}  // namespace lockstep::simt
