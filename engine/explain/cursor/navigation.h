// Moving the cursor through a run: what the keys, the transport controls and the command line do. Pure
// functions.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"
#include "model/profiles/profile.h"

#include <optional>
#include <string_view>

namespace lockstep::explain {

// By what a step forward or back goes.
enum class Stride : u8 {
    Instruction,
    Line,   // to the next step of another source line; back to the first step of the line before
    Phase,  // to the next phase, barrier to barrier, or from the set-up to the rest of the first one; back to
            // the start of this phase, then of the one before
    SameLine,    // to the next memory access of this source line
    Divergence,  // to the next branch at which the warp goes two ways
    Conflict,    // to the next shared access that needs more wavefronts than it must
    Event,    // to the next step that shows something: memory is touched, a barrier is reached, the warp goes
              // two ways
    Finding,  // to the next problem or remark of the run, whichever block and warp it is in: to its first
              // thread
};

// Where a stride leads; none at the end. Within the cursor's warp, but for findings.
std::optional<Cursor> forward(const Recorded& run, const model::Profile& profile, const Cursor& cursor,
                              Stride stride);
std::optional<Cursor> back(const Recorded& run, const model::Profile& profile, const Cursor& cursor,
                           Stride stride);
// First and last step of the warp.
Cursor toStart(const Recorded& run, Cursor cursor);
Cursor toEnd(const Recorded& run, Cursor cursor);

// The same moment in the next or previous warp of the block, or block of the focus: same phase and
// instruction, else the last step before. none at the end.
std::optional<Cursor> otherWarp(const Recorded& run, const Cursor& cursor, int by);
std::optional<Cursor> otherBlock(const Recorded& run, const Cursor& cursor, int by);

// A valid cursor nearest to this one: launch, block, warp, lane and step that were recorded.
Cursor clamped(const Recorded& run, Cursor cursor);
// Does the warp's step touch shared memory in more wavefronts than it must?
bool isConflict(const Recorded& run, const model::Profile& profile, const trace::WarpTrace& warp, u32 step);
// The access to shared memory at which the cursor's warp loses most to bank conflicts, the first of them; the
// cursor itself where the warp has none.
Cursor worstBankConflict(const Recorded& run, const model::Profile& profile, Cursor cursor);

// Phases of the cursor's warp: barriers passed before a step, and the first step of a phase (clamped to the
// last one).
u32 phaseOf(const Recorded& run, const Cursor& cursor);
Cursor startOfPhase(const Recorded& run, Cursor cursor, u32 phase);

}  // namespace lockstep::explain
