// What the blocks of a launch do in common. Most kernels decide where to go, and which shared memory to
// access, from the thread's coordinates and the arguments alone: the same in every block. One block is
// written down as a script of what depends on the block or on data; others follow it without looking again at
// branches, loop counters, shared addresses and barriers, nor for races in shared memory: the same accesses
// have the same ones.
//
// Lanes of a register hold one of four: what is the same in every block (its value is in the warp's memo,
// behind its frame); that plus a number that depends on the block's coordinates (scalars.h), mostly an index
// or an address; something else of the coordinates; or data (what was loaded). A branch on data has no
// script. A comparison of the second kind has bounds within which it comes out as it did in the block written
// down; a branch on the third kind is a decision. Both are looked at before a block begins, and if anything
// would be decided differently, this script is not for the block.
#pragma once

#include "simt/decode/program.h"
#include "simt/memory/block_memory.h"
#include "simt/script/known_accesses.h"
#include "simt/script/scalars.h"
#include "simt/tally.h"

#include <array>
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
        AccessAt,  // AccessGlobal, of known addresses plus a number
        Shift,     // at[0] becomes at[1] of the memo plus a number; of 32 bits
        ShiftWide,
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
    // AccessAt: the lowest lane's address in the block written down; if the group is known, its place there.
    u64 at = 0;
    u32 mask = 0;
    u32 value = 0;   // Decision: lanes whose guard was true; AccessAt: of Script::distances
    u32 scalar = 0;  // AccessAt, Shift
    u32 to = 0;      // AccessAt: frame offset of the first register
    u32 group = KnownAccesses::kUnknown;
    u32 staged = 0;  // AccessAt: where its words are kept until the block's end
    u16 warp = 0;
    Kind kind = Kind::Lanes;
    bool guarded = false;  // the guard is not the same in every block
};

struct Script {
    explicit Script(const Program& program) : counts(program) {}

    Scalars scalars;
    std::vector<ScriptStep> decisions;  // Decision, and the Lanes that they depend on
    std::vector<ScriptStep> steps;
    std::deque<Op> ops;  // with operands in the memo
    std::deque<std::vector<SlotState>> slots;
    KnownAccesses accesses;
    std::vector<std::array<u64, kWarpSize>> distances;  // of lanes from the lowest one that is active
    std::vector<u32> phases;                            // of the PhaseLog
    trace::SharedFindings findings;                     // in these
    u32 poisonedAt = ~0u;  // the phase in which a thread reads what was never written
    std::vector<trace::FindingCollector::Place> findingPlaces;
    u64 distinctFindings = 0;
    Tally counts;                   // of one block, but for steps that are guarded
    bool readsCoordinates = false;  // registers that hold them
    u64 issued = 0;                 // warp instructions of one block
    u64 repeats = 0;                // blocks that followed, not yet added to the tally
};

}  // namespace lockstep::simt
