// One issued step as a bar: its height says how far it goes, a notch or a point whether it reads or writes.
#pragma once

#include "trace/trace.h"
#include "viz/canvas.h"

namespace lockstep::viz {

enum class StepKind : u8 { Arithmetic, Shared, Global, Barrier };  // Global: local, constant and parameter memory do not count
struct StepSign {
    StepKind kind = StepKind::Arithmetic;
    bool writes = false;
};

StepSign signOf(const trace::WarpTrace& warp, u32 step);
f32 reachOf(StepKind kind);  // height as a part of the slot
// Stands on the slot's lower edge.
void drawStep(Canvas& canvas, const Rect& slot, const StepSign& sign, Role colour);

}  // namespace lockstep::viz
