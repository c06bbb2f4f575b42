// A line of code that is wider than its room, in rows one below the other.
#pragma once

#include "viz/marks/code.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct CodeRow {
    std::string text;
    bool insideComment = false;  // what it begins with belongs to a comment of the row above
    bool operator==(const CodeRow&) const = default;
};

// Broken at blanks, behind an operator, a comma or else a bracket where there is one, never inside a token;
// what goes on stands further in by four columns, or only four columns in where it needs the room. A comment
// without room behind its code begins a row, and is broken between its words. A line that fits is one row,
// and so is a directive, which is cut. The last row holds all that is left.
std::vector<CodeRow> codeRows(const Canvas& canvas, std::string_view text, CodeLanguage language,
                              bool insideComment, f32 width);

}  // namespace lockstep::viz
