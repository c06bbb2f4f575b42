#include "app/cli/pages/text_pieces.h"

#include "viz/scene/drawn_texts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::cli {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Texts of different width share one of these, depending on alignment.
f32 distance(const viz::Rect& a, const viz::Rect& b) {
    const f32 across = std::min(
        {std::fabs(a.x - b.x), std::fabs(a.right() - b.right()), std::fabs(a.centre().x - b.centre().x)});
    return across + std::fabs(a.y - b.y);
}

// Removes and returns the piece of `others` at the same position. Empty: none.
std::string takeNearest(const TextPiece& piece, std::vector<TextPiece>& others) {
    constexpr f32 kNear = 6;
    const auto nearest = std::ranges::min_element(
        others, {}, [&](const TextPiece& other) { return distance(piece.rect, other.rect); });
    if (nearest == others.end() || distance(piece.rect, nearest->rect) > kNear) return {};
    std::string text = std::move(nearest->text);
    others.erase(nearest);
    return text;
}

template <class Lists> bool haveEqualSizes(const Lists& lists) {
    return std::ranges::all_of(lists, [&](const auto& list) { return list.size() == lists.front().size(); });
}

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (end > 0) lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Length of the number at the beginning: "1,024", "0x1f", "2.40".
std::size_t numberLength(std::string_view text) {
    std::size_t end = 0;
    if (text.starts_with("0x")) return std::min(text.find_first_not_of("0123456789abcdef", 2), text.size());
    while (end < text.size() &&
           (isDigit(text[end]) || (end > 0 && end + 1 < text.size() &&
                                   (text[end] == ',' || text[end] == '.') && isDigit(text[end + 1]))))
        ++end;
    return end;
}

// Length of the separator in a list of numbers at the beginning of a text; 0: not a list.
std::size_t betweenNumbers(std::string_view text) {
    static constexpr std::array<std::string_view, 4> kBetween{", ", "–", "、", "-"};
    for (const std::string_view between : kBetween)
        if (text.starts_with(between) && text.size() > between.size() && isDigit(text[between.size()]))
            return between.size();
    return 0;
}

}  // namespace

std::vector<TextPiece> labelsOf(const viz::Scene& scene, const viz::TextMetrics& metrics, Language language) {
    std::vector<TextPiece> labels;
    for (viz::DrawnText& text : viz::drawnTexts(scene, metrics, language))
        if (text.face != viz::Face::Mono && text.face != viz::Face::MonoBold)
            labels.push_back(
                {std::move(text.text), {text.left, text.top, 2 * (text.middle.x - text.left), text.size}});
    return labels;
}

std::vector<TextPiece> hoversOf(const viz::Scene& scene) {
    std::vector<TextPiece> hovers;
    for (const viz::HitArea& area : scene.hits)
        hovers.push_back({area.hit.text(), area.rect});
    return hovers;
}

std::vector<std::vector<std::string>> sideBySide(const std::vector<std::vector<TextPiece>>& pieces) {
    std::vector<std::vector<std::string>> rows;
    if (haveEqualSizes(pieces)) {
        for (std::size_t i = 0; i < pieces.front().size(); ++i)
            for (std::size_t l = 0; l < pieces.size(); ++l)
                (l == 0 ? rows.emplace_back() : rows.back()).push_back(pieces[l][i].text);
        return rows;
    }
    std::vector<std::vector<TextPiece>> left = pieces;
    for (std::size_t first = 0; first < left.size(); ++first)
        for (const TextPiece& piece : left[first]) {
            std::vector<std::string>& row = rows.emplace_back(first);
            row.push_back(piece.text);
            for (std::size_t l = first + 1; l < left.size(); ++l)
                row.push_back(takeNearest(piece, left[l]));
        }
    return rows;
}

std::vector<std::vector<std::string>> lineByLine(const std::vector<std::string>& texts) {
    std::vector<std::vector<std::string>> lines, rows;
    for (const std::string& text : texts)
        lines.push_back(linesOf(text));
    if (haveEqualSizes(lines)) {
        rows.resize(lines.front().size());
        for (const std::vector<std::string>& ofLanguage : lines)
            for (std::size_t i = 0; i < rows.size(); ++i)
                rows[i].push_back(ofLanguage[i]);
        return rows;
    }
    for (const std::vector<std::string>& ofLanguage : lines) {
        std::string& joined = (rows.empty() ? rows.emplace_back() : rows.front()).emplace_back();
        for (const std::string& line : ofLanguage)
            joined += (joined.empty() ? "" : " / ") + line;
    }
    return rows;
}

bool isWorthReading(std::string_view text) {
    constexpr u32 kIdeographsOfTwoWords = 4;
    u32 words = 0, letters = 0, ideographs = 0;
    for (const char c : text) {
        const u8 byte = u8(c);
        ideographs += byte >= 0xe4 && byte <= 0xe9;
        letters = isLetter(c) ? letters + 1 : c == ' ' ? 0 : letters;
        if (letters == 2 && isLetter(c)) ++words;
    }
    return words >= 2 || ideographs >= kIdeographsOfTwoWords;
}

std::string withoutNumbers(std::string_view text) {
    std::string form;
    while (!text.empty()) {
        if (!isDigit(text.front())) {
            form += text.front();
            text.remove_prefix(1);
            continue;
        }
        std::size_t gap = 0;
        do {  // a list of numbers counts as one
            text.remove_prefix(gap);
            text.remove_prefix(numberLength(text));
            gap = betweenNumbers(text);
        } while (gap > 0);
        form += '#';
    }
    return form;
}

}  // namespace lockstep::cli
