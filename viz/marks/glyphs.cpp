// Draws the small signs.
#include "viz/marks/glyphs.h"

#include <cmath>
#include <numbers>

namespace lockstep::viz {

void tick(Canvas& canvas, Point c, Role role, f32 k) {
    canvas.line({c.x - 4 * k, c.y}, {c.x - 1 * k, c.y + 3.5f * k}, {role, 2});
    canvas.line({c.x - 1 * k, c.y + 3.5f * k}, {c.x + 5 * k, c.y - 4 * k}, {role, 2});
}

void cross(Canvas& canvas, Point c, Role role, f32 k) {
    canvas.line({c.x - 4 * k, c.y - 4 * k}, {c.x + 4 * k, c.y + 4 * k}, {role, 2});
    canvas.line({c.x - 4 * k, c.y + 4 * k}, {c.x + 4 * k, c.y - 4 * k}, {role, 2});
}

void star(Canvas& canvas, Point c, Role role, f32 radius) {
    constexpr f32 kInner = 0.4f;
    std::vector<Point> corners;
    for (u32 i = 0; i < 10; ++i) {
        const f32 angle = f32(i) * std::numbers::pi_v<f32> / 5, reach = i % 2 ? kInner * radius : radius;
        corners.push_back({c.x + reach * std::sin(angle), c.y - reach * std::cos(angle)});
    }
    canvas.polygon(std::move(corners), role);
}

void fork(Canvas& canvas, Point c, Role role) {
    canvas.line({c.x, c.y + 6}, {c.x, c.y}, {role, 2});
    canvas.line(c, {c.x - 5, c.y - 6}, {role, 2});
    canvas.line(c, {c.x + 5, c.y - 6}, {role, 2});
}

void warning(Canvas& canvas, Point c, f32 size, Role fill) {
    const f32 h = size * 0.5f;
    canvas.polygon({{c.x, c.y - h}, {c.x + h * 1.1f, c.y + h * 0.85f}, {c.x - h * 1.1f, c.y + h * 0.85f}},
                   fill);
    const Role ink = inkOn(fill);
    canvas.rect({c.x - size * 0.06f, c.y - h * 0.4f, size * 0.12f, h * 0.7f}, {.fill = ink});
    canvas.rect({c.x - size * 0.06f, c.y + h * 0.45f, size * 0.12f, size * 0.12f}, {.fill = ink});
}

}  // namespace lockstep::viz
