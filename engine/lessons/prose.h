// Markdown cut into prose and code. Figures stand in prose and in `code`, not between lines of three
// backticks.
#pragma once

#include "base/integers.h"

#include <string_view>
#include <vector>

namespace lockstep::lessons {

struct Stretch {
    enum class Kind : u8 {
        Prose,
        Code,   // `code`, with its backticks
        Fence,  // a line of a block of code
    };
    std::string_view text;
    Kind kind = Kind::Prose;
    u32 line = 0;  // of the text, from 0
};
// All of the text, in order.
std::vector<Stretch> stretchesOf(std::string_view markdown);

// A number in prose that is typed in: 2 or more, not part of a word such as L1 or float4, no year. Empty:
// there is none.
struct TypedFigure {
    std::string_view text;
    u32 line = 0;
};
std::vector<TypedFigure> typedFigures(std::string_view markdown);

}  // namespace lockstep::lessons
