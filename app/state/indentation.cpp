#include "app/state/indentation.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lockstep::app {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr u32 kMostColumns = 8;

// Calls `then` with each line, without its end.
template <class Then> void forEachLine(std::string_view text, Then&& then) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        then(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

char lastOf(std::string_view text) {
    const std::size_t last = text.find_last_not_of(kBlanks);
    return last == std::string_view::npos ? '\0' : text[last];
}

constexpr bool opens(char c) { return c == '{' || c == '[' || c == '('; }
constexpr bool closes(char opening, char c) {
    return (opening == '{' && c == '}') || (opening == '[' && c == ']') || (opening == '(' && c == ')');
}

// Where each brace of code stands: not in a comment, a string or a character.
class Braces {
public:
    explicit Braces(std::string_view text) : text_(text) {}

    // Calls `then` with the place of each.
    template <class Then> void forEach(Then&& then) {
        for (std::size_t at = 0; at < text_.size(); ++at) {
            const char c = text_[at];
            const std::string_view rest = text_.substr(at);
            if (rest.starts_with("//"))
                at = std::min(text_.find('\n', at), text_.size());
            else if (rest.starts_with("/*"))
                at = std::min(text_.find("*/", at + 2), text_.size() - 1) + 1;
            else if (c == '"' || (c == '\'' && !isInNumber(at)))
                at = endOfQuoted(at);
            else if (c == '{' || c == '}')
                then(at);
        }
    }

private:
    // 1'000'000
    bool isInNumber(std::size_t at) const {
        return at > 0 && text_[at - 1] >= '0' && text_[at - 1] <= '9' && at + 1 < text_.size() &&
               text_[at + 1] >= '0' && text_[at + 1] <= '9';
    }
    std::size_t endOfQuoted(std::size_t from) const {
        for (std::size_t at = from + 1; at < text_.size(); ++at) {
            if (text_[at] == '\\')
                ++at;
            else if (text_[at] == text_[from] || text_[at] == '\n')
                return at;
        }
        return text_.size();
    }
    std::string_view text_;
};

}  // namespace

std::string_view blanksOf(std::string_view line) {
    return line.substr(0, std::min(line.find_first_not_of(kBlanks), line.size()));
}

Indentation indentationOf(std::string_view text) {
    u32 tabs = 0;
    std::array<u32, kMostColumns + 1> deeper{};  // by how many blanks: so many lines
    std::size_t before = 0;
    forEachLine(text, [&](std::string_view line) {
        const std::string_view blanks = blanksOf(line);
        if (blanks.size() == line.size()) return;  // nothing stands there
        if (line[blanks.size()] == '*') return;    // of a comment, mostly
        if (blanks.starts_with('\t')) {
            ++tabs, before = 0;
            return;
        }
        if (blanks.size() > before && blanks.size() - before <= kMostColumns)
            ++deeper[blanks.size() - before];
        before = blanks.size();
    });
    // One blank is none that anybody chose.
    const auto most = std::max_element(deeper.begin() + 2, deeper.end());
    u32 lines = 0;
    for (const u32 count : deeper)
        lines += count;
    if (tabs > lines) return {.byTabs = true};
    return *most ? Indentation{.columns = u32(most - deeper.begin())} : Indentation{};
}

NewLine newLine(std::string_view before, std::string_view behind, const Indentation& indentation) {
    const std::string_view blanks = blanksOf(before), skipped = blanksOf(behind);
    const char last = lastOf(before);
    NewLine line{.text = "\n" + std::string(blanks), .skippedBehind = u32(skipped.size())};
    if (opens(last)) line.text += indentation.unit();
    line.index = u32(line.text.size() - 1);
    const std::string_view rest = behind.substr(skipped.size());
    if (opens(last) && !rest.empty() && closes(last, rest.front())) line.text += "\n" + std::string(blanks);
    return line;
}

std::optional<std::string_view> blanksOfOpening(std::string_view before) {
    std::vector<std::size_t> open;
    Braces(before).forEach([&](std::size_t at) {
        if (before[at] == '{')
            open.push_back(at);
        else if (!open.empty())
            open.pop_back();
    });
    if (open.empty()) return std::nullopt;
    const std::size_t begin = before.rfind('\n', open.back());
    return blanksOf(before.substr(begin == std::string_view::npos ? 0 : begin + 1));
}

}  // namespace lockstep::app
