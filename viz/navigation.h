// Where the cursor can go: by instruction, source line and phase, to landmarks, to another warp or block. Pure functions of a run,
// used by the window's keys and by the command line alike.
#pragma once

#include <optional>

#include "run/run.h"
#include "viz/cursor.h"

namespace lockstep::viz {

enum class StepUnit : u8 { Instruction, Line, Phase };
enum class Landmark : u8 { AccessOfLine, Divergence, Conflict, Finding };

// Where a new run is shown first: the first load of global memory of the most telling block (one at the edge, where some lanes
// find nothing, if there is one); the first step where nothing is loaded.
Cursor initialCursor(const run::Run& run);
// The first step of that block's warp 0. The block is in focus.
Cursor firstStepOf(const run::Run& run, LaunchId launch, Dim3 block);
// The nearest cursor that exists: block in focus, warp, lane and step within what was recorded.
Cursor clamped(const run::Run& run, Cursor cursor);

// One step on or back within the cursor's warp; none at its end. A line is a run of steps of one source line; a phase ends with a barrier.
std::optional<Cursor> stepped(const run::Run& run, const Cursor& cursor, StepUnit unit, bool back);
// The next or previous step of this warp that is such a place.
std::optional<Cursor> sought(const run::Run& run, const Cursor& cursor, Landmark what, bool back);

// The warp `by` further (around the block), at the step nearest in time (order within the block).
Cursor withWarp(const run::Run& run, const Cursor& cursor, int by);
// The focus block `by` further (around the list), same warp and step where they exist.
Cursor withBlock(const run::Run& run, const Cursor& cursor, int by);

}  // namespace lockstep::viz
