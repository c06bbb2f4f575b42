// A line of code in a monospaced face. What a word is, is said by weight and lightness alone, for hues are
// data: keywords, types, literals, what is called, directives and comments. In PTX and machine code the
// accesses to shared and global memory stand out, as loads and stores do everywhere.
#pragma once

#include "viz/marks/code_tokens.h"
#include "viz/scene/canvas.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

// Tabs count as four blanks.
std::string withoutTabs(std::string_view text);
// `at`: left end of the line's middle. insideComment: a block comment began in a line above.
void codeLine(Canvas& canvas, Point at, std::string_view text, CodeLanguage language,
              bool insideComment = false, f32 size = type::kCode);
// Of each line: whether a block comment of one above goes on in it.
std::vector<bool> insideComments(std::span<const std::string_view> lines, CodeLanguage language);

// Of a line as it is drawn: all of it, and the blanks that it begins with.
struct CodeExtent {
    f32 width = 0, indent = 0;
};
CodeExtent codeExtent(const Canvas& canvas, std::string_view text, f32 size = type::kCode);
// At which ends it is cut where so much of it is shown, from `across` pixels on.
struct CodeCut {
    bool before = false, behind = false;
};
CodeCut codeCut(const Canvas& canvas, std::string_view text, f32 across, f32 width);
// In a row that shows it from `across` pixels on, with an ellipsis where it is cut: behind a token, or a word
// of a comment. What lies outside is the caller's to clip.
void codeInRow(Canvas& canvas, const Rect& row, f32 across, std::string_view text, CodeLanguage language,
               bool insideComment, Role ground);

}  // namespace lockstep::viz
