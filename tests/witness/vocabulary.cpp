#include "witness/vocabulary.h"

#include "base/check.h"

#include <algorithm>
#include <fstream>

namespace lockstep::witness {
namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// What makes a Latin word a name of code: threadIdx.x, __shared__, "tile[3]", "--block".
bool isOfCode(char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '.' || c == '[' || c == '-'; }

std::string lowered(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return small;
}

bool contains(std::string_view text, std::string_view word, bool isLatin, bool isOnlyWord) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if (!isLatin) return true;
        // Named once beside the Chinese word: 存储体（bank）.
        if (isOnlyWord && text.substr(0, at).ends_with("（")) continue;
        const char before = at > 0 ? text[at - 1] : ' ',
                   after = at + word.size() < text.size() ? text[at + word.size()] : ' ';
        if (isOnlyWord ? !isOfCode(before) && !isOfCode(after) && after != '('
                       : !isLetter(before) && !isLetter(after))
            return true;
    }
    return false;
}

}  // namespace

std::vector<Unsaid> readVocabulary(const std::string& file) {
    std::vector<Unsaid> rows;
    std::ifstream in(file);
    CHECK(in, "the vocabulary is there");
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
        CHECK(first != std::string::npos && second != std::string::npos, "LANGUAGE | NEVER | SAY");
        const std::optional<Language> language = languageOf(line.substr(0, first));
        CHECK(language, "a row begins with a language");
        rows.push_back({*language, line.substr(first + 3, second - first - 3), line.substr(second + 3)});
    }
    return rows;
}

const Unsaid* wrongWordIn(const std::vector<Unsaid>& vocabulary, Language language, std::string_view text) {
    const std::string small = lowered(text);
    for (const Unsaid& row : vocabulary)
        if (row.language == language &&
            contains(small, row.never, isLetter(row.never[0]), language != Language::English))
            return &row;
    return nullptr;
}

}  // namespace lockstep::witness
