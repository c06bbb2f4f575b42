#include "lessons/prose.h"

#include <algorithm>
#include <charconv>

namespace lockstep::lessons {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A line of prose, cut at its `code`; a backtick without a second one is prose.
void cutLine(std::string_view line, u32 number, std::vector<Stretch>& to) {
    while (!line.empty()) {
        const std::size_t open = line.find('`');
        const std::size_t close = open == std::string_view::npos ? open : line.find('`', open + 1);
        const std::size_t prose = close == std::string_view::npos ? line.size() : open;
        if (prose > 0) to.push_back({line.substr(0, prose), Stretch::Kind::Prose, number});
        if (close == std::string_view::npos) return;
        to.push_back({line.substr(open, close + 1 - open), Stretch::Kind::Code, number});
        line.remove_prefix(close + 1);
    }
}

}  // namespace

std::vector<Stretch> stretchesOf(std::string_view markdown) {
    std::vector<Stretch> all;
    bool inFence = false;
    u32 number = 0;
    for (std::size_t at = 0; at < markdown.size(); ++number) {
        const std::size_t end = std::min(markdown.find('\n', at), markdown.size() - 1) + 1;
        const std::string_view line = markdown.substr(at, end - at);
        at = end;
        const bool isFence = line.starts_with("```");
        if (inFence || isFence)
            all.push_back({line, Stretch::Kind::Fence, number});
        else
            cutLine(line, number, all);
        inFence ^= isFence;
    }
    return all;
}

std::vector<TypedFigure> typedFigures(std::string_view markdown) {
    std::vector<TypedFigure> found;
    for (const Stretch& stretch : stretchesOf(markdown)) {
        if (stretch.kind != Stretch::Kind::Prose) continue;
        const std::string_view text = stretch.text;
        std::size_t depth = 0;  // of braces: figures
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '{') ++depth;
            if (text[i] == '}' && depth > 0) --depth;
            if (depth > 0 || !isDigit(text[i])) continue;
            std::size_t end = i;
            while (end < text.size() && isDigit(text[end]))
                ++end;
            u64 value = 0;
            std::from_chars(text.data() + i, text.data() + end, value);
            const bool isOfWord = (i > 0 && (isWordLetter(text[i - 1]) || isDigit(text[i - 1]))) ||
                                  (end < text.size() && isWordLetter(text[end]));
            const bool isYear = value >= 1980 && value < 2100;
            const bool isOfList = i == 0 && text.substr(end).starts_with(". ");
            if (!isOfWord && !isYear && !isOfList && value > 1)
                found.push_back({text.substr(i, end - i), stretch.line});
            i = end - 1;
        }
    }
    return found;
}

}  // namespace lockstep::lessons
