// Draws step bars.
#include "viz/marks/step_bar.h"

#include <algorithm>

namespace lockstep::viz {

StepSign signOf(const trace::WarpTrace& warp, u32 step) {
    const trace::Step& s = warp.steps[step];
    if (std::ranges::binary_search(warp.barrierSteps, step)) return {StepKind::Barrier, StepDoes::Load};
    if (s.access == trace::Step::kNone) return {};
    const trace::StoredAccess& access = warp.accesses[s.access];
    return {kindOf(access.space), doesOf(access.kind)};
}

StepKind kindOf(trace::Space space) {
    if (space == trace::Space::Shared) return StepKind::Shared;
    return space == trace::Space::Global || space == trace::Space::Local ? StepKind::Global
                                                                         : StepKind::Arithmetic;
}

StepDoes doesOf(trace::AccessKind kind) {
    if (trace::isAtomic(kind)) return StepDoes::Atomic;
    return trace::writes(kind) ? StepDoes::Store : StepDoes::Load;
}

f32 reachOf(StepKind kind) {
    constexpr f32 kReach[] = {0.18f, 0.5f, 0.86f, 0.82f};
    return kReach[u32(kind)];
}

void drawStep(Canvas& canvas, const Rect& slot, const StepSign& sign, Role color) {
    const f32 tall = std::max(1.5f, slot.height * reachOf(sign.kind)), base = slot.bottom(),
              top = base - tall, x = slot.x, w = slot.width;
    if (sign.kind == StepKind::Barrier) {
        if (w > 4)
            canvas.rect({x + 0.75f, top, w - 1.5f, tall}, {.stroke = {role(RoleKind::TextSecond), 1.5f}});
        else
            canvas.rect({x, top, std::max(1.0f, w * 0.5f), tall}, {.fill = role(RoleKind::TextSecond)});
        return;
    }
    if (sign.kind == StepKind::Arithmetic) {
        Role faint = color;
        faint.alpha = 0.55f;
        canvas.rect({x, top, w, tall}, {.fill = faint});
        return;
    }
    const f32 depth = std::min(6.0f, tall * 0.45f);  // depth of the notch, height of the point
    if (w < 4) {
        canvas.rect({x, top, w, tall}, {.fill = color});
    } else if (sign.does == StepDoes::Atomic) {
        // A load's notch with a diamond in it, for it loads and stores in one.
        const f32 apart = 1.5f;
        canvas.polygon({{x, base},
                        {x, top + apart},
                        {x + w / 2, top + depth + apart},
                        {x + w, top + apart},
                        {x + w, base}},
                       color);
        canvas.polygon({{x, top}, {x + w / 2, top - depth}, {x + w, top}, {x + w / 2, top + depth}}, color);
    } else if (sign.does == StepDoes::Store) {
        canvas.polygon({{x, base}, {x, top}, {x + w / 2, top - depth}, {x + w, top}, {x + w, base}}, color);
    } else {
        canvas.polygon({{x, base}, {x, top}, {x + w / 2, top + depth}, {x + w, top}, {x + w, base}}, color);
    }
}

}  // namespace lockstep::viz
