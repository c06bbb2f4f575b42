// The memory tables of a profiler, drawn: a row for each level and direction with requests, sectors, hit rate and what goes on to the
// next level; below it what was measured, how far that is from the prediction, and why.
#pragma once

#include "base/text.h"
#include "model/memory_tables.h"
#include "viz/canvas.h"

namespace lockstep::viz {

// From the top of `area` down; rows that do not fit are left out. Returns the height used.
f32 drawMemoryLevels(Canvas& canvas, const Rect& area, const model::MemoryTables& tables, Language language);
// How high all of it would be.
f32 memoryLevelsHeight(const model::MemoryTables& tables);

}  // namespace lockstep::viz
