// One issued step as a bar: its height says how far it goes; a notch, a point or a diamond whether it loads,
// stores or is an atomic.
#pragma once

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
};

StepSign signOf(const trace::WarpTrace& warp, u32 step);
StepKind kindOf(trace::Space space);
StepDoes doesOf(trace::AccessKind kind);
f32 reachOf(StepKind kind);  // height as a part of the slot
// Stands on the slot's lower edge.
void drawStep(Canvas& canvas, const Rect& slot, const StepSign& sign, Role color);

}  // namespace lockstep::viz
