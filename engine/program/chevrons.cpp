#include "program/chevrons.h"

#include <string_view>

namespace lockstep::program {
namespace {

// Behind a comment or a literal that begins at `at`; `at` itself where none does.
std::size_t behindText(const std::string& source, std::size_t at) {
    const auto endOf = [&](std::string_view end, std::size_t from) {
        const std::size_t found = source.find(end, from);
        return found == std::string::npos ? source.size() : found + end.size();
    };
    if (source.compare(at, 2, "//") == 0) return endOf("\n", at);
    if (source.compare(at, 2, "/*") == 0) return endOf("*/", at + 2);
    const char quote = source[at];
    if (quote == '"' && at && source[at - 1] == 'R') {
        const std::size_t open = source.find('(', at);
        if (open == std::string::npos) return source.size();
        return endOf(")" + source.substr(at + 1, open - at - 1) + "\"", open);
    }
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (quote == '\'' && at && isDigit(source[at - 1])) return at;  // 1'000
    if (quote != '"' && quote != '\'') return at;
    for (std::size_t i = at + 1; i < source.size() && source[i] != '\n'; ++i) {
        if (source[i] == '\\')
            ++i;
        else if (source[i] == quote)
            return i + 1;
    }
    return at;
}

// Three of `bracket` with blanks between them: the length; 0: not so, or none are between.
std::size_t apart(const std::string& source, std::size_t at, char bracket) {
    std::size_t i = at;
    for (int count = 0; count < 3; ++count) {
        while (count && i < source.size() && (source[i] == ' ' || source[i] == '\t'))
            ++i;
        if (i >= source.size() || source[i] != bracket) return 0;
        ++i;
    }
    return i - at;
}

}  // namespace

std::string joinedChevrons(const std::string& source) {
    std::string out = source;
    bool isOpen = false;
    for (std::size_t at = 0; at < source.size();) {
        if (const std::size_t behind = behindText(source, at); behind != at) {
            at = behind;
            continue;
        }
        const char c = source[at];
        if (c == ';') isOpen = false;
        const std::size_t length = c == '<'             ? apart(source, at, '<')
                                   : isOpen && c == '>' ? apart(source, at, '>')
                                                        : 0;
        if (!length) {
            ++at;
            continue;
        }
        isOpen = c == '<';
        // Blanks follow those that open, and precede those that close.
        const std::string blanks(length - 3, ' ');
        out.replace(at, length, isOpen ? "<<<" + blanks : blanks + ">>>");
        at += length;
    }
    return out;
}

}  // namespace lockstep::program
