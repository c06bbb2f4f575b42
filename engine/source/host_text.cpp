#include "source/host_text.h"

#include <algorithm>

namespace lockstep::source {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool contains(const std::vector<Token>& tokens, std::size_t first, std::size_t last,
              std::initializer_list<std::string_view> words) {
    for (std::size_t i = first; i < last; ++i)
        for (const std::string_view word : words)
            if (tokens[i].is(word)) return true;
    return false;
}

std::vector<TokenRange> listIn(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
    std::vector<TokenRange> ranges;
    std::size_t begin = first;
    for (std::size_t i = first; i < last;) {
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) {
            i = std::min(behindBracket(tokens, i), last);
            continue;
        }
        if (tokens[i].is("<")) {
            if (const std::size_t behind = behindAngles(tokens, i); behind > i && behind <= last) {
                i = behind;
                continue;
            }
        }
        if (tokens[i].is(",")) {
            if (i > begin) ranges.push_back({begin, i});
            begin = i + 1;
        }
        ++i;
    }
    if (last > begin) ranges.push_back({begin, last});
    return ranges;
}

std::size_t behindParentheses(const std::vector<Token>& tokens, std::size_t i, std::size_t last) {
    while (i < last && !tokens[i].is("("))
        ++i;
    return std::min(behindBracket(tokens, i), last);
}

std::size_t behindStatement(const std::vector<Token>& tokens, std::size_t first, std::size_t last,
                            u32 depth) {
    if (first >= last || depth > kDeepest) return last;
    const Token& token = tokens[first];
    if (token.is("{")) return std::min(behindBracket(tokens, first), last);
    if (token.is("if")) {
        std::size_t i = behindStatement(tokens, behindParentheses(tokens, first, last), last, depth + 1);
        while (i + 1 < last && tokens[i].is("else")) {
            if (!tokens[i + 1].is("if")) return behindStatement(tokens, i + 1, last, depth + 1);
            i = behindStatement(tokens, behindParentheses(tokens, i + 1, last), last, depth + 1);
        }
        return i;
    }
    if (token.is("for") || token.is("while") || token.is("switch"))
        return behindStatement(tokens, behindParentheses(tokens, first, last), last, depth + 1);
    if (token.is("do")) {
        std::size_t i = behindStatement(tokens, first + 1, last, depth + 1);
        while (i < last && !tokens[i].is(";"))
            i = tokens[i].is("(") ? std::min(behindBracket(tokens, i), last) : i + 1;
        return std::min(i + 1, last);
    }
    if (token.is("try")) {
        std::size_t i = behindStatement(tokens, first + 1, last, depth + 1);
        while (i < last && tokens[i].is("catch"))
            i = behindStatement(tokens, behindParentheses(tokens, i, last), last, depth + 1);
        return i;
    }
    if (token.is("else")) return first + 1;
    if (token.is("case") || token.is("default")) {
        std::size_t i = first;
        while (i < last && !tokens[i].is(":"))
            ++i;
        return std::min(i + 1, last);
    }
    if (token.isWord() && first + 1 < last && tokens[first + 1].is(":") &&
        !isOneOf(token.text, {"public", "private"}))
        return first + 2;
    for (std::size_t i = first; i < last;) {
        if (tokens[i].is(";")) return i + 1;
        if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{"))
            i = behindBracket(tokens, i);
        else
            ++i;
    }
    return last;
}

}  // namespace lockstep::source
