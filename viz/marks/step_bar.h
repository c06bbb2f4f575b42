// One issued step as a bar: of an access its height says what it costs, and what exceeds the least possible
// is filled in the color of conflicts; a notch, a point or a diamond whether it loads, stores or is an
// atomic. Accesses to shared memory are narrower and paler than those to global memory.
#pragma once

#include "explain/access/step_cost.h"
#include "trace/trace.h"
#include "viz/scene/canvas.h"

namespace lockstep::viz {

enum class StepKind : u8 {
    Arithmetic,
    Shared,
    Global,
    Barrier
};  // Global: local, constant and parameter memory do not count
enum class StepDoes : u8 { Load, Store, Atomic };
struct StepSign {
    StepKind kind = StepKind::Arithmetic;
    StepDoes does = StepDoes::Load;
    explain::StepCost cost{};  // of Shared and Global; none where it is not counted, as of local memory
};

StepSign signOf(const trace::WarpTrace& warp, u32 step, explain::StepCost cost);
StepKind kindOf(trace::Space space);
StepDoes doesOf(trace::AccessKind kind);
// Height as a part of the slot: of an access it grows with the root of its cost, up to one for each lane of a
// warp.
f32 heightOf(const StepSign& sign);
// Of steps that share a pixel the one that has to be seen: what exceeds its least by most, else the highest.
bool outranks(const StepSign& sign, const StepSign& other);
// In a slot of this width: the upper end has the shape of what the access does, or the barrier is hollow.
bool isShaped(StepKind kind, f32 slotWidth);
// Stands on the slot's lower edge.
void drawStep(Canvas& canvas, const Rect& slot, const StepSign& sign, Role color);

}  // namespace lockstep::viz
