// A line of code as the tokens that are told apart in it.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::viz {

enum class CodeLanguage : u8 { Cuda, Ptx, Machine };
enum class CodeKind : u8 { Plain, Keyword, Type, Number, String, Call, Directive, Comment, Load, Store };

struct CodeToken {
    CodeKind kind = CodeKind::Plain;
    std::string_view text;
};

// The tokens hold all of the line, in its order. insideComment: a block comment began in a line above;
// afterwards, whether one goes on below.
std::vector<CodeToken> codeTokens(std::string_view line, CodeLanguage language, bool& insideComment);

// What CUDA C++ keeps for itself: a keyword, an attribute or a type.
std::optional<CodeKind> reservedWord(std::string_view word);

}  // namespace lockstep::viz
