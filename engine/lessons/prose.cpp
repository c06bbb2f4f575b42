#include "lessons/prose.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <regex>

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

// `32`, `4,096`: 2 or more and whole. `7.0` is a version.
bool isNumberAlone(std::string_view code) {
    std::string digits;
    for (const char c : code.substr(1, code.size() - 2))
        if (c != ',' && c != ' ') digits += c;
    return !digits.empty() && std::ranges::all_of(digits, isDigit) && digits != "0" && digits != "1";
}

// "sixteen", "thirty-two", "十六", "三十二"; no round or vague ones: a hundred, a million, 几十, 一百万.
void findNumerals(const Stretch& stretch, std::vector<TypedFigure>& found) {
    static const std::regex numerals(
        "\\b(eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|"
        "seventy|eighty|ninety)(?:-[a-z]+)?)\\b|((?:二|三|四|五|六|七|八|九)?十(?:一|二|三|四|五|六|七|八|九)"
        "|"
        "(?:二|三|四|五|六|七|八|九)十)");
    const std::string_view text = stretch.text;
    for (std::regex_iterator<std::string_view::const_iterator> at(text.begin(), text.end(), numerals), end;
         at != end; ++at) {
        found.push_back({text.substr(std::size_t(at->position()), std::size_t(at->length())), stretch.line});
    }
}

// "１２": digits of Chinese fonts' full width, three bytes each.
void findWideDigits(const Stretch& stretch, std::vector<TypedFigure>& found) {
    constexpr std::size_t kBytes = 3;
    const std::string_view text = stretch.text;
    const auto digitAt = [&](std::size_t i) {
        return text.substr(i).starts_with("\xef\xbc") && i + 2 < text.size() && u8(text[i + 2]) >= 0x90 &&
               u8(text[i + 2]) <= 0x99;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t end = i;
        while (digitAt(end))
            end += kBytes;
        const bool isSmall = end == i + kBytes && u8(text[i + 2]) <= 0x91;  // 0 and 1
        if (end > i && !isSmall) found.push_back({text.substr(i, end - i), stretch.line});
        if (end > i) i = end - 1;
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
        if (stretch.kind == Stretch::Kind::Code && isNumberAlone(stretch.text))
            found.push_back({stretch.text, stretch.line});
        if (stretch.kind != Stretch::Kind::Prose) continue;
        const std::string_view text = stretch.text;
        findNumerals(stretch, found);
        findWideDigits(stretch, found);
        std::size_t depth = 0;  // of braces: figures
        for (std::size_t i = 0; i < text.size(); ++i) {
            // The address of a link.
            if (text[i] == '(' && i > 0 && text[i - 1] == ']')
                i = std::min(text.find(')', i), text.size() - 1);
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

std::vector<Braced> bracedIn(std::string_view markdown) {
    std::vector<Braced> all;
    for (const Stretch& stretch : stretchesOf(markdown)) {
        if (stretch.kind == Stretch::Kind::Fence) continue;
        for (std::size_t open = stretch.text.find('{'); open != std::string_view::npos;
             open = stretch.text.find('{', open + 1)) {
            const std::string_view inside =
                stretch.text.substr(open + 1, stretch.text.find_first_of(":}", open) - open - 1);
            std::string expression;
            std::ranges::copy_if(inside, std::back_inserter(expression),
                                 [](char c) { return !std::isspace(static_cast<unsigned char>(c)); });
            all.push_back({std::move(expression), stretch.line});
        }
    }
    return all;
}

namespace {

// Words of a line outside of code and figures, if it has none of another script.
std::size_t foreignWordsOf(std::string_view line) {
    std::size_t words = 0, depth = 0;
    bool isCode = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (u8(line[i]) >= 0x80) return 0;
        if (line[i] == '`') isCode = !isCode;
        if (line[i] == '{') ++depth;
        if (line[i] == '}' && depth > 0) --depth;
        const bool begins = isWordLetter(line[i]) && (i == 0 || !isWordLetter(line[i - 1]));
        words += begins && !isCode && depth == 0 && i + 1 < line.size() && isWordLetter(line[i + 1]);
    }
    return words;
}

// A whole line of English, however short.
std::optional<Untranslated> untranslatedLine(std::string_view markdown) {
    bool isFenced = false;
    for (u32 number = 0; !markdown.empty(); ++number) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.starts_with("```")) isFenced = !isFenced;
        if (!isFenced && foreignWordsOf(line) > 1) return Untranslated{line, number};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Untranslated> untranslatedIn(std::string_view markdown) {
    if (const auto line = untranslatedLine(markdown)) return line;
    constexpr std::size_t kMostForeign = 5;  // words: a name, or a term with its explanation
    for (const Stretch& stretch : stretchesOf(markdown)) {
        if (stretch.kind != Stretch::Kind::Prose) continue;
        const std::string_view text = stretch.text;
        std::size_t words = 0, from = 0, depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto letter = static_cast<unsigned char>(text[i]);
            if (letter == '{') ++depth;
            if (letter == '}' && depth > 0) --depth;
            if (letter >= 0x80) words = 0;  // of another script
            const bool begins = isWordLetter(text[i]) && (i == 0 || !isWordLetter(text[i - 1]));
            if (depth > 0 || !begins) continue;
            if (words++ == 0) from = i;
            if (words > kMostForeign)
                return Untranslated{text.substr(from, text.find(' ', i) - from), stretch.line};
        }
    }
    return std::nullopt;
}

}  // namespace lockstep::lessons
