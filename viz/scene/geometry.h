// Points on lines and curves.
#pragma once

#include "viz/scene/scene.h"

#include <array>

namespace lockstep::viz {

using Curve = std::array<Point, 4>;  // cubic Bezier

constexpr Point between(Point a, Point b, f32 t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }
Point pointAt(const Curve& curve, f32 t);
// The part of the curve from t0 to t1, as a curve.
Curve part(const Curve& curve, f32 t0, f32 t1);
// The three corners of an arrow head of the given length whose point is at `to`.
std::array<Point, 3> arrowHead(Point from, Point to, f32 length);
// Ease in and out, cubic: 0..1 -> 0..1.
constexpr f32 ease(f32 t) { return t < 0.5f ? 4 * t * t * t : 1 - 4 * (1 - t) * (1 - t) * (1 - t); }

}  // namespace lockstep::viz
