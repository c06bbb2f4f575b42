#include "viz/parts/conflicting_thread.h"

#include "viz/facts/findings_on_show.h"
#include "viz/marks/cell.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lockstep::viz {
namespace {

// What a label would hide: cells that hold data, texts, which the line to it is not to strike either, arrows,
// and frames.
struct Taken {
    std::vector<Rect> cells, texts, heads, frames;
    std::vector<Curve> ways;
};

bool isWay(const Stroke& stroke, f32 arrow) {
    const RoleKind kind = stroke.role.kind;
    return arrow > 0 || kind == RoleKind::Warp || kind == RoleKind::Text || kind == RoleKind::Finding;
}

Rect around(Point at, f32 reach) { return {at.x - reach, at.y - reach, 2 * reach, 2 * reach}; }

Taken inTheWay(const Canvas& canvas) {
    Taken taken;
    const Scene& scene = canvas.scene();
    const Rect whole{0, 0, scene.size.width, scene.size.height};
    Rect clip = whole;
    const auto add = [&](std::vector<Rect>& to, const Rect& rect) {
        const f32 x = std::max(rect.x, clip.x), y = std::max(rect.y, clip.y);
        const Rect seen{x, y, std::min(rect.right(), clip.right()) - x,
                        std::min(rect.bottom(), clip.bottom()) - y};
        if (seen.width > 0 && seen.height > 0) to.push_back(seen);
    };
    for (const Mark& mark : scene.marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect.value_or(whole);
        const auto* line = std::get_if<LineMark>(&mark);
        const auto* curve = std::get_if<CurveMark>(&mark);
        if (line || curve) {
            const f32 arrow = line ? line->arrow : curve->arrow;
            const Curve way = line ? Curve{line->from, line->from, line->to, line->to} : curve->points;
            if (!isWay(line ? line->stroke : curve->stroke, arrow)) continue;
            taken.ways.push_back(way);
            if (arrow > 0) add(taken.heads, around(way[3], arrow));
        }
        if (const auto* rect = std::get_if<RectMark>(&mark)) {
            const RoleKind stroke = rect->stroke.role.kind;
            if (stroke != RoleKind::None && stroke != RoleKind::Line && rect->rect.height > 6)
                add(taken.frames, rect->rect);
            const RoleKind fill = rect->fill.kind;
            if (fill == RoleKind::Warp || fill == RoleKind::Wasted || fill == RoleKind::Inactive ||
                (fill == RoleKind::Raised && rect->rect.width < scene.size.width / 2))
                add(taken.cells, rect->rect);
        } else if (const auto* text = std::get_if<TextMark>(&mark)) {
            const f32 wide = canvas.metrics().width(text->text, text->size, text->face);
            const f32 left = text->at.x - (text->align == Align::Centre  ? wide / 2
                                           : text->align == Align::Right ? wide
                                                                         : 0);
            add(taken.texts, {left, text->at.y - text->size * 0.75f, wide, text->size});
        }
    }
    return taken;
}

bool overlaps(const Rect& a, const Rect& b) {
    return a.x < b.right() - 1 && b.x < a.right() - 1 && a.y < b.bottom() - 1 && b.y < a.bottom() - 1;
}

// From the cell to the label.
std::pair<Point, Point> lineBetween(const Rect& cell, const Rect& label) {
    const Point from{std::clamp(label.centre().x, cell.x, cell.right()),
                     std::clamp(label.centre().y, cell.y, cell.bottom())};
    return {from, {std::clamp(from.x, label.x, label.right()), std::clamp(from.y, label.y, label.bottom())}};
}

bool strikes(const std::pair<Point, Point>& line, const Rect& text) {
    constexpr u32 kSamples = 40;
    for (u32 i = 0; i <= kSamples; ++i)
        if (text.inset(-2).contains(between(line.first, line.second, f32(i) / kSamples))) return true;
    return false;
}

bool runsThrough(const Curve& way, const Rect& place) {
    constexpr u32 kSamples = 24;
    for (u32 i = 0; i <= kSamples; ++i)
        if (place.contains(pointAt(way, f32(i) / kSamples))) return true;
    return false;
}

// Of the area what is not cut off just now.
Rect seenOf(const Rect& area, const Scene& scene) {
    for (auto mark = scene.marks.rbegin(); mark != scene.marks.rend(); ++mark)
        if (const auto* cut = std::get_if<ClipMark>(&*mark)) {
            if (!cut->rect) break;
            const f32 x = std::max(area.x, cut->rect->x), y = std::max(area.y, cut->rect->y);
            return {x, y, std::min(area.right(), cut->rect->right()) - x,
                    std::min(area.bottom(), cut->rect->bottom()) - y};
        }
    return area;
}

// An edge of the frame, not only its inside, lies on the place.
bool frames(const Rect& frame, const Rect& place) {
    return overlaps(frame, place) && (place.x < frame.x || place.right() > frame.right() ||
                                      place.y < frame.y || place.bottom() > frame.bottom());
}

// The place nearest to the cell where a label of this size hides nothing; else where it hides least.
Rect freePlace(const Rect& cell, Size label, const Rect& area, const Taken& taken) {
    constexpr f32 kApart = 5, kStep = 10;
    const auto farness = [&](const Rect& place) {
        const f32 dx = std::max({0.0f, place.x - cell.right(), cell.x - place.right()}),
                  dy = std::max({0.0f, place.y - cell.bottom(), cell.y - place.bottom()});
        return dx + 2 * dy;
    };
    const auto costAt = [&](const Rect& place) {
        constexpr f32 kBetweenTexts = 4;  // names that touch read as one
        constexpr f32 kHidden = 1e4f, kHidesItsCell = 1e6f, kHidesWay = 2e3f, kHidesFrame = 100;
        const auto isHidden = [&](const Rect& rect) { return overlaps(rect, place); };
        const std::pair<Point, Point> line = lineBetween(cell, place);
        const auto hidden = std::ranges::count_if(taken.cells, isHidden) +
                            std::ranges::count_if(taken.texts, [&](const Rect& text) {
                                return overlaps(text, {place.x - kBetweenTexts, place.y,
                                                       place.width + 2 * kBetweenTexts, place.height}) ||
                                       strikes(line, text);
                            });
        const auto heads = std::ranges::count_if(taken.heads, isHidden),
                   ways = std::ranges::count_if(taken.ways,
                                                [&](const Curve& way) { return runsThrough(way, place); }),
                   edges = std::ranges::count_if(taken.frames,
                                                 [&](const Rect& frame) { return frames(frame, place); });
        return f32(hidden + heads) * kHidden + f32(ways) * kHidesWay + f32(edges) * kHidesFrame +
               (overlaps(place, cell) ? kHidesItsCell : 0) + farness(place);
    };
    const f32 lowest = std::max(area.y, area.bottom() - label.height),
              rightmost = std::max(area.x, area.right() - label.width);
    std::vector<f32> xs{cell.right() + kApart, cell.x - kApart - label.width},
        ys{cell.centre().y - label.height / 2};
    for (f32 x = area.x; x <= rightmost; x += kStep)
        xs.push_back(x);
    for (f32 y = area.y; y <= lowest; y += kStep / 2)
        ys.push_back(y);
    Rect best{std::clamp(xs[0], area.x, rightmost), std::clamp(ys[0], area.y, lowest), label.width,
              label.height};
    f32 least = costAt(best);
    for (const f32 y : ys)
        for (const f32 x : xs) {
            const Rect place{std::clamp(x, area.x, rightmost), std::clamp(y, area.y, lowest), label.width,
                             label.height};
            if (farness(place) >= least) continue;
            if (const f32 cost = costAt(place); cost < least) best = place, least = cost;
        }
    return best;
}

}  // namespace

void draw(Canvas& canvas, const explain::ConflictingThread& second, const Rect& cell, const Rect& area) {
    constexpr f32 kLeastCell = 6, kSign = 12, kNear = 8;
    const f32 grown = std::max(0.0f, kLeastCell - cell.width) / 2;
    const Rect box = cell.inset(-grown);
    const Role color = roleOfFound(second.isRemark);
    canvas.rect(box, {.stroke = {color, line::kRead}, .radius = box.width > 12 ? radius::kCell : 0.0f});
    const TextStyle style{.size = type::kCode, .bold = true, .role = color};
    const f32 text = canvas.width(second.name, style) + 5, wide = kSign + 4 + text;
    const Rect plate = freePlace(box, {wide, 18}, seenOf(area, canvas.scene()), inTheWay(canvas));
    const f32 left = plate.x, y = plate.centre().y;
    // Where it cannot stand beside its cell, a line leads to it.
    const auto [from, to] = lineBetween(box, plate);
    if (std::hypot(to.x - from.x, to.y - from.y) > kNear)
        canvas.line(from, to, {role(RoleKind::Finding), line::kUnread});
    canvas.rect(plate, {.fill = role(RoleKind::Ground), .radius = radius::kCell});
    drawFound(canvas, {left + kSign / 2 + 2, y}, kSign, second.isRemark);
    textOnGround(canvas, {left + kSign + 4 + text / 2, y}, second.name, style);
    canvas.hit(plate, {.hover = second.sentence, .go = second.go});
}

}  // namespace lockstep::viz
