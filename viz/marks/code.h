// A line of code in a monospaced face: keywords set back and bold, as what matters is what the student wrote; in PTX and machine code
// the accesses to shared and global memory stand out, as loads and stores do everywhere.
#pragma once

#include <string_view>

#include "viz/canvas.h"

namespace lockstep::viz {

enum class CodeLanguage : u8 { Cuda, Ptx, Machine };
// `at`: left end of the line's middle. Tabs count as four blanks.
void codeLine(Canvas& canvas, Point at, std::string_view text, CodeLanguage language, f32 size = type::kCode);

}  // namespace lockstep::viz
