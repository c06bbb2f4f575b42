// Fills, strokes and stamps.
#include "viz/painters/raster/surface.h"

namespace lockstep::viz {
namespace {

// Distance from a point to the edge of a rounded rectangle; negative inside.
f32 distanceToRounded(f32 x, f32 y, const Rect& r, f32 radius) {
    const f32 dx = std::fabs(x - (r.x + r.width / 2)) - r.width / 2 + radius;
    const f32 dy = std::fabs(y - (r.y + r.height / 2)) - r.height / 2 + radius;
    const f32 outside = std::hypot(std::max(dx, 0.0f), std::max(dy, 0.0f));
    return outside + std::min(std::max(dx, dy), 0.0f) - radius;
}

// How much of the pixel interval [i, i+1) lies within [from, to).
f32 overlap(int i, f32 from, f32 to) {
    return std::clamp(std::min(to, f32(i + 1)) - std::max(from, f32(i)), 0.0f, 1.0f);
}

}  // namespace

Surface::Surface(u32 width, u32 height, Color ground) : clip_{0, 0, int(width), int(height)} {
    image_.width = width;
    image_.height = height;
    image_.rgba.resize(std::size_t{width} * height * 4);
    for (std::size_t i = 0; i < image_.rgba.size(); i += 4) {
        image_.rgba[i] = ground.r;
        image_.rgba[i + 1] = ground.g;
        image_.rgba[i + 2] = ground.b;
        image_.rgba[i + 3] = 255;
    }
}

void Surface::setClip(std::optional<Rect> clip) {
    clip_ = {0, 0, int(image_.width), int(image_.height)};
    if (clip)
        clip_ = clip_.cutTo({int(std::lround(clip->x)), int(std::lround(clip->y)),
                             int(std::lround(clip->right())), int(std::lround(clip->bottom()))});
}

PixelBox Surface::boxOf(f32 left, f32 top, f32 right, f32 bottom) const {
    // Far-away coordinates would not fit an int.
    const auto pixel = [](f32 v) { return int(std::clamp(v, -1e6f, 1e6f)); };
    return PixelBox{pixel(std::floor(left)), pixel(std::floor(top)), pixel(std::ceil(right)),
                    pixel(std::ceil(bottom))}
        .cutTo(clip_);
}

void Surface::blend(int x, int y, Color color, f32 coverage) {
    u8* p = &image_.rgba[(std::size_t(y) * image_.width + std::size_t(x)) * 4];
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): never negative, and lround() would be a call per pixel.
    const int a = int(coverage * color.alpha * 256 + 0.5f);
    p[0] = u8(p[0] + ((int(color.r) - p[0]) * a + 128) / 256);
    p[1] = u8(p[1] + ((int(color.g) - p[1]) * a + 128) / 256);
    p[2] = u8(p[2] + ((int(color.b) - p[2]) * a + 128) / 256);
}

void Surface::fillRect(const Rect& rect, f32 radius, Color color) {
    if (rect.width <= 0 || rect.height <= 0 || color.alpha <= 0) return;
    radius = std::min({radius, rect.width / 2, rect.height / 2});
    const PixelBox box = boxOf(rect.x, rect.y, rect.right(), rect.bottom());
    for (int y = box.top; y < box.bottom; ++y) {
        const f32 rows = overlap(y, rect.y, rect.bottom());
        const bool cornerRow =
            radius > 0 && (f32(y) < rect.y + radius || f32(y + 1) > rect.bottom() - radius);
        for (int x = box.left; x < box.right; ++x) {
            const bool corner = cornerRow && (f32(x) < rect.x + radius || f32(x + 1) > rect.right() - radius);
            const f32 coverage =
                corner ? std::clamp(0.5f - distanceToRounded(f32(x) + 0.5f, f32(y) + 0.5f, rect, radius),
                                    0.0f, 1.0f)
                       : rows * overlap(x, rect.x, rect.right());
            if (coverage > 0) blend(x, y, color, coverage);
        }
    }
}

void Surface::strokeRect(const Rect& rect, f32 radius, f32 width, Color color) {
    if (rect.width < 0 || rect.height < 0 || color.alpha <= 0) return;
    const f32 half = width / 2;
    if (radius <= 0) {  // four bars that do not overlap
        const Rect outer = rect.inset(-half), inner = rect.inset(half);
        fillRect({outer.x, outer.y, outer.width, inner.y - outer.y}, 0, color);
        fillRect({outer.x, inner.bottom(), outer.width, outer.bottom() - inner.bottom()}, 0, color);
        fillRect({outer.x, inner.y, inner.x - outer.x, inner.height}, 0, color);
        fillRect({inner.right(), inner.y, outer.right() - inner.right(), inner.height}, 0, color);
        return;
    }
    radius = std::min({radius, rect.width / 2, rect.height / 2});
    const PixelBox box =
        boxOf(rect.x - half - 1, rect.y - half - 1, rect.right() + half + 1, rect.bottom() + half + 1);
    const int leftEnd = int(std::ceil(rect.x + radius + half)) + 1,
              rightStart = int(std::floor(rect.right() - radius - half)) - 1;
    const f32 innerTop = rect.y + radius + half + 1, innerBottom = rect.bottom() - radius - half - 1;
    for (int y = box.top; y < box.bottom; ++y) {
        const bool sidesOnly = f32(y) > innerTop && f32(y + 1) < innerBottom;
        for (int x = box.left; x < box.right; ++x) {
            if (sidesOnly && x == leftEnd && rightStart > x) x = rightStart;
            if (x >= box.right) break;
            const f32 d = std::fabs(distanceToRounded(f32(x) + 0.5f, f32(y) + 0.5f, rect, radius));
            // A line thinner than a pixel is fainter, not narrower.
            const f32 coverage = std::clamp(half + 0.5f - d, 0.0f, std::min(1.0f, width));
            if (coverage > 0) blend(x, y, color, coverage);
        }
    }
}

void Surface::fillPolygon(std::span<const Point> corners, Color color) {
    if (corners.size() < 3 || color.alpha <= 0) return;
    Rect bounds{corners[0].x, corners[0].y, corners[0].x,
                corners[0].y};  // width and height: right and bottom
    for (const Point p : corners)
        bounds = {std::min(bounds.x, p.x), std::min(bounds.y, p.y), std::max(bounds.width, p.x),
                  std::max(bounds.height, p.y)};
    Coverage coverage(boxOf(bounds.x, bounds.y, bounds.width, bounds.height));
    coverage.polygon(corners);
    coverage.visit([&](int x, int y, f32 part) { blend(x, y, color, part); });
}

void Surface::strokePaths(std::span<const std::vector<Point>> paths, f32 width, Color color) {
    if (paths.empty() || width <= 0 || color.alpha <= 0) return;
    f32 left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
    for (const auto& path : paths)
        for (const Point p : path)
            left = std::min(left, p.x), top = std::min(top, p.y), right = std::max(right, p.x),
            bottom = std::max(bottom, p.y);
    const f32 half = width / 2;
    Coverage coverage(boxOf(left - half, top - half, right + half, bottom + half));
    for (const auto& path : paths) {
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            const Point a = path[i], b = path[i + 1];
            const f32 dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
            if (length <= 0) continue;
            const f32 nx = -dy / length * half, ny = dx / length * half;
            const Point corners[] = {
                {a.x + nx, a.y + ny}, {a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}};
            coverage.polygon(corners);
        }
    }
    coverage.visit([&](int x, int y, f32 part) { blend(x, y, color, part); });
}

void Surface::stamp(const u8* coverage, int width, int height, int left, int top, Color color) {
    const PixelBox box = PixelBox{left, top, left + width, top + height}.cutTo(clip_);
    for (int y = box.top; y < box.bottom; ++y)
        for (int x = box.left; x < box.right; ++x)
            if (const u8 c = coverage[(y - top) * width + (x - left)]) blend(x, y, color, f32(c) / 255);
}

}  // namespace lockstep::viz
