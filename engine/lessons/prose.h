// Markdown cut into prose and code. Figures stand in prose and in `code`, not between lines of three
// backticks.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string>
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

// A number that is typed in. In prose: 2 or more, not part of a word such as L1 or float4, no year; from
// eleven on also in words, English or Chinese ones, but for round ones such as a hundred. In `code`: where it
// is all there is.
struct TypedFigure {
    std::string_view text;
    u32 line = 0;
};
std::vector<TypedFigure> typedFigures(std::string_view markdown);

// The expressions between { and }, without the words behind them that depend on the figure.
struct Braced {
    std::string expression;  // without blanks
    u32 line = 0;            // of the text, from 0
};
std::vector<Braced> bracedIn(std::string_view markdown);

// The first words of English prose in a Chinese text, where there are so many that they look forgotten.
// Empty: there are none.
struct Untranslated {
    std::string_view text;
    u32 line = 0;
};
std::optional<Untranslated> untranslatedIn(std::string_view markdown);

}  // namespace lockstep::lessons
