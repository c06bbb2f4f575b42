// Adds the signed areas of a polygon's edges.
#include "viz/painters/raster/coverage.h"

namespace lockstep::viz {

Coverage::Coverage(PixelBox box)
    : box_(box),
      stride_(box.empty() ? 0 : std::size_t(box.right - box.left) + 2),
      areas_(box.empty() ? 0 : stride_ * std::size_t(box.bottom - box.top)) {}

void Coverage::polygon(std::span<const Point> corners) {
    if (box_.empty()) return;
    for (std::size_t i = 0; i < corners.size(); ++i)
        edge(corners[i], corners[(i + 1) % corners.size()]);
}

void Coverage::edge(Point a, Point b) {
    if (a.y == b.y) return;
    const f32 direction = a.y < b.y ? 1.0f : -1.0f;
    if (direction < 0) std::swap(a, b);
    const f32 slope = (b.x - a.x) / (b.y - a.y), width = f32(box_.right - box_.left);
    const f32 top = std::max(a.y, f32(box_.top)), bottom = std::min(b.y, f32(box_.bottom));
    for (int y = int(std::floor(top)); f32(y) < bottom; ++y) {
        const f32 y0 = std::max(top, f32(y)), y1 = std::min(bottom, f32(y + 1)),
                  height = (y1 - y0) * direction;
        if (y1 <= y0) continue;
        // Where the edge enters and leaves this row; what lies left of the box covers all of the row.
        const f32 xa = std::clamp(a.x + (y0 - a.y) * slope - f32(box_.left), 0.0f, width),
                  xb = std::clamp(a.x + (y1 - a.y) * slope - f32(box_.left), 0.0f, width);
        const f32 x0 = std::min(xa, xb), x1 = std::max(xa, xb);
        f32* row = &areas_[std::size_t(y - box_.top) * stride_];
        const int first = int(x0), last = int(std::ceil(x1));
        if (last <= first + 1) {  // within one pixel: a trapezium
            const f32 right = (x0 + x1) / 2 - f32(first);
            row[first] += height * (1 - right);
            row[first + 1] += height * right;
            continue;
        }
        const f32 perPixel = height / (x1 - x0), head = 1 - (x0 - f32(first)), tail = x1 - f32(last - 1);
        const f32 areaFirst = 0.5f * perPixel * head * head;
        row[first] += areaFirst;
        if (last == first + 2) {
            row[first + 1] += height - areaFirst - 0.5f * perPixel * tail * tail;
        } else {
            row[first + 1] += perPixel * (head + 0.5f) - areaFirst;
            for (int x = first + 2; x < last - 1; ++x)
                row[x] += perPixel;
            const f32 before = perPixel * (head + f32(last - first - 3) + 0.5f);
            row[last - 1] += height - before - 0.5f * perPixel * tail * tail;
        }
        row[last] += 0.5f * perPixel * tail * tail;
    }
}

}  // namespace lockstep::viz
