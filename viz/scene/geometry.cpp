// De Casteljau's construction, and arrow heads.
#include "viz/scene/geometry.h"

#include <cmath>

namespace lockstep::viz {
namespace {

// The first part of the curve, up to t.
Curve head(const Curve& c, f32 t) {
    const Point a = between(c[0], c[1], t), b = between(c[1], c[2], t), d = between(c[2], c[3], t);
    const Point e = between(a, b, t), f = between(b, d, t);
    return {c[0], a, e, between(e, f, t)};
}

}  // namespace

Point pointAt(const Curve& curve, f32 t) { return head(curve, t)[3]; }

Curve part(const Curve& curve, f32 t0, f32 t1) {
    const Curve upTo = head(curve, t1);
    if (t1 <= 0) return upTo;
    const Curve reversed = head({upTo[3], upTo[2], upTo[1], upTo[0]}, 1 - t0 / t1);
    return {reversed[3], reversed[2], reversed[1], reversed[0]};
}

std::array<Point, 3> arrowHead(Point from, Point to, f32 length) {
    const f32 dx = to.x - from.x, dy = to.y - from.y, distance = std::hypot(dx, dy);
    const f32 ux = distance > 0 ? dx / distance : 1, uy = distance > 0 ? dy / distance : 0;
    const f32 half = length * 0.5f;
    return {to, Point{to.x - ux * length - uy * half, to.y - uy * length + ux * half},
            Point{to.x - ux * length + uy * half, to.y - uy * length - ux * half}};
}

}  // namespace lockstep::viz
