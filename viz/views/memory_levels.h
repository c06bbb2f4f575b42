// The memory tables of a profiler, drawn: a row for each level and direction with requests, sectors, hit rate
// and what goes on to the next level; below it what was measured, on one machine or on two, how far the first
// is from the prediction, and why.
#pragma once

#include "base/text/text.h"
#include "base/text/words.h"
#include "model/memory_tables.h"
#include "run/run.h"
#include "viz/scene/canvas.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::viz {

// What a second machine measured, and what each is called in the rows.
struct MeasuredBeside {
    std::string first, second;
    model::MemoryTables tables;  // of the second
};

// What a machine measured of an operation on shared memory, each figure in full and in brief.
struct MeasuredShared {
    std::string whose, wavefronts, wavefrontsBrief, conflicts, conflictsBrief;
    std::string hover;
    std::vector<std::string> reasons;  // why it differs from what was predicted
};
// On the first machine and on the second; empty where nobody measured it.
std::vector<MeasuredShared> measuredOfShared(const model::MemoryTables& tables,
                                             model::MemoryRow::Operation operation,
                                             const MeasuredBeside* beside, Language language);
// "Shared, loads".
const Words& nameOfShared(model::MemoryRow::Operation operation);

// Where there is little room rows stand closer, and the reasons of differences are said under the mouse only.
enum class RowForm : u8 { Full, Close };

// Where a row leads: to an access that it counts; none where it counts no instructions.
using RowGoes = std::function<std::optional<Cursor>(const model::MemoryRow&)>;

// Whether the device has caches for global memory at all: those of compute capability 1.x have none (CUDA C
// Programming Guide 3.0, G.3.2).
bool hasCaches(const model::Profile& profile);
// A sentence on why nothing was simulated.
std::string whyNoCaches(const run::Run& run, const model::Profile& profile, Language language);

// From `top` down, all of it. withoutCaches: said where the tables have none. beside: none where one machine
// at most measured. cachesPercent: how far the simulation of the caches is, where it is under way. drawn:
// takes the lower end of each row. Returns the height used.
f32 drawMemoryLevels(Canvas& canvas, Point top, f32 width, const model::MemoryTables& tables,
                     const MeasuredBeside* beside, std::optional<u32> cachesPercent,
                     const std::string& withoutCaches, RowForm form, std::vector<f32>& drawn,
                     const RowGoes& goes, Language language);
inline const TextStyle kReasonStyle{.size = type::kAxis, .role = role(RoleKind::TextThird)};
inline constexpr f32 kReasonLine = 15;

// How high all of it is.
f32 memoryLevelsHeight(const model::MemoryTables& tables, const MeasuredBeside* beside, RowForm form);

}  // namespace lockstep::viz
