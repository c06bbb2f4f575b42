// Draws step bars.
#include "viz/marks/step_bar.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lockstep::viz {

StepSign signOf(const trace::WarpTrace& warp, u32 step, explain::StepCost cost) {
    const trace::Step& s = warp.steps[step];
    if (std::ranges::binary_search(warp.barrierSteps, step)) return {.kind = StepKind::Barrier};
    if (s.access == trace::Step::kNone) return {};
    const trace::StoredAccess& access = warp.accesses[s.access];
    return {kindOf(access.space), doesOf(access.kind), cost};
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

namespace {

constexpr f32 kArithmetic = 0.1f, kBarrier = 0.8f, kNothing = 0.22f;  // heights
constexpr f32 kSharedWidth = 0.7f;                                    // of that of an access to global memory
constexpr f32 kDiamond = 4;                                 // at most, from its centre to its corners
constexpr f32 kFaint = 0.4f, kPale = 0.75f, kFull = 0.85f;  // arithmetic; shared and global memory

// The root of it: what is 32 times as much as it has to be stands out, and one wavefront is still seen.
f32 heightOfCost(u32 cost) {
    return kNothing + (1 - kNothing) * std::sqrt(f32(std::clamp(cost, 1u, u32(kWarpSize))) / f32(kWarpSize));
}

bool isAccess(const StepSign& sign) { return sign.kind == StepKind::Shared || sign.kind == StepKind::Global; }
f32 excessOf(const StepSign& sign) {
    return sign.cost.exceeds() ? f32(sign.cost.cost) / f32(std::max<u16>(sign.cost.least, 1)) : 0;
}

// Of a bar in the column [x, x + w] from `base` up to `top`: what it does shapes its upper end.
struct Bar {
    f32 x, w, base, top, depth;  // depth: of the notch, height of the point

    void draw(Canvas& canvas, StepDoes does, Role color) const {
        const f32 middle = x + w / 2;
        switch (does) {
            case StepDoes::Load:
                return canvas.polygon(
                    {{x, base}, {x, top}, {middle, top + depth}, {x + w, top}, {x + w, base}}, color);
            case StepDoes::Store:
                return canvas.polygon(
                    {{x, base}, {x, top + depth}, {middle, top}, {x + w, top + depth}, {x + w, base}}, color);
            case StepDoes::Atomic: {
                // A store's point with a diamond cut out below it, for it loads and stores in one.
                canvas.polygon(
                    {{x, base}, {x, top + depth}, {middle, top}, {x + w, top + depth}, {x + w, base}}, color);
                const f32 half = std::min({kDiamond, w * 0.3f, (base - top - depth) / 2}),
                          centre = (base + top + depth) / 2;
                return canvas.polygon({{middle - half, centre},
                                       {middle, centre - half},
                                       {middle + half, centre},
                                       {middle, centre + half}},
                                      role(RoleKind::Ground));
            }
        }
    }
};

// Too narrow for a shape; an atomic has a gap below its upper end.
void drawNarrow(Canvas& canvas, const Rect& bar, StepDoes does, Role color) {
    if (does != StepDoes::Atomic || bar.height < 5) return canvas.rect(bar, {.fill = color});
    canvas.rect({bar.x, bar.y, bar.width, 2}, {.fill = color});
    canvas.rect({bar.x, bar.y + 3, bar.width, bar.height - 3}, {.fill = color});
}

f32 widthOfAccess(StepKind kind, f32 slotWidth) {
    return kind == StepKind::Shared ? std::max(1.0f, slotWidth * kSharedWidth) : slotWidth;
}

void drawBarrier(Canvas& canvas, const Rect& slot) {
    const f32 tall = slot.height * kBarrier, top = slot.bottom() - tall;
    if (isShaped(StepKind::Barrier, slot.width))
        canvas.rect({slot.x + 0.75f, top, slot.width - 1.5f, tall},
                    {.stroke = {role(RoleKind::TextSecond), 1.5f}});
    else
        canvas.rect({slot.x, top, std::max(1.0f, slot.width * 0.5f), tall},
                    {.fill = role(RoleKind::TextSecond)});
}

}  // namespace

f32 heightOf(const StepSign& sign) {
    if (isAccess(sign)) return heightOfCost(sign.cost.cost);
    return sign.kind == StepKind::Barrier ? kBarrier : kArithmetic;
}

bool outranks(const StepSign& sign, const StepSign& other) {
    const auto rank = [](const StepSign& s) { return std::tuple(excessOf(s), isAccess(s), heightOf(s)); };
    return rank(sign) > rank(other);
}

bool isShaped(StepKind kind, f32 slotWidth) {
    if (kind == StepKind::Barrier) return slotWidth > 4;
    return kind != StepKind::Arithmetic && widthOfAccess(kind, slotWidth) >= 4;
}

void drawStep(Canvas& canvas, const Rect& slot, const StepSign& sign, Role color) {
    if (sign.kind == StepKind::Barrier) return drawBarrier(canvas, slot);
    const f32 base = slot.bottom(),
              tall = std::max(isAccess(sign) ? 3.0f : 1.5f, slot.height * heightOf(sign));
    if (sign.kind == StepKind::Arithmetic) {
        color.alpha = kFaint;
        return canvas.rect({slot.x, base - tall, slot.width, tall}, {.fill = color});
    }
    color.alpha = sign.kind == StepKind::Shared ? kPale : kFull;
    const f32 w = widthOfAccess(sign.kind, slot.width), x = slot.x + (slot.width - w) / 2;
    constexpr f32 kSeen = 3;  // pixels that an excess has at least
    const f32 least =
        sign.cost.exceeds()
            ? std::min(std::max(1.5f, slot.height * heightOfCost(sign.cost.least)), tall - kSeen)
            : tall;
    const Rect exceeding{slot.x, base - tall, slot.width,
                         tall - least};  // as wide as can be, to be seen first
    const Role excess = degreeRole(kWarpSize);
    if (!isShaped(sign.kind, slot.width)) {
        if (!sign.cost.exceeds()) return drawNarrow(canvas, {x, base - tall, w, tall}, sign.does, color);
        drawNarrow(canvas, exceeding, sign.does, excess);
        return canvas.rect({x, base - least, w, least}, {.fill = color});
    }
    constexpr f32 kDeepest = 6;
    const f32 depth = std::min({kDeepest, tall * 0.35f, w / 2});
    if (!sign.cost.exceeds()) return Bar{x, w, base, base - tall, depth}.draw(canvas, sign.does, color);
    Bar{exceeding.x, exceeding.width, base - least, exceeding.y, std::min(depth, exceeding.height * 0.4f)}
        .draw(canvas, sign.does, excess);
    canvas.rect({x, base - least, w, least}, {.fill = color});
    // The least possible, as a line that reaches past the bar.
    canvas.line({slot.x, base - least}, {slot.right(), base - least}, {role(RoleKind::Text), 1});
}

}  // namespace lockstep::viz
