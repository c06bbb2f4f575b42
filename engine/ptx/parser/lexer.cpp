#include "ptx/parser/lexer.h"

#include "ptx/parser/syntax_error.h"

#include <array>

namespace lockstep::ptx {
namespace {

constexpr std::array<bool, 256> kWordCharacters = [] {
    std::array<bool, 256> table{};
    for (int c = '0'; c <= '9'; ++c)
        table[c] = true;
    for (int c = 'a'; c <= 'z'; ++c)
        table[c] = true;
    for (int c = 'A'; c <= 'Z'; ++c)
        table[c] = true;
    table['_'] = table['$'] = table['%'] = true;
    return table;
}();

constexpr std::size_t kLongestQuote = 40;  // of a text quoted in a message

}  // namespace

bool isWordCharacter(char c) { return kWordCharacters[static_cast<unsigned char>(c)]; }

void Lexer::fail(FaultKind kind, Message message, Place place) const {
    throw SyntaxError{Fault{.kind = kind,
                            .message = std::move(message),
                            .place = {std::string(fileName_), place.line, place.column},
                            .pc = {},
                            .block = {},
                            .thread = {}}};
}

void Lexer::skipComment() {
    const Place start = place();
    if (at_[1] == '/') {
        while (at_ < end_ && *at_ != '\n')
            ++at_;
        return;
    }
    for (at_ += 2; at_ < end_;) {
        if (*at_ == '*' && at_[1] == '/') {
            at_ += 2;
            return;
        }
        if (*at_ == '\n')
            newLine();
        else
            ++at_;
    }
    fail(FaultKind::Syntax, english("this comment has no end; close it with */"), start);
}

void Lexer::expect(char c, const Words& context, std::string_view name) {
    if (!take(c))
        fail(FaultKind::Syntax,
             Message(english("expected '{0}' {1}, found {2}"), c, Message(context, name), found()));
}

std::string_view Lexer::word() {
    skipSpace();
    const char* start = at_;
    while (isWordCharacter(*at_))
        ++at_;
    return {start, std::size_t(at_ - start)};
}

std::string_view Lexer::directive() {
    skipSpace();
    const char* start = at_;
    if (*at_ == '.') do
            ++at_;
        while (isWordCharacter(*at_));
    return {start, std::size_t(at_ - start)};
}

std::string_view Lexer::dottedWord() {
    skipSpace();
    const char* start = at_;
    for (;;) {
        if (isWordCharacter(*at_) || *at_ == '.')
            ++at_;
        else if (*at_ == ':' && at_[1] == ':')
            at_ += 2;
        else
            break;
    }
    return {start, std::size_t(at_ - start)};
}

std::string_view Lexer::quoted() {
    expect('"', english("to open a text"));
    const char* start = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\n')
        at_ += *at_ == '\\' && at_ + 1 < end_ && at_[1] != '\n' ? 2 : 1;
    if (*at_ != '"')
        fail(FaultKind::Syntax, english("this text has no end; close it with \" on the same line"));
    return {start, std::size_t(at_++ - start)};
}

Message Lexer::found() {
    skipSpace();
    if (at_ >= end_) return english("the end of the text");
    const char* stop = at_;
    while (isWordCharacter(*stop) || *stop == '.')
        ++stop;
    if (stop == at_) ++stop;
    std::string_view text(at_, std::min(std::size_t(stop - at_), kLongestQuote));
    if (text.size() == 1 &&
        (static_cast<unsigned char>(text[0]) < 0x20 || static_cast<unsigned char>(text[0]) >= 0x7f))
        return Message(english("a character that PTX does not use (code {0})"),
                       u32(static_cast<unsigned char>(text[0])));
    return Message::plain("'" + std::string(text) + "'");
}

void Lexer::skipBraces() {
    const Place start = place();
    for (u32 depth = 1; depth > 0;) {
        const char c = peek();
        if (at_ >= end_)
            fail(FaultKind::Syntax, Message(english("this '{0}' is never closed; add the '{1}'"), '{', '}'),
                 start);
        if (c == '"') {
            quoted();
            continue;
        }
        if (c == '{') ++depth;
        if (c == '}') --depth;
        ++at_;
    }
}

u32 Lexer::countUntil(const char* from, char stop) const {
    u32 commas = 0, depth = 0;
    bool anything = false;
    for (const char* c = from; c < end_ && !(*c == stop && depth == 0); ++c) {
        if (*c == ';') break;  // the end of the statement, whatever is open
        if (*c == '/' && c[1] == '/') {
            while (c + 1 < end_ && c[1] != '\n')
                ++c;
            continue;
        }
        if (*c == '/' && c[1] == '*') {
            for (c += 2; c + 1 < end_ && !(*c == '*' && c[1] == '/');)
                ++c;
            ++c;
            continue;
        }
        if (*c == '{' || *c == '(' || *c == '[')
            ++depth;
        else if ((*c == '}' || *c == ')' || *c == ']') && depth)
            --depth;
        else if (*c == ',' && depth == 0)
            ++commas;
        anything |= static_cast<unsigned char>(*c) > ' ';
    }
    return anything ? commas + 1 : 0;
}

}  // namespace lockstep::ptx
