#include "source/token.h"

#include <algorithm>
#include <array>

namespace lockstep::source {
namespace {

constexpr std::array<std::string_view, 24> kSigns{"<<<", "<<=", "...", "->*", "::", "->", "++", "--",
                                                  "<<",  "<=",  ">=",  "==",  "!=", "&&", "||", "+=",
                                                  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80);
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

class Scanner {
public:
    Scanner(std::string_view text, u32 file) : text_(text), file_(file) {}

    std::vector<Token> run() {
        bool atLineStart = true;
        while (true) {
            const u64 before = at_;
            atLineStart = skipBlanks(atLineStart);
            const bool isGlued = at_ == before && !tokens_.empty();
            if (at_ >= text_.size()) break;
            Token token{.line = line_, .file = file_, .begin = at_, .isGlued = isGlued};
            if (text_[at_] == '#' && atLineStart) {
                token.kind = Token::Kind::Directive;
                token.text = directive();
            } else {
                token.kind = one();
                token.text = std::string(text_.substr(token.begin, at_ - token.begin));
                atLineStart = false;
            }
            token.end = at_;
            // "<< <": how some editors format a launch.
            if (token.text == "<" && !tokens_.empty() && tokens_.back().text == "<<") {
                tokens_.back().text = "<<<", tokens_.back().end = token.end;
                continue;
            }
            tokens_.push_back(std::move(token));
        }
        tokens_.push_back({.line = line_, .file = file_, .begin = text_.size(), .end = text_.size()});
        return std::move(tokens_);
    }

private:
    char peek(u64 ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool startsWith(std::string_view what) const { return text_.substr(at_).starts_with(what); }
    // A backslash before the line's end joins two lines: its length, else 0.
    u64 continuation() const {
        if (peek() != '\\') return 0;
        u64 ahead = 1;
        while (isBlank(peek(ahead)))
            ++ahead;
        return peek(ahead) == '\n' ? ahead + 1 : 0;
    }

    // Blanks, comments and line ends; true when the next token is the first of its line.
    bool skipBlanks(bool atLineStart) {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n') {
                ++line_, ++at_;
                atLineStart = true;
            } else if (const u64 joined = continuation()) {
                at_ += joined, ++line_;
            } else if (isBlank(text_[at_])) {
                ++at_;
            } else if (startsWith("//") || startsWith("/*")) {
                skipComment();
            } else {
                break;
            }
        }
        return atLineStart;
    }

    void skipComment() {
        const bool isLine = peek(1) == '/';
        at_ += 2;
        while (at_ < text_.size()) {
            if (!isLine && startsWith("*/")) {
                at_ += 2;
                return;
            }
            if (const u64 joined = isLine ? continuation() : 0) {
                at_ += joined, ++line_;
                continue;
            }
            if (text_[at_] == '\n') {
                if (isLine) return;
                ++line_;
            }
            ++at_;
        }
    }

    std::string directive() {
        std::string text;
        ++at_;
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (const u64 joined = continuation()) {
                at_ += joined, ++line_;
                text += ' ';
            } else if (startsWith("//") || startsWith("/*")) {
                skipComment();
                text += ' ';
            } else if (text_[at_] == '"' || text_[at_] == '\'') {
                const u64 begin = at_;
                quoted(text_[at_]);
                text += text_.substr(begin, at_ - begin);
            } else {
                text += text_[at_++];
            }
        }
        while (!text.empty() && isBlank(text.back()))
            text.pop_back();
        return text;
    }

    void quoted(char quote) {
        ++at_;
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                if (text_[at_ + 1] == '\n') ++line_;
                ++at_;
            }
            ++at_;
        }
        if (peek() == quote) ++at_;
    }

    // R"mark( ... )mark"; at_ is at the quote.
    void rawString() {
        const u64 open = text_.find('(', at_);
        if (open == std::string_view::npos || open - at_ > 17) return quoted('"');
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const u64 found = text_.find(close, open);
        const u64 end = found == std::string_view::npos ? text_.size() : found + close.size();
        line_ +=
            u32(std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end), '\n'));
        at_ = end;
    }

    Token::Kind one() {
        const char c = text_[at_];
        if (isLetter(c)) {
            const u64 begin = at_;
            while (isLetter(peek()) || isDigit(peek()))
                ++at_;
            const std::string_view word = text_.substr(begin, at_ - begin);
            const bool isPrefix = word == "L" || word == "u8" || word == "u" || word == "U";
            if (peek() == '"' &&
                (word == "R" || word == "LR" || word == "u8R" || word == "uR" || word == "UR"))
                return rawString(), Token::Kind::Text;
            if (isPrefix && peek() == '"') return quoted('"'), Token::Kind::Text;
            if (isPrefix && peek() == '\'') return quoted('\''), Token::Kind::Character;
            return Token::Kind::Word;
        }
        if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return number(), Token::Kind::Number;
        if (c == '"') return quoted('"'), Token::Kind::Text;
        if (c == '\'') return quoted('\''), Token::Kind::Character;
        const auto sign = std::ranges::find_if(kSigns, [&](std::string_view s) { return startsWith(s); });
        at_ += sign == kSigns.end() ? 1 : sign->size();
        return Token::Kind::Sign;
    }

    void number() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool isSeparator = c == '\'' && (isLetter(peek(1)) || isDigit(peek(1)));
            const char before = at_ ? text_[at_ - 1] : ' ';
            const bool isExponentSign = (c == '+' || c == '-') &&
                                        (before == 'e' || before == 'E' || before == 'p' || before == 'P') &&
                                        !isHex();
            if (!isLetter(c) && !isDigit(c) && c != '.' && !isSeparator && !isExponentSign) break;
            ++at_;
        }
    }
    // 0x1e+2 is a sum; 0x1p+2 is a number.
    bool isHex() const {
        u64 begin = at_;
        while (begin > 0 && (isLetter(text_[begin - 1]) || isDigit(text_[begin - 1])))
            --begin;
        const std::string_view word = text_.substr(begin, at_ - begin);
        return (word.starts_with("0x") || word.starts_with("0X")) && word.back() != 'p' && word.back() != 'P';
    }

    std::string_view text_;
    u32 file_ = 0, line_ = 1;
    u64 at_ = 0;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, u32 file) { return Scanner(text, file).run(); }

void matchBrackets(std::vector<Token>& tokens) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != Token::Kind::Sign || tokens[i].text.size() != 1) continue;
        const char c = tokens[i].text[0];
        if (c == '(' || c == '[' || c == '{') {
            open.push_back(i);
        } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
            tokens[open.back()].toBehind = u32(i + 1 - open.back());
            open.pop_back();
        }
    }
    for (const std::size_t i : open)
        tokens[i].toBehind = u32(tokens.size() - i);
}

}  // namespace lockstep::source
