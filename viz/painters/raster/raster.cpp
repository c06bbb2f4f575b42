// Draws shapes on a surface, with a cache of rendered glyphs.
#include "viz/painters/raster/raster.h"

#include "base/text/utf8.h"
#include "viz/painters/raster/surface.h"
#include "viz/scene/geometry.h"
#include "viz/scene/tokens.h"

#include <stb/stb_truetype.h>

#include <cmath>
#include <unordered_map>

namespace lockstep::viz {

class RasterPainter::Glyphs {
public:
    struct Bitmap {
        int left = 0, top = 0, width = 0, height = 0;
        std::vector<u8> coverage;
    };

    explicit Glyphs(const Fonts& fonts) : fonts(fonts) {}

    // Rendered at quarters of a pixel to the right, so that spacing is even.
    const Bitmap& find(Glyph glyph, f32 size, u32 quarter) {
        const u64 key =
            u64(glyph.font) << 56 | u64(glyph.index) << 32 | u64(u32(std::lround(size * 64))) << 2 | quarter;
        if (const auto it = known_.find(key); it != known_.end()) return it->second;
        Bitmap& bitmap = known_[key];
        const stbtt_fontinfo& info = fonts.info(glyph.font);
        const f32 scale = fonts.scale(glyph.font, size), shift = f32(quarter) / 4;
        int right = 0, bottom = 0;
        stbtt_GetGlyphBitmapBoxSubpixel(&info, glyph.index, scale, scale, shift, 0, &bitmap.left, &bitmap.top,
                                        &right, &bottom);
        bitmap.width = right - bitmap.left;
        bitmap.height = bottom - bitmap.top;
        bitmap.coverage.resize(std::size_t(bitmap.width) * std::size_t(bitmap.height));
        if (!bitmap.coverage.empty())
            stbtt_MakeGlyphBitmapSubpixel(&info, bitmap.coverage.data(), bitmap.width, bitmap.height,
                                          bitmap.width, scale, scale, shift, 0, glyph.index);
        return bitmap;
    }

    const Fonts& fonts;

private:
    std::unordered_map<u64, Bitmap> known_;
};

namespace {

// Cuts a path into the pieces that a dash pattern leaves.
std::vector<std::vector<Point>> dashed(const std::vector<Point>& path, Dash dash, f32 scale) {
    const auto pattern = dashPattern(dash);
    if (pattern.empty()) return {path};
    std::vector<std::vector<Point>> pieces;
    f32 left = pattern[0] * scale;
    bool drawn = true;
    if (!path.empty()) pieces.push_back({path[0]});
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        Point at = path[i];
        const Point to = path[i + 1];
        f32 rest = std::hypot(to.x - at.x, to.y - at.y);
        while (rest > left) {
            at = between(at, to, left / rest);
            rest -= left;
            if (drawn)
                pieces.back().push_back(at);
            else
                pieces.push_back({at});
            drawn = !drawn;
            left = pattern[drawn ? 0 : 1] * scale;
        }
        left -= rest;
        if (drawn) pieces.back().push_back(to);
    }
    return pieces;
}

std::vector<Point> roundedPath(const Rect& r, f32 radius) {
    radius = std::min({radius, r.width / 2, r.height / 2});
    std::vector<Point> path;
    const Point centres[] = {{r.right() - radius, r.y + radius},
                             {r.right() - radius, r.bottom() - radius},
                             {r.x + radius, r.bottom() - radius},
                             {r.x + radius, r.y + radius}};
    path.push_back({r.x + radius, r.y});
    constexpr int kSteps = 6;
    constexpr f32 kQuarter = 1.57079633f;
    for (int corner = 0; corner < 4; ++corner)
        for (int i = 0; i <= kSteps; ++i) {
            const f32 angle = kQuarter * (f32(corner) - 1 + f32(i) / kSteps);
            path.push_back(
                {centres[corner].x + radius * std::cos(angle), centres[corner].y + radius * std::sin(angle)});
        }
    path.push_back(path.front());
    return path;
}

}  // namespace

// One picture being painted.
class Picture {
public:
    Picture(Surface& surface, const Theme& theme, f32 scale)
        : surface_(surface), theme_(theme), scale_(scale) {}

    void draw(const RectMark& m) {
        const Rect rect = scaled(m.rect);
        surface_.fillRect(rect, m.radius * scale_, colorOf(m.fill, theme_));
        if (colorOf(m.hatch, theme_).alpha > 0) hatch(m);
        const Color color = colorOf(m.stroke.role, theme_);
        if (color.alpha <= 0 || m.stroke.width <= 0) return;
        if (m.stroke.dash == Dash::Solid)
            surface_.strokeRect(rect, m.radius * scale_, m.stroke.width * scale_, color);
        else
            stroke(roundedPath(rect, m.radius * scale_), m.stroke);
    }
    void draw(const LineMark& m) {
        stroke({scaled(m.from), scaled(m.to)}, m.stroke);
        head(m.from, m.to, m.arrow, m.stroke.role);
    }
    void draw(const CurveMark& m) {
        std::vector<Point> path;
        constexpr int kSteps = 32;
        for (int i = 0; i <= kSteps; ++i)
            path.push_back(scaled(pointAt(m.points, f32(i) / kSteps)));
        stroke(path, m.stroke);
        head(pointAt(m.points, 0.95f), m.points[3], m.arrow, m.stroke.role);
    }
    void draw(const PolygonMark& m) {
        std::vector<Point> path;
        for (const Point p : m.points)
            path.push_back(scaled(p));
        surface_.fillPolygon(path, colorOf(m.fill, theme_));
        if (!path.empty()) path.push_back(path.front());
        stroke(path, m.stroke);
    }
    void draw(const ClipMark& m) { surface_.setClip(m.rect ? std::optional(scaled(*m.rect)) : std::nullopt); }

    template <class Glyphs> void drawText(const TextMark& m, Glyphs& glyphs) {
        const Color color = colorOf(m.role, theme_);
        const f32 size = m.size * scale_;
        f32 x = m.at.x * scale_;
        if (m.align != Align::Left)
            x -= glyphs.fonts.width(m.text, size, m.face) * (m.align == Align::Centre ? 0.5f : 1);
        const int baseline = int(std::lround(m.at.y * scale_));
        std::string_view text = m.text;
        while (!text.empty()) {
            const Glyph glyph = glyphs.fonts.glyph(takeCharacter(text), m.face);
            const f32 place = std::floor(x * 4 + 0.5f) / 4, whole = std::floor(place);
            const auto& bitmap = glyphs.find(glyph, size, u32((place - whole) * 4));
            if (!bitmap.coverage.empty())
                surface_.stamp(bitmap.coverage.data(), bitmap.width, bitmap.height, int(whole) + bitmap.left,
                               baseline + bitmap.top, color);
            x += glyphs.fonts.advance(glyph, size);
        }
    }

private:
    Point scaled(Point p) const { return {p.x * scale_, p.y * scale_}; }
    Rect scaled(const Rect& r) const {
        return {r.x * scale_, r.y * scale_, r.width * scale_, r.height * scale_};
    }

    void stroke(const std::vector<Point>& path, const Stroke& s) {
        if (s.role.kind != RoleKind::None)
            surface_.strokePaths(dashed(path, s.dash, scale_), s.width * scale_, colorOf(s.role, theme_));
    }
    void head(Point from, Point to, f32 length, const Role& role) {
        if (length <= 0) return;
        auto corners = arrowHead(from, to, length);
        for (Point& p : corners)
            p = scaled(p);
        surface_.fillPolygon(corners, colorOf(role, theme_));
    }
    void hatch(const RectMark& m) {
        std::vector<std::vector<Point>> lines;
        const Rect r = m.rect.inset(1);
        for (f32 d = m.hatchPitch / 2; d < r.width + r.height; d += m.hatchPitch)
            lines.push_back({scaled(Point{r.x + std::min(d, r.width), r.y + std::max(0.0f, d - r.width)}),
                             scaled(Point{r.x + std::max(0.0f, d - r.height), r.y + std::min(d, r.height)})});
        surface_.strokePaths(lines, scale_, colorOf(m.hatch, theme_));
    }

    Surface& surface_;
    const Theme& theme_;
    f32 scale_;
};

RasterPainter::RasterPainter(const Fonts& fonts) : glyphs_(std::make_unique<Glyphs>(fonts)) {}
RasterPainter::~RasterPainter() = default;

Image RasterPainter::paint(const Scene& scene, const Theme& theme, f32 scale) {
    Surface surface(u32(std::lround(scene.size.width * scale)), u32(std::lround(scene.size.height * scale)),
                    theme.ground);
    Picture picture(surface, theme, scale);
    for (const Mark& mark : scene.marks) {
        if (const auto* text = std::get_if<TextMark>(&mark))
            picture.drawText(*text, *glyphs_);
        else
            std::visit(
                [&](const auto& shape) {
                    if constexpr (requires { picture.draw(shape); }) picture.draw(shape);
                },
                mark);
    }
    return std::move(surface).take();
}

}  // namespace lockstep::viz
