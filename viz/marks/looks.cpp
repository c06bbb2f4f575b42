#include "viz/marks/looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lockstep::viz {
namespace {

constexpr f32 kFaintBelow = 0.45f;

bool isBackground(RoleKind kind) {
    switch (kind) {
        case RoleKind::None:
        case RoleKind::Ground:
        case RoleKind::Panel:
        case RoleKind::InkOn:
        case RoleKind::CursorInk: return true;
        default: return false;
    }
}

bool isSeen(const Role& role) { return !isBackground(role.kind) && role.alpha > 0; }

Rect boundsOf(std::span<const Point> points) {
    Rect box{points.front().x, points.front().y, 0, 0};
    for (const Point& p : points) {
        const f32 right = std::max(box.right(), p.x), bottom = std::max(box.bottom(), p.y);
        box.x = std::min(box.x, p.x), box.y = std::min(box.y, p.y);
        box.width = right - box.x, box.height = bottom - box.y;
    }
    return box;
}

struct Seen {
    Look look;
    Rect where;
};

void setStroke(Look& look, const Stroke& stroke) {
    if (stroke.width > 0 && isSeen(stroke.role)) look.stroke = stroke.role.kind, look.dash = stroke.dash;
}

Seen seenOf(const RectMark& mark) {
    Look look;
    const f32 side = std::min(mark.rect.width, mark.rect.height);
    if (side > 0 && mark.radius >= side / 2 - 0.01f && std::abs(mark.rect.width - mark.rect.height) < 0.5f)
        look.shape = Look::Shape::Disc;
    if (isSeen(mark.fill)) look.fill = mark.fill.kind, look.isFaint = mark.fill.alpha < kFaintBelow;
    if (isSeen(mark.hatch)) look.hatch = mark.hatch.kind;
    setStroke(look, mark.stroke);
    return {look, mark.rect};
}

Seen seenOf(const PolygonMark& mark) {
    Look look;
    const bool isDiamond = mark.points.size() == 4 && mark.points[0].x == mark.points[2].x &&
                           mark.points[1].y == mark.points[3].y;
    look.shape = mark.points.size() == 3 ? Look::Shape::Triangle
                 : isDiamond             ? Look::Shape::Diamond
                                         : Look::Shape::Polygon;
    // A diamond on a filled cell is drawn in ink.
    if (isSeen(mark.fill) || (isDiamond && mark.fill.kind == RoleKind::InkOn))
        look.fill = mark.fill.kind, look.isFaint = mark.fill.alpha < kFaintBelow;
    setStroke(look, mark.stroke);
    return {look, boundsOf(mark.points)};
}

Seen seenOf(std::span<const Point> points, const Stroke& stroke, f32 arrow) {
    Look look;
    look.shape = Look::Shape::Way;
    setStroke(look, stroke);
    look.isArrow = arrow > 0;
    return {look, boundsOf(points)};
}

std::optional<Seen> seenOf(const Mark& mark) {
    if (const auto* rect = std::get_if<RectMark>(&mark)) return seenOf(*rect);
    if (const auto* polygon = std::get_if<PolygonMark>(&mark)) return seenOf(*polygon);
    if (const auto* curve = std::get_if<CurveMark>(&mark))
        return seenOf(curve->points, curve->stroke, curve->arrow);
    if (const auto* way = std::get_if<LineMark>(&mark))
        return seenOf(std::array{way->from, way->to}, way->stroke, way->arrow);
    return std::nullopt;
}

bool isNothing(const Look& look) {
    return look.fill == RoleKind::None && look.stroke == RoleKind::None && look.hatch == RoleKind::None;
}

bool meets(const Rect& a, const Rect& b) {
    return a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom();
}

}  // namespace

std::set<Look> looksOf(std::span<const Mark> marks, const Rect& area, std::span<const Rect> except) {
    std::set<Look> looks;
    Look last;  // neighbors mostly look alike
    Rect clip = area;
    for (const Mark& mark : marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect.value_or(area);
        const std::optional<Seen> seen = seenOf(mark);
        if (!seen || isNothing(seen->look) || !meets(seen->where, clip) || !meets(seen->where, area))
            continue;
        const Point middle = seen->where.centre();
        if (std::ranges::any_of(except, [&](const Rect& rect) { return rect.contains(middle); })) continue;
        if (looks.empty() || last != seen->look) looks.insert(last = seen->look);
    }
    return looks;
}

std::string describe(const Look& look) {
    constexpr std::array kShapes{"box", "disc", "way", "triangle", "diamond", "polygon"};
    constexpr std::array kRoles{"none",  "ground", "panel",   "raised", "line",   "edge",     "text",
                                "text2", "text3",  "cursor",  "ink",    "ghost",  "inactive", "wasted",
                                "load",  "store",  "finding", "warp",   "degree", "inkOn"};
    std::string text = kShapes[std::size_t(look.shape)];
    if (look.fill != RoleKind::None)
        text += fmt::format(", {}{}", look.isFaint ? "faint " : "", kRoles[std::size_t(look.fill)]);
    if (look.stroke != RoleKind::None) text += fmt::format(", {} line", kRoles[std::size_t(look.stroke)]);
    if (look.dash != Dash::Solid) text += fmt::format(", dash {}", int(look.dash));
    if (look.hatch != RoleKind::None) text += fmt::format(", hatched {}", kRoles[std::size_t(look.hatch)]);
    return text + (look.isArrow ? ", arrow" : "");
}

}  // namespace lockstep::viz
