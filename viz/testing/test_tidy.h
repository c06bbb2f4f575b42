// For tests: whether the texts of a scene can be read, by geometry alone.
#pragma once

#include "viz/scene/geometry.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::viz {

struct TextBox {
    Rect rect;
    std::string text;
    std::size_t mark;
};

// What of a text is ink: from cap height to a little below the baseline.
inline Rect inkOf(const TextMark& t, const TextMetrics& metrics) {
    const f32 width = metrics.width(t.text, t.size, t.face);
    const f32 left = t.at.x - (t.align == Align::Centre ? width / 2 : t.align == Align::Right ? width : 0);
    return {left, t.at.y - t.size * 0.73f, width, t.size * 0.9f};
}

inline Rect meet(const Rect& a, const Rect& b) {
    const f32 x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

// An opaque rectangle drawn between two texts hides the first: a token over a cell.
inline bool hidden(const Scene& scene, const TextBox& below, const TextBox& above, const Rect& where) {
    for (std::size_t i = below.mark + 1; i < above.mark; ++i)
        if (const auto* r = std::get_if<RectMark>(&scene.marks[i]);
            r && r->fill.kind != RoleKind::None && r->fill.alpha >= 1)
            if (r->rect.x <= where.x + 0.5f && r->rect.y <= where.y + 0.5f &&
                r->rect.right() >= where.right() - 0.5f && r->rect.bottom() >= where.bottom() - 0.5f)
                return true;
    return false;
}

// Every text that leaves the scene, and the first two that run into each other, as sentences.
inline std::vector<std::string> untidyTexts(const Scene& scene, const TextMetrics& metrics) {
    std::vector<std::string> found;
    std::vector<TextBox> boxes;
    const Rect whole{0, 0, scene.size.width, scene.size.height};
    Rect clip = whole;
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
        if (const auto* c = std::get_if<ClipMark>(&scene.marks[i])) clip = c->rect.value_or(whole);
        const auto* text = std::get_if<TextMark>(&scene.marks[i]);
        if (!text) continue;
        const Rect drawn = inkOf(*text, metrics), ink = meet(drawn, clip);
        if (ink.width <= 0 || ink.height <= 0) continue;
        const bool clipped = clip.width < whole.width || clip.height < whole.height;
        if (ink.x < -0.5f || ink.y < -0.5f || ink.right() > whole.width + 0.5f ||
            ink.bottom() > whole.height + 0.5f ||
            (!clipped && (drawn.x < -0.5f || drawn.right() > whole.width + 0.5f || drawn.y < -0.5f ||
                          drawn.bottom() > whole.height + 0.5f)))
            found.push_back(fmt::format("\"{}\" leaves the scene", text->text));
        boxes.push_back({ink, text->text, i});
    }
    // From left to right: only neighbors can meet.
    std::ranges::sort(boxes, {}, [](const TextBox& box) { return box.rect.x; });
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size() && boxes[b].rect.x < boxes[a].rect.right() - 1; ++b) {
            const Rect common = meet(boxes[a].rect, boxes[b].rect);
            const bool inOrder = boxes[a].mark < boxes[b].mark;
            if (common.width <= 1 || common.height <= 1 ||
                hidden(scene, boxes[inOrder ? a : b], boxes[inOrder ? b : a], common))
                continue;
            found.push_back(fmt::format("\"{}\" and \"{}\" overlap at {}, {} by {} x {}", boxes[a].text,
                                        boxes[b].text, common.x, common.y, common.width, common.height));
            return found;
        }
    return found;
}

// Words that were cut for want of room; code and numbers, which are set in the fixed face, may be.
inline std::vector<std::string> cutWords(const Scene& scene) {
    std::vector<std::string> found;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark);
            text && (text->face == Face::Text || text->face == Face::TextBold) && text->text.ends_with("…"))
            found.push_back(fmt::format("\"{}\" is cut", text->text));
    return found;
}

// Texts that a line or a way runs through, unless something opaque lies between the two.
inline std::vector<std::string> struckTexts(const Scene& scene, const TextMetrics& metrics) {
    constexpr f32 kApart = 2, kInside = 1.5f, kFaint = 0.35f;
    const Rect whole{0, 0, scene.size.width, scene.size.height};
    struct Sample {
        Point at;
        std::size_t mark;
    };
    std::vector<Sample> samples;
    Rect clip = whole;
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
        if (const auto* c = std::get_if<ClipMark>(&scene.marks[i])) clip = c->rect.value_or(whole);
        const auto* line = std::get_if<LineMark>(&scene.marks[i]);
        const auto* curve = std::get_if<CurveMark>(&scene.marks[i]);
        if (!line && !curve) continue;
        if ((line ? line->stroke : curve->stroke).role.alpha < kFaint) continue;
        const Curve points = line ? Curve{line->from, line->from, line->to, line->to} : curve->points;
        f32 length = 0;
        for (u32 p = 0; p < 3; ++p)
            length += std::hypot(points[p + 1].x - points[p].x, points[p + 1].y - points[p].y);
        const u32 count = u32(length / kApart) + 2;
        for (u32 n = 0; n < count; ++n)
            if (const Point at = pointAt(points, f32(n) / f32(count - 1)); clip.contains(at))
                samples.push_back({at, i});
    }
    std::ranges::sort(samples, {}, [](const Sample& s) { return s.at.x; });
    std::vector<std::string> found;
    clip = whole;
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
        if (const auto* c = std::get_if<ClipMark>(&scene.marks[i])) clip = c->rect.value_or(whole);
        const auto* text = std::get_if<TextMark>(&scene.marks[i]);
        if (!text) continue;
        const Rect drawn = inkOf(*text, metrics);
        const Rect ink =
            meet({drawn.x, text->at.y - text->size * 0.73f, drawn.width, text->size * 0.73f}, clip)
                .inset(kInside);
        if (ink.width <= 0 || ink.height <= 0) continue;
        for (auto s = std::ranges::lower_bound(samples, ink.x, {},
                                               [](const Sample& sample) { return sample.at.x; });
             s != samples.end() && s->at.x < ink.right(); ++s) {
            if (!ink.contains(s->at)) continue;
            const Rect here{s->at.x, s->at.y, 0, 0};
            if (hidden(scene, {here, {}, std::min(i, s->mark)}, {here, {}, std::max(i, s->mark)}, here))
                continue;
            found.push_back(fmt::format("\"{}\" is struck at {:.0f}, {:.0f}", text->text, s->at.x, s->at.y));
            break;
        }
    }
    return found;
}

}  // namespace lockstep::viz
