// CUDA C++ as tokens, each with its place in the file.
#pragma once

#include "base/integers.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::source {

struct Token {
    enum class Kind : u8 { Word, Number, Text, Character, Sign, Directive, End };
    Kind kind = Kind::End;
    // As written. Of a directive its logical line: without the '#', comments as one blank, continuations
    // joined. '>' always stands alone, so that templates close; "<<<" is one.
    std::string text = {};
    u32 line = 0;            // 1-based
    u32 file = 0;            // its number among the files of a program
    u64 begin = 0, end = 0;  // bytes of the file
    bool isGlued = false;    // nothing stands between it and the token before
    u32 toBehind = 0;  // of an opening bracket: tokens to the one behind its closing bracket (matchBrackets)

    bool is(std::string_view sign) const {
        return text == sign && kind != Kind::Text && kind != Kind::Character;
    }
    bool isWord() const { return kind == Kind::Word; }
};

// Never fails: an unfinished string or comment ends with the file. The last token is End.
std::vector<Token> tokenize(std::string_view text, u32 file = 0);

// Tells each opening bracket of a finished sequence where it closes; one that does not, closes behind the
// last token.
void matchBrackets(std::vector<Token>& tokens);

}  // namespace lockstep::source
