#include "viz/glossary/term_marks.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr f32 kSameRow = 3;  // pixels: texts of a row need not have the same baseline

bool isProse(const TextMark& text) {
    const bool isText = text.face == Face::Text || text.face == Face::TextBold;
    const bool onColor = text.role.kind == RoleKind::InkOn || text.role.kind == RoleKind::CursorInk;
    return isText && !onColor && std::ranges::any_of(text.text, [](unsigned char c) {
               return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
           });
}

// The next line of the same paragraph, if there is one.
std::string_view followingLine(const Scene& scene, std::size_t mark) {
    constexpr f32 kMostLines = 2;
    if (mark + 1 >= scene.marks.size()) return {};
    const TextMark& line = std::get<TextMark>(scene.marks[mark]);
    const TextMark* next = std::get_if<TextMark>(&scene.marks[mark + 1]);
    const bool goesOn = next && next->face == line.face && next->size == line.size &&
                        next->align == line.align && next->at.x == line.at.x && next->at.y > line.at.y &&
                        next->at.y < line.at.y + kMostLines * line.size;
    return goesOn ? std::string_view(next->text) : std::string_view();
}

bool isWithin(const Rect& inner, const Rect& outer) {
    constexpr f32 kSlack = 0.5f;
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack &&
           inner.right() <= outer.right() + kSlack && inner.bottom() <= outer.bottom() + kSlack;
}

bool meets(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool readsBefore(const TermMark& a, const TermMark& b) {
    if (std::abs(a.baseline - b.baseline) > kSameRow) return a.baseline < b.baseline;
    return a.word.x < b.word.x;
}

}  // namespace

TermMark placeOf(const explain::NamedTerm& named, const TextMark& text, const TextMetrics& metrics) {
    const std::string_view whole = text.text;
    const auto width = [&](std::string_view part) { return metrics.width(part, text.size, text.face); };
    const f32 all = text.align == Align::Left ? 0 : width(whole);
    const f32 left = text.at.x - (text.align == Align::Centre ? all / 2 : all);
    const f32 from = width(whole.substr(0, named.from)),
              to = width(whole.substr(0, named.from + named.length));
    constexpr f32 kAscent = 0.8f, kHeight = 1.1f;  // of the size: letters and what hangs below them
    return {named.term,
            {left + from, text.at.y - kAscent * text.size, to - from, kHeight * text.size},
            text.at.y};
}

std::vector<TermMark> markTerms(const Scene& scene, const TextMetrics& metrics, Language language) {
    std::vector<TermMark> marks;
    const Rect whole{0, 0, scene.size.width, scene.size.height};
    Rect seen = whole;
    const auto consider = [&](const explain::NamedTerm& named, const TextMark& text) {
        const auto known = std::ranges::find(marks, named.term, &TermMark::term);
        if (known != marks.end() && text.at.y > known->baseline + kSameRow) return;  // without measuring it
        const TermMark mark = placeOf(named, text, metrics);
        if (!isWithin(mark.word, seen) || !isWithin(mark.word, whole)) return;
        if (known == marks.end())
            marks.push_back(mark);
        else if (readsBefore(mark, *known))
            *known = mark;
    };
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
        if (const auto* clip = std::get_if<ClipMark>(&scene.marks[i])) {
            seen = clip->rect.value_or(whole);
        } else if (const auto* rect = std::get_if<RectMark>(&scene.marks[i])) {
            if (rect->fill.kind != RoleKind::None && rect->fill.alpha >= 1)
                std::erase_if(marks, [&](const TermMark& mark) { return meets(mark.word, rect->rect); });
        } else if (const auto* text = std::get_if<TextMark>(&scene.marks[i]); text && isProse(*text)) {
            for (const explain::NamedTerm& named :
                 explain::termsIn(text->text, language, followingLine(scene, i)))
                consider(named, *text);
        }
    }
    return marks;
}

Scene underlines(const std::vector<TermMark>& marks, Size size) {
    constexpr f32 kBelow = 0.25f;  // of the letters' height
    Scene scene;
    scene.size = size;
    for (const TermMark& mark : marks) {
        const f32 y = std::round(mark.baseline + kBelow * (mark.baseline - mark.word.y)) + 0.5f;
        scene.marks.emplace_back(
            LineMark{{mark.word.x, y}, {mark.word.right(), y}, {role(RoleKind::TextThird), 1, Dash::Dotted}});
    }
    return scene;
}

}  // namespace lockstep::viz
