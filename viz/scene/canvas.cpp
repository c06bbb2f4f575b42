// Shapes into the scene; texts cut and wrapped by their metrics.
#include "viz/scene/canvas.h"

#include "base/text/utf8.h"
#include "viz/scene/line_breaks.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

constexpr std::string_view kEllipsis = "…";

// The smallest pieces that a line may be broken between: Latin words with their blanks, single Chinese
// characters.
std::vector<std::string> pieces(std::string_view text) {
    std::vector<std::string> out;
    bool joined = false;  // the next character belongs to the last piece
    bool opened = false;  // the last character may not end a line
    while (!text.empty()) {
        const std::string_view before = text;
        const char32_t c = takeCharacter(text);
        const std::string_view bytes = before.substr(0, before.size() - text.size());
        const bool chinese = isIdeograph(c), sticks = mayNotBegin(c) && !out.empty();
        if ((joined && !(mayNotEnd(c) && !opened)) || sticks || (c == ' ' && !out.empty()))
            out.back() += bytes;
        else
            out.emplace_back(bytes);
        opened = mayNotEnd(c);
        joined = c != ' ' && !chinese && !(mayNotBegin(c) && c > 0x7F);
        if (joined && !mayNotEnd(c) && !text.empty()) {  // a Latin word ends before a Chinese character
            std::string_view next = text;
            if (isIdeograph(takeCharacter(next))) joined = false;
        }
    }
    return out;
}

std::string trimmedEnd(std::string text) {
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

}  // namespace

void Canvas::rect(const Rect& rect, const RectStyle& style) {
    scene_.marks.emplace_back(
        RectMark{rect, style.radius, style.fill, style.stroke, style.hatch, style.hatchPitch});
}

namespace {

Point moved(Point p, Point by) { return {p.x + by.x, p.y + by.y}; }
Rect moved(Rect r, Point by) { return {r.x + by.x, r.y + by.y, r.width, r.height}; }

Rect common(const Rect& a, const Rect& b) {
    const f32 x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
            std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

struct Mover {
    const Rect& area;
    Point by{area.x, area.y};

    void operator()(RectMark& m) const { m.rect = moved(m.rect, by); }
    void operator()(LineMark& m) const { m.from = moved(m.from, by), m.to = moved(m.to, by); }
    void operator()(CurveMark& m) const {
        for (Point& p : m.points)
            p = moved(p, by);
    }
    void operator()(PolygonMark& m) const {
        for (Point& p : m.points)
            p = moved(p, by);
    }
    void operator()(TextMark& m) const { m.at = moved(m.at, by); }
    void operator()(ClipMark& m) const { m.rect = m.rect ? common(moved(*m.rect, by), area) : area; }
};

}  // namespace

void Canvas::include(Scene part, const Rect& area) {
    clip(area);
    for (Mark& mark : part.marks) {
        std::visit(Mover{area}, mark);
        scene_.marks.push_back(std::move(mark));
    }
    unclip();
    for (HitArea& hit : part.hits)
        if (const Rect seen = common(moved(hit.rect, {area.x, area.y}), area);
            seen.width > 0 && seen.height > 0)
            this->hit(seen, std::move(hit.hit));
    for (ValueCell& value : part.cells) {
        value.rect = common(moved(value.rect, {area.x, area.y}), area);
        if (value.rect.width > 0 && value.rect.height > 0) cell(value);
    }
    for (const Rect& rect : part.keys)
        key(moved(rect, {area.x, area.y}));
}

std::string Canvas::continueFrom(Scene part, const Rect& area) {
    std::string sentence = std::move(part.sentence);
    scene_.caption = std::move(part.caption);
    scene_.panes = std::move(part.panes);
    scene_.hiddenBelow = part.hiddenBelow;
    scene_.textHeight = part.textHeight;
    scene_.mostZoom = part.mostZoom;
    scene_.lanes = part.lanes;
    scene_.isSentenceAlone = part.isSentenceAlone;
    scene_.animating = part.animating;
    include(std::move(part), area);
    return sentence;
}

f32 Canvas::text(Point at, std::string text, const TextStyle& style) {
    const f32 drawn = width(text, style);
    if (!text.empty())
        scene_.marks.emplace_back(TextMark{{at.x, at.y + style.size * type::kMiddle},
                                           std::move(text),
                                           style.size,
                                           style.face(),
                                           style.align,
                                           style.role,
                                           style.flow});
    return drawn;
}

namespace {
// Code is cut before a name that would be broken off, unless it is all there is.
std::size_t beforeName(std::string_view code, std::size_t bytes) {
    const auto isOfName = [&](std::size_t at) {
        const char c = code[at];
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    if (bytes == 0 || bytes >= code.size() || !isOfName(bytes)) return bytes;
    std::size_t begin = bytes;
    while (begin > 0 && isOfName(begin - 1))
        --begin;
    const bool isNumber = code[begin] >= '0' && code[begin] <= '9';
    return begin == 0 || isNumber ? bytes : begin;
}
}  // namespace

std::string Canvas::cut(std::string_view text, f32 maxWidth, const TextStyle& style) const {
    if (width(text, style) <= maxWidth) return std::string(text);
    const f32 room = maxWidth - width(kEllipsis, style);
    std::string_view rest = text;
    f32 used = 0;
    std::size_t bytes = 0;
    while (!rest.empty()) {
        const std::string_view before = rest;
        takeCharacter(rest);
        used += width(before.substr(0, before.size() - rest.size()), style);
        if (used > room) break;
        bytes = text.size() - rest.size();
    }
    if (style.mono) bytes = beforeName(text, bytes);
    return bytes == 0 ? std::string()
                      : trimmedEnd(std::string(text.substr(0, bytes))) + std::string(kEllipsis);
}

f32 Canvas::textWithin(Point at, f32 maxWidth, std::string_view text, const TextStyle& style) {
    return this->text(at, cut(text, maxWidth, style), style);
}

std::vector<std::string> Canvas::wrap(std::string_view text, f32 maxWidth, const TextStyle& style) const {
    std::vector<std::string> lines{""};
    for (const std::string& piece : pieces(text)) {
        if (!lines.back().empty() && width(trimmedEnd(lines.back() + piece), style) > maxWidth) {
            lines.back() = trimmedEnd(lines.back());
            lines.emplace_back();
        }
        lines.back() += piece;
    }
    lines.back() = trimmedEnd(lines.back());
    return lines;
}

u32 Canvas::paragraph(Point at, f32 maxWidth, std::string_view text, const TextStyle& style, f32 lineHeight,
                      u32 maxLines) {
    if (maxLines == 0) return 0;
    std::vector<std::string> lines = wrap(text, maxWidth, style);
    if (lines.size() > maxLines) {
        for (std::size_t i = maxLines; i < lines.size(); ++i)
            lines[maxLines - 1] += " " + lines[i];
        lines.resize(maxLines);
    }
    TextStyle ofLine = style;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        ofLine.flow = i == 0 ? Flow::Begins : Flow::GoesOn;
        textWithin({at.x, at.y + f32(i) * style.size * lineHeight}, maxWidth, lines[i], ofLine);
    }
    return u32(lines.size());
}

}  // namespace lockstep::viz
