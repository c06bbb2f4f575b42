#include "app/state/fuzzy.h"

#include "base/text/utf8.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::app {
namespace {

std::u32string lettersOf(std::string_view text) {
    std::u32string letters;
    while (!text.empty()) {
        const char32_t letter = takeCharacter(text);
        letters.push_back(letter >= U'A' && letter <= U'Z' ? letter + (U'a' - U'A') : letter);
    }
    return letters;
}

// Word starts within a word: each Chinese character is one.
bool isWordLetter(char32_t letter) {
    return (letter >= U'a' && letter <= U'z') || (letter >= U'0' && letter <= U'9');
}

constexpr int kLetter = 4, kSideBySide = 6, kWordBegins = 8, kTextBegins = 4, kMostForGap = 8;
constexpr int kLeastALetter = 5;  // below, the letters are too scattered to be meant

// From the letter at `start` on, each of the word's letters at its next place.
std::optional<int> scoreFrom(std::u32string_view word, std::u32string_view text, std::size_t start) {
    int score = 0;
    std::size_t at = start;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const std::size_t found = text.find(word[i], at);
        if (found == std::u32string_view::npos) return std::nullopt;
        score += kLetter;
        if (i > 0 && found == at) score += kSideBySide;
        if (i > 0) score -= int(std::min<std::size_t>(found - at, kMostForGap));
        if (found == 0) score += kTextBegins;
        if (found == 0 || !isWordLetter(text[found - 1]) || !isWordLetter(text[found])) score += kWordBegins;
        at = found + 1;
    }
    return score < kLeastALetter * int(word.size()) ? std::nullopt : std::optional(score);
}

}  // namespace

std::optional<int> fuzzyScore(std::string_view query, std::string_view text) {
    const std::u32string wanted = lettersOf(query), letters = lettersOf(text);
    int total = 0;
    for (std::size_t begin = 0; begin < wanted.size();) {
        const std::size_t end = std::min(wanted.find(U' ', begin), wanted.size());
        const std::u32string_view word = std::u32string_view(wanted).substr(begin, end - begin);
        begin = end + 1;
        if (word.empty()) continue;
        std::optional<int> best;
        for (std::size_t start = letters.find(word[0]); start != std::u32string::npos;
             start = letters.find(word[0], start + 1))
            if (const std::optional<int> score = scoreFrom(word, letters, start);
                score && (!best || *score > *best))
                best = score;
        if (!best) return std::nullopt;
        total += *best;
    }
    return total;
}

}  // namespace lockstep::app
