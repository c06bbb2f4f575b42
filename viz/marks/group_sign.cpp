#include "viz/marks/group_sign.h"

namespace lockstep::viz {

void groupSign(Canvas& canvas, const Rect& r, u32 group, Role fill) {
    const Point c = r.centre();
    switch (group) {
        case 1: return canvas.rect(r, {.fill = fill, .radius = r.width / 2});
        case 2: return canvas.polygon({{c.x, r.y}, {r.right(), c.y}, {c.x, r.bottom()}, {r.x, c.y}}, fill);
        case 3: return canvas.polygon({{c.x, r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}, fill);
        case 4: return canvas.polygon({{r.x, r.y}, {r.right(), r.y}, {c.x, r.bottom()}}, fill);
        case 5: return canvas.rect({r.x, c.y - r.height / 5, r.width, r.height * 2 / 5}, {.fill = fill});
        default: return canvas.rect(r, {.fill = fill, .radius = r.width > 12 ? 2.0f : 0.0f});
    }
}

}  // namespace lockstep::viz
