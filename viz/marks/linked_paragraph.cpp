#include "viz/marks/linked_paragraph.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

// The part of a line that a link covers; empty where it covers none of it.
struct Covered {
    std::size_t begin = 0, end = 0;
};

Covered coveredBy(const LinkedWords& link, std::size_t lineBegin, std::size_t lineEnd) {
    const std::size_t begin = std::max<std::size_t>(link.begin, lineBegin),
                      end = std::min<std::size_t>(link.end, lineEnd);
    return begin < end ? Covered{begin - lineBegin, end - lineBegin} : Covered{};
}

}  // namespace

u32 linkedParagraph(Canvas& canvas, Point at, f32 width, std::string_view text,
                    std::span<const LinkedWords> links, const TextStyle& style) {
    const std::vector<std::string> lines = canvas.wrap(text, width, style);
    const f32 lineHeight = style.size * type::kLineHeight;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        const f32 y = at.y + f32(i) * lineHeight;
        canvas.text({at.x, y}, line, style);
        // Spaces at the ends of lines are not drawn: the line is found again in the text.
        begin = std::min(text.find(line, begin), text.size());
        for (const LinkedWords& link : links) {
            const auto [from, to] = coveredBy(link, begin, begin + line.size());
            if (from == to) continue;
            const f32 x = at.x + canvas.width(std::string_view(line).substr(0, from), style);
            const f32 wide = canvas.width(std::string_view(line).substr(from, to - from), style);
            const f32 under = std::round(y + style.size * 0.52f) + 0.5f;
            canvas.line({x, under}, {x + wide, under}, {role(RoleKind::TextSecond), 1});
            canvas.hit({x, y - lineHeight / 2, wide, lineHeight}, link.hit);
        }
        begin += line.size();
    }
    return u32(lines.size());
}

}  // namespace lockstep::viz
