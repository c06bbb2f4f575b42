// A cursor over PTX text: skips space and comments, counts lines, reads words and literals.
#pragma once

#include "base/fault.h"

#include <string>
#include <string_view>

namespace lockstep::ptx {

struct Place {
    u32 line = 0, column = 0;
};

class Lexer {
public:
    // The text must be followed by a 0 character, as std::string's is.
    Lexer(std::string_view text, std::string_view fileName)
        : begin_(text.data()),
          at_(text.data()),
          end_(text.data() + text.size()),
          lineStart_(at_),
          fileName_(fileName) {}

    // The next character that is neither space nor comment; 0 at the end.
    char peek() {
        skipSpace();
        return *at_;
    }
    bool atEnd() { return peek() == 0 && at_ == end_; }
    char peekRaw() const { return *at_; }  // without skipping
    const char* position() const { return at_; }
    u32 offset() const { return u32(at_ - begin_); }
    Place place() const { return {line_, u32(at_ - lineStart_) + 1}; }

    // Takes the character if it is next.
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void advance() { ++at_; }
    // Takes the character or fails: "expected ';' after ..., found 'x'".
    void expect(char c, const Words& context, std::string_view name = {});

    // A name: letters, digits, _, $, %; empty if none stands here.
    std::string_view word();
    // A directive or one part of it: ".reg", ".b32"; empty if none stands here.
    std::string_view directive();
    // An opcode with its modifiers: "ld.shared::cta.u32". A single ':' ends it.
    std::string_view dottedWord();
    // Between double quotes, without them; a backslash and what it escapes are left as they are.
    std::string_view quoted();
    // What stands here, for messages: "'foo'", "the end of the text".
    Message found();

    // Moves to the character after the '}' that closes a '{' already taken.
    void skipBraces();
    // How many operands stand from there to the ';': commas at the outer level. Moves nothing.
    u32 countOperands(const char* from) const { return countUntil(from, ';'); }
    // How many elements stand from here to the '}' that closes a list already opened.
    u32 countListElements() const { return countUntil(at_, '}'); }

    [[noreturn]] void fail(FaultKind kind, Message message) { fail(kind, std::move(message), place()); }
    [[noreturn]] void fail(FaultKind kind, Message message, Place place) const;

private:
    void skipSpace() {
        for (;;) {
            const char c = *at_;
            if (c == ' ' || c == '\t' || c == '\r')
                ++at_;
            else if (c == '\n')
                newLine();
            else if (c == '/' && (at_[1] == '/' || at_[1] == '*'))
                skipComment();
            else
                return;
        }
    }
    void newLine() {
        ++line_;
        lineStart_ = ++at_;
    }
    void skipComment();
    u32 countUntil(const char* from, char stop) const;

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* lineStart_;
    u32 line_ = 1;
    std::string_view fileName_;
};

bool isWordCharacter(char c);

}  // namespace lockstep::ptx
