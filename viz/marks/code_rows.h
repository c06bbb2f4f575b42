// A line of code that is wider than its room, in rows one below the other.
#pragma once

#include "viz/marks/code.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

// Broken at blanks, behind an operator or a comma where there is one, never inside a token; what goes on
// stands further in by four columns. A line whose code fits is one row, and so is a comment or a directive:
// what of them does not fit is cut. The last row holds all that is left.
std::vector<std::string> codeRows(const Canvas& canvas, std::string_view text, CodeLanguage language,
                                  bool insideComment, f32 width);

}  // namespace lockstep::viz
