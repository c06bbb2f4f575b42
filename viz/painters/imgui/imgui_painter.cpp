#include "viz/painters/imgui/imgui_painter.h"

#include "viz/scene/geometry.h"
#include "viz/scene/tokens.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::viz {
namespace {

class Painter {
public:
    Painter(const Theme& theme, const ImGuiFonts& fonts, ImDrawList& list, Point origin, f32 scale)
        : theme_(theme), fonts_(fonts), list_(list), origin_(origin), scale_(scale) {}

    void draw(const RectMark& m) {
        const ImVec2 from = at({m.rect.x, m.rect.y}), to = at({m.rect.right(), m.rect.bottom()});
        if (const ImU32 fill = color(m.fill)) list_.AddRectFilled(from, to, fill, m.radius * scale_);
        if (const ImU32 hatch = color(m.hatch)) drawHatch(m, hatch);
        const ImU32 stroke = color(m.stroke.role);
        if (!stroke || m.stroke.width <= 0) return;
        if (m.stroke.dash == Dash::Solid) {
            list_.AddRect(from, to, stroke, m.radius * scale_, m.stroke.width * scale_);
        } else {
            list_.PathRect(from, to, m.radius * scale_);
            path_.clear();
            for (const ImVec2& p : list_._Path)
                path_.push_back({p.x, p.y});
            path_.push_back(path_.front());
            list_.PathClear();
            dashes(m.stroke, stroke);
        }
    }
    void draw(const LineMark& m) {
        path_ = {moved(m.from), moved(m.to)};
        strokePath(m.stroke);
        head(moved(m.from), moved(m.to), m.arrow, m.stroke.role);
    }
    void draw(const CurveMark& m) {
        constexpr int kPieces = 24;
        path_.clear();
        for (int i = 0; i <= kPieces; ++i)
            path_.push_back(moved(pointAt(m.points, f32(i) / kPieces)));
        strokePath(m.stroke);
        head(moved(pointAt(m.points, 0.95f)), moved(m.points[3]), m.arrow, m.stroke.role);
    }
    void draw(const PolygonMark& m) {
        if (m.points.size() < 3) return;
        std::vector<ImVec2> points;
        for (const Point p : m.points)
            points.push_back(at(p));
        if (const ImU32 fill = color(m.fill))
            list_.AddConcavePolyFilled(points.data(), int(points.size()), fill);
        if (const ImU32 stroke = color(m.stroke.role); stroke && m.stroke.width > 0)
            list_.AddPolyline(points.data(), int(points.size()), stroke, m.stroke.width * scale_,
                              ImDrawFlags_Closed);
    }
    void draw(const TextMark& m) {
        const ImU32 ink = color(m.role);
        if (!ink || m.text.empty()) return;
        ImFont* font = fonts_.font(m.face);
        const f32 size = fonts_.size(m.face, m.size * scale_);
        ImVec2 to = at(m.at);
        to.y -= font->GetFontBaked(size)->Ascent;
        if (m.align != Align::Left) {
            const f32 width =
                font->CalcTextSizeA(size, FLT_MAX, 0, m.text.data(), m.text.data() + m.text.size()).x;
            to.x -= m.align == Align::Centre ? width / 2 : width;
        }
        list_.AddText(font, size, to, ink, m.text.data(), m.text.data() + m.text.size());
    }
    void draw(const ClipMark& m) {
        if (clipped_) list_.PopClipRect();
        clipped_ = m.rect.has_value();
        if (clipped_)
            list_.PushClipRect(at({m.rect->x, m.rect->y}), at({m.rect->right(), m.rect->bottom()}), true);
    }

private:
    Point moved(Point p) const { return {p.x * scale_ + origin_.x, p.y * scale_ + origin_.y}; }
    ImVec2 at(Point p) const { return {p.x * scale_ + origin_.x, p.y * scale_ + origin_.y}; }
    ImU32 color(const Role& role) const {
        if (role.kind == RoleKind::None) return 0;
        const Color c = colorOf(role, theme_);
        return c.alpha > 0 ? packed(c) : 0;
    }

    // Lines from bottom left to top right, cut to the rectangle.
    void drawHatch(const RectMark& m, ImU32 hatch) {
        const Rect r = m.rect.inset(1);
        for (f32 d = m.hatchPitch / 2; d < r.width + r.height; d += m.hatchPitch)
            list_.AddLine(at({r.x + std::min(d, r.width), r.y + std::max(0.0f, d - r.width)}),
                          at({r.x + std::max(0.0f, d - r.height), r.y + std::min(d, r.height)}), hatch,
                          line::kHair * scale_);
    }
    // From and to on the screen.
    void head(Point from, Point to, f32 length, const Role& role) {
        if (length <= 0) return;
        const auto corners = arrowHead(from, to, length * scale_);
        const auto corner = [&](std::size_t i) { return ImVec2(corners[i].x, corners[i].y); };
        list_.AddTriangleFilled(corner(0), corner(1), corner(2), color(role));
    }
    void strokePath(const Stroke& stroke) {
        const ImU32 ink = color(stroke.role);
        if (!ink || stroke.width <= 0) return;
        if (stroke.dash != Dash::Solid) return dashes(stroke, ink);
        for (const Point p : path_)
            list_.PathLineTo({p.x, p.y});
        list_.PathStroke(ink, stroke.width * scale_);
    }
    // Walks along path_ and draws every other piece of the pattern.
    void dashes(const Stroke& stroke, ImU32 ink) {
        const std::span<const f32> pattern = dashPattern(stroke.dash);
        std::size_t piece = 0;
        f32 left = pattern[0] * scale_;
        for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
            const Point a = path_[i], b = path_[i + 1];
            const f32 length = std::hypot(b.x - a.x, b.y - a.y);
            for (f32 done = 0; done < length;) {
                const f32 stride = std::min(left, length - done);
                const Point from = between(a, b, done / length), to = between(a, b, (done + stride) / length);
                if (piece % 2 == 0) list_.AddLine({from.x, from.y}, {to.x, to.y}, ink, stroke.width * scale_);
                done += stride;
                left -= stride;
                if (left <= 1e-4f) left = pattern[++piece % pattern.size()] * scale_;
            }
        }
    }

    const Theme& theme_;
    const ImGuiFonts& fonts_;
    ImDrawList& list_;
    Point origin_;
    f32 scale_;
    std::vector<Point> path_;
    bool clipped_ = false;
};

// Room for a scene at once: grown by and by, a list of a large scene is copied several times over, each time
// to fresh memory.
void reserve(ImDrawList& list, std::size_t marks) {
    constexpr int kVertices = 24, kIndices = 60;  // of a rounded rectangle, or of a word
    const auto room = [&](auto& buffer, int each) {
        const int wanted = buffer.Size + int(marks) * each;
        if (wanted > buffer.Capacity) buffer.reserve(wanted);
    };
    room(list.VtxBuffer, kVertices);
    room(list.IdxBuffer, kIndices);
}

}  // namespace

u32 packed(Color c) { return IM_COL32(c.r, c.g, c.b, std::lround(std::clamp(c.alpha, 0.0f, 1.0f) * 255)); }

void paint(const Scene& scene, const Theme& theme, const ImGuiFonts& fonts, ImDrawList& list, Point origin,
           f32 scale) {
    list.PushClipRect({origin.x, origin.y},
                      {origin.x + scene.size.width * scale, origin.y + scene.size.height * scale}, true);
    reserve(list, scene.marks.size());
    Painter painter(theme, fonts, list, origin, scale);
    for (const Mark& mark : scene.marks)
        std::visit([&](const auto& shape) { painter.draw(shape); }, mark);
    painter.draw(ClipMark{});
    list.PopClipRect();
}

}  // namespace lockstep::viz
